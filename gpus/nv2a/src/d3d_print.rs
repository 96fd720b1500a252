//! The text of a program in the Direct3D 8 dialect.

use crate::d3d::LIMIT;
use crate::dialect::{ConstantMap, Kind};
use crate::disassemble::{Disassembled, Page, Why, constants_of, kind, line, running, split};
use crate::encoding::{FILLER, sources, targets, with_final};
use crate::regs::{C, O, OPOS, V, is_xbox_output};
use crate::syntax::D3D;
use crate::unpair::{pairs_again, statements, target};
use gpuzoo_isa::{Inst, Operand, Program, Slot};

/// The text of a program: of any Direct3D 8 if it can be, else the Xbox's.
pub fn program(program: &Program, map: ConstantMap) -> Disassembled {
    let kind = kind(program);
    let writes_constant = |slot: &Slot| slot.insts().flat_map(targets).any(|target| target.reg.file == C);
    let (header, limit) = match kind {
        Kind::State => ("xvss.1.1", None),
        Kind::Vertex if running(program).any(writes_constant) => ("xvsw.1.1", None),
        Kind::Vertex
            if !running(program).all(|slot| anywhere(slot, map)) || defines_below_0(program, map) =>
        {
            ("xvs.1.1", None)
        }
        Kind::Vertex => ("vs.1.1", Some(LIMIT)),
    };
    let mut page = Page::new(header, "; ", "");
    constants_of(program, map, "def ", &mut page.out.text);
    for slot in running(program) {
        page.slot(slot, text(slot, kind, map));
    }
    page.finish(program, limit)
}

/// True if vs.1.1 has words for a slot, or no dialect has.
fn anywhere(slot: &Slot, map: ConstantMap) -> bool {
    let Some(group) = statements(slot) else { return true };
    let below_0 = |operand: &Operand| {
        operand.reg.file == C
            && map == ConstantMap::D3d
            && map.from_machine(operand.reg.index).is_none_or(|number| number < 0)
    };
    let plain = |inst: &Inst| {
        let to = target(inst).reg;
        let xbox_output = to.file == O && is_xbox_output(to.index);
        let newer = inst.op.since.iter().any(|(language, _)| *language == D3D.name);
        !newer && !xbox_output && sources(inst).all(|source| source.reg != OPOS && !below_0(source))
    };
    // Instructions that would not pair as they do here are printed one after the other.
    let pair = group.len() > 1 && pairs_again(slot, &group);
    !pair && group.iter().all(plain)
}

fn defines_below_0(program: &Program, map: ConstantMap) -> bool {
    let values = program.constants.iter().filter(|constant| !constant.values.is_empty());
    let mut numbers = values.filter_map(|constant| map.from_machine(constant.reg.index));
    numbers.any(|number| number < 0)
}

fn text(slot: &Slot, kind: Kind, map: ConstantMap) -> Result<(String, usize), Why> {
    let group = statements(slot).ok_or("it has undefined parts")?;
    if group.is_empty() {
        // What does nothing is `nop`, but for its FINAL bit, if it has the words that `nop` gets.
        let nop = with_final(slot.bits, false) == FILLER;
        return Ok((if nop { "nop\n" } else { "" }.to_owned(), usize::from(nop)));
    }
    if group.len() == 1 || pairs_again(slot, &group) {
        let lines: Result<Vec<String>, Why> = group.iter().map(|inst| checked(inst, kind, map)).collect();
        return Ok((lines?.join("+"), 1));
    }
    split(slot, |inst| checked(inst, kind, map))
}

fn checked(inst: &Inst, kind: Kind, map: ConstantMap) -> Result<String, Why> {
    for operand in sources(inst).chain([target(inst)]) {
        match operand.reg.file {
            C if map.from_machine(operand.reg.index).is_none() => {
                return Err("the dialect has no number for its constant");
            }
            V if kind == Kind::State && operand.reg.index != 0 => {
                return Err("a state program reads v0 alone");
            }
            _ => {}
        }
    }
    Ok(line(inst, &D3D, map))
}
