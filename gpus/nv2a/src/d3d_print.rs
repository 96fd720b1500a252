//! The text of a program in the Direct3D 8 dialect.

use crate::d3d::{LIMIT, OUTPUTS};
use crate::dialect::{ConstantMap, Kind};
use crate::disassemble::{Disassembled, Page, Why, constants_of, kind, running, split};
use crate::encoding::encode;
use crate::regs::{A, C, O, OPOS, R, V};
use crate::statement::Statement;
use crate::unpair::{pairs_again, statements};
use crate::vp_print::lanes;
use gpuzoo_isa::{Mask, Operand, Program, Slot};
use std::fmt::Write;

/// The text of a program: of any Direct3D 8 if it can be, else the Xbox's.
pub fn program(program: &Program, map: ConstantMap) -> Disassembled {
    let kind = kind(program);
    let writes_constant = |slot: &Slot| {
        let mut targets = slot.insts().flat_map(|inst| &inst.operands[..2]);
        targets.any(|target| target.reg.file == C && !target.mask.is_empty())
    };
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
    let xbox_output = |operand: &Operand| operand.reg.file == O && [7, 8].contains(&operand.reg.index);
    let plain = |statement: &Statement| {
        let mut sources = statement.sources.iter().map(|source| &source.operand);
        !["dph", "rcc"].contains(&statement.name)
            && !xbox_output(&statement.target.operand)
            && sources.all(|source| source.reg != OPOS && !below_0(source))
    };
    // Statements that would not pair as they do here are printed one after the other.
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
        let nop = crate::encoding::with_final(slot.bits, false) == encode(None, None);
        return Ok((if nop { "nop\n" } else { "" }.to_owned(), usize::from(nop)));
    }
    if group.len() == 1 || pairs_again(slot, &group) {
        let mut out = String::new();
        for (index, statement) in group.iter().enumerate() {
            out.push_str(if index > 0 { "+" } else { "" });
            out.push_str(&line(statement, kind, map)?);
        }
        return Ok((out, 1));
    }
    split(slot, |statement| line(statement, kind, map))
}

fn line(statement: &Statement, kind: Kind, map: ConstantMap) -> Result<String, Why> {
    let mut out = match statement.name {
        "arl" => "mov a0.x".to_owned(),
        name => format!("{name} "),
    };
    let target = &statement.target.operand;
    if target.reg.file != A {
        register(target, map, &mut out)?;
        if target.mask != Mask::ALL {
            // Writing to a String cannot fail.
            let _ = write!(out, ".{}", target.mask);
        }
    }
    let scalar = ["arl", "rcp", "rcc", "rsq", "expp", "logp"].contains(&statement.name);
    for source in &statement.sources {
        let operand = &source.operand;
        if kind == Kind::State && operand.reg.file == V && operand.reg.index != 0 {
            return Err("a state program reads v0 alone");
        }
        out.push_str(if operand.negate { ", -" } else { ", " });
        if operand.reg == OPOS {
            out.push_str("r12")
        } else {
            register(operand, map, &mut out)?
        }
        lanes(operand.swizzle, scalar, &mut out);
    }
    out.push('\n');
    Ok(out)
}

fn register(operand: &Operand, map: ConstantMap, out: &mut String) -> Result<(), Why> {
    let index = operand.reg.index;
    let _ = match operand.reg.file {
        R => write!(out, "r{index}"),
        V => write!(out, "v{index}"),
        C => {
            let number = map.from_machine(index).ok_or("the dialect has no number for its constant")?;
            match number {
                _ if !operand.relative => write!(out, "c{number}"),
                0 => write!(out, "c[a0.x]"),
                1.. => write!(out, "c[a0.x + {number}]"),
                _ => write!(out, "c[a0.x - {}]", -number),
            }
        }
        _ => match OUTPUTS.iter().find(|(_, number)| *number == index) {
            Some((name, _)) => write!(out, "{name}"),
            None => return Err("the dialect has no name for its output"),
        },
    };
    Ok(())
}
