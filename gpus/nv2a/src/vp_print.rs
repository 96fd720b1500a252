//! The text of a program in the `NV_vertex_program` dialect.

use crate::dialect::Kind;
use crate::disassemble::{Disassembled, Page, Why, constants_of, kind, running, writes};
use crate::encoding::{sources, target};
use crate::header::since;
use crate::regs::{C, OPOS, V};
use crate::rules::NOT_EXPRESSIBLE;
use crate::syntax::VP;
use crate::unpair::statements;
use crate::vp::VERSIONS;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Inst, Numbering, Operand, Program};

/// The text of a program.
pub fn program(program: &Program, map: Numbering) -> Disassembled {
    let kind = kind(program);
    let newest = running(program).iter().filter_map(statements).flatten().any(|inst| is_newer(&inst));
    let mut page = Page::new(&VERSIONS, VERSIONS.fitting(kind, false, newest), &VP, map);
    constants_of(program, map, "# ", &mut page.out.text);
    for slot in running(program) {
        // What does nothing has no words, and needs none.
        page.slot(slot, |page, group| page.split(group, |inst| line(page, inst)));
    }
    if kind == Kind::Vertex && !writes(program, |reg| reg == OPOS) {
        let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, "the program never writes the position");
        let problem = problem.label(program.span, "a vertex program of this dialect must");
        page.out.diagnostics.push(problem.help("the text is refused until something writes o[HPOS]"));
    }
    page.out.text.push_str("END\n");
    page.finish(program)
}

fn is_newer(inst: &Inst) -> bool {
    !since(inst.op, &VP).is_empty()
}

/// True for an input that OpenGL's numbers do not reach: the back specular colour, and those behind TEX3.
fn no_gl_input(source: &Operand) -> bool {
    source.reg.file == V && matches!(source.reg.index, 8 | 13..)
}

fn line(page: &Page, inst: &Inst) -> Result<String, Why> {
    match target(inst).reg.file {
        _ if page.is_state() && is_newer(inst) => Err("`!!VSP1.0` has no DPH and RCC"),
        C if !page.is_state() => Err("a vertex program writes no constants"),
        _ if page.is_gl() && sources(inst).any(no_gl_input) => Err("OpenGL has no such input"),
        // The four numbers that a state program is launched with have no name.
        _ if page.is_state() => page.line(inst).map(|line| line.replace("v[OPOS]", "v[0]")),
        _ => page.line(inst),
    }
}
