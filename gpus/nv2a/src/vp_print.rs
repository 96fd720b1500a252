//! The text of a program in the `NV_vertex_program` dialect.

use crate::dialect::{ConstantMap, Kind};
use crate::disassemble::{Disassembled, Page, Why, constants_of, kind, running, split};
use crate::regs::{A, C, O, OPOS, R, V};
use crate::rules::NOT_EXPRESSIBLE;
use crate::statement::{Statement, first_lane};
use crate::unpair::statements;
use crate::vp_names::{INPUTS, LIMIT, OFFSETS, OUTPUTS};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{LANES, Mask, Operand, Program, Swizzle};
use std::fmt::Write;

/// The text of a program.
pub fn program(program: &Program, map: ConstantMap) -> Disassembled {
    let kind = kind(program);
    let newer = running(program)
        .filter_map(statements)
        .flatten()
        .any(|statement| ["dph", "rcc"].contains(&statement.name));
    let header = match kind {
        Kind::State => "!!VSP1.0",
        Kind::Vertex if newer => "!!VP1.1",
        Kind::Vertex => "!!VP1.0",
    };
    let mut page = Page::new(header, "# ", ";");
    constants_of(program, map, "# ", &mut page.out.text);
    for slot in running(program) {
        // What does nothing has no words, and needs none.
        page.slot(slot, split(slot, |statement| line(statement, kind, map)));
    }
    let position = |operand: &Operand| operand.reg == OPOS && !operand.mask.is_empty();
    let positioned =
        running(program).flat_map(|slot| slot.insts()).any(|inst| inst.operands[..2].iter().any(position));
    if kind == Kind::Vertex && !positioned {
        let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, "the program never writes the position");
        let problem = problem.label(program.span, "a vertex program of this dialect must");
        page.out.diagnostics.push(problem.help("the text is refused until something writes o[HPOS]"));
    }
    page.out.text.push_str("END\n");
    page.finish(program, Some(LIMIT))
}

fn line(statement: &Statement, kind: Kind, map: ConstantMap) -> Result<String, Why> {
    let mut out = match statement.name {
        "expp" => "EXP".to_owned(),
        "logp" => "LOG".to_owned(),
        "dph" | "rcc" if kind == Kind::State => return Err("`!!VSP1.0` has no DPH and RCC"),
        name => name.to_uppercase(),
    };
    out.push(' ');
    let target = &statement.target.operand;
    match target.reg.file {
        A => out.push_str("A0.x"),
        O if kind == Kind::State => return Err("a state program writes no outputs"),
        C if kind == Kind::Vertex => return Err("a vertex program writes no constants"),
        _ => register(target, kind, map, &mut out)?,
    }
    if target.reg.file != A && target.mask != Mask::ALL {
        // Writing to a String cannot fail.
        let _ = write!(out, ".{}", target.mask);
    }
    let scalar = ["arl", "rcp", "rcc", "rsq", "expp", "logp"].contains(&statement.name);
    for source in &statement.sources {
        let operand = &source.operand;
        out.push_str(if operand.negate { ", -" } else { ", " });
        if operand.reg == OPOS {
            return Err("outputs cannot be read");
        }
        register(operand, kind, map, &mut out)?;
        lanes(operand.swizzle, scalar, &mut out);
    }
    out.push_str(";\n");
    Ok(out)
}

/// Appends a swizzle: none, one letter, or four.
pub fn lanes(swizzle: Swizzle, scalar: bool, out: &mut String) {
    let lanes = swizzle.lanes();
    if scalar || lanes.iter().all(|lane| *lane == lanes[0]) {
        out.push('.');
        out.push(LANES[first_lane(swizzle) as usize]);
    } else if swizzle != Swizzle::IDENTITY {
        let _ = write!(out, ".{swizzle}");
    }
}

fn register(operand: &Operand, kind: Kind, map: ConstantMap, out: &mut String) -> Result<(), Why> {
    let index = operand.reg.index;
    let named = |names: &[(&'static str, u16)]| {
        names.iter().find(|(_, number)| *number == index).map(|(name, _)| *name)
    };
    let _ = match operand.reg.file {
        R => write!(out, "R{index}"),
        V if kind == Kind::State && index != 0 => return Err("a state program reads v[0] alone"),
        V if kind == Kind::State => write!(out, "v[0]"),
        V => match named(&INPUTS) {
            Some(name) => write!(out, "v[{name}]"),
            None => write!(out, "v[{index}]"),
        },
        C if operand.relative => {
            let number = i64::from(index) - i64::from(map.offset());
            let fits = match map {
                ConstantMap::Gl => (OFFSETS.0..=OFFSETS.1).contains(&number),
                _ => map.from_machine(index).is_some(),
            };
            match number {
                _ if !fits => return Err("its constant is too far from A0.x"),
                0 => write!(out, "c[A0.x]"),
                _ => write!(out, "c[A0.x{number:+}]"),
            }
        }
        C => match map.from_machine(index) {
            Some(number) if number >= 0 => write!(out, "c[{number}]"),
            _ => return Err("the dialect has no number for its constant"),
        },
        _ => match named(&OUTPUTS) {
            Some(name) => write!(out, "o[{name}]"),
            None => return Err("the dialect has no name for its output"),
        },
    };
    Ok(())
}
