//! The text of a program in the `NV_vertex_program` dialect.

use crate::vertex::dialects::header::since;
use crate::vertex::dialects::page::{Page, Said, Why};
use crate::vertex::dialects::vp::VERSIONS;
use crate::vertex::encoding::sources;
use crate::vertex::issue::unpair::statements;
use crate::vertex::program::facts::kind;
use crate::vertex::regs::V;
use crate::vertex::syntax::VP;
use gpuzoo_isa::{Inst, Numbering, Operand, Program, Slot};

/// The page of a program of which these slots are printed.
pub fn page(program: &Program, slots: &[Slot], map: Numbering) -> Page {
    let newest = slots.iter().filter_map(statements).flatten().any(|inst| is_newer(&inst));
    Page::new(&VERSIONS, VERSIONS.fitting(kind(program), false, newest), &VP, map)
}

/// The text of a slot: one instruction after the other. What does nothing has no words, and needs none.
pub fn slot(page: &Page, group: Vec<Inst>) -> Said {
    page.split(group, |inst| line(page, inst))
}

fn is_newer(inst: &Inst) -> bool {
    !since(inst.op, &VP).is_empty()
}

/// True for an input that OpenGL's numbers do not reach: the back specular colour, and those behind TEX3.
fn no_gl_input(source: &Operand) -> bool {
    source.reg.file == V && matches!(source.reg.index, 8 | 13..)
}

fn line(page: &Page, inst: &Inst) -> Result<String, Why> {
    match page.is_state() {
        true if is_newer(inst) => Err("`!!VSP1.0` has no DPH and RCC"),
        // The four numbers that a state program is launched with have no name.
        true => page.line(inst).map(|line| line.replace("v[OPOS]", "v[0]")),
        false if page.is_gl() && sources(inst).any(no_gl_input) => Err("OpenGL has no such input"),
        false => page.line(inst),
    }
}
