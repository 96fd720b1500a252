//! The text of a program in the `NV_vertex_program` dialect.

use crate::dialect::{ConstantMap, Kind};
use crate::disassemble::{Disassembled, Page, Why, constants_of, kind, line, running, split};
use crate::encoding::{sources, targets};
use crate::regs::{C, O, OPOS, V};
use crate::rules::NOT_EXPRESSIBLE;
use crate::syntax::VP;
use crate::unpair::{statements, target};
use crate::vp::{LIMIT, OFFSETS};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Inst, Operand, Program};

/// The text of a program.
pub fn program(program: &Program, map: ConstantMap) -> Disassembled {
    let kind = kind(program);
    let newer = running(program).filter_map(statements).flatten().any(|inst| is_newer(&inst));
    let header = match kind {
        Kind::State => "!!VSP1.0",
        Kind::Vertex if newer => "!!VP1.1",
        Kind::Vertex => "!!VP1.0",
    };
    let mut page = Page::new(header, "# ", ";");
    constants_of(program, map, "# ", &mut page.out.text);
    for slot in running(program) {
        // What does nothing has no words, and needs none.
        page.slot(slot, split(slot, |inst| text(inst, kind, map)));
    }
    let mut insts = running(program).flat_map(|slot| slot.insts());
    if kind == Kind::Vertex && !insts.any(|inst| targets(inst).any(|target| target.reg == OPOS)) {
        let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, "the program never writes the position");
        let problem = problem.label(program.span, "a vertex program of this dialect must");
        page.out.diagnostics.push(problem.help("the text is refused until something writes o[HPOS]"));
    }
    page.out.text.push_str("END\n");
    page.finish(program, Some(LIMIT))
}

fn is_newer(inst: &Inst) -> bool {
    inst.op.since.iter().any(|(language, _)| *language == VP.name)
}

fn text(inst: &Inst, kind: Kind, map: ConstantMap) -> Result<String, Why> {
    let state = kind == Kind::State;
    match target(inst).reg.file {
        _ if state && is_newer(inst) => return Err("`!!VSP1.0` has no DPH and RCC"),
        O if state => return Err("a state program writes no outputs"),
        C if !state => return Err("a vertex program writes no constants"),
        _ => {}
    }
    for operand in sources(inst).chain([target(inst)]) {
        has_number(operand, map)?;
    }
    for operand in sources(inst) {
        match operand.reg.file {
            O => return Err("outputs cannot be read"),
            V if state && operand.reg.index != 0 => return Err("a state program reads v[0] alone"),
            _ => {}
        }
    }
    let text = line(inst, &VP, map);
    // The four numbers that a state program is launched with have no name.
    Ok(if state { text.replace("v[OPOS]", "v[0]") } else { text })
}

/// Constants that the text can count.
fn has_number(operand: &Operand, map: ConstantMap) -> Result<(), Why> {
    let number = i64::from(operand.reg.index) - i64::from(map.offset());
    let fits = match map {
        ConstantMap::Gl if operand.relative => OFFSETS.contains(&number),
        _ => map.from_machine(operand.reg.index).is_some_and(|number| operand.relative || number >= 0),
    };
    match operand.reg.file {
        C if !fits && operand.relative => Err("its constant is too far from A0.x"),
        C if !fits => Err("the dialect has no number for its constant"),
        _ => Ok(()),
    }
}
