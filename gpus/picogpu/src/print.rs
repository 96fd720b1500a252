//! The text of instructions and declarations.

use crate::encoding::has;
use crate::ops::takes_floats;
use gpuzoo_isa::{Inst, Interface, Mask, Op, PartKind, Port, Role, Slot, Stage};
use std::fmt::Write;

/// Appends the text of a slot's instruction, or what is to be said of words that are none.
pub fn insts(slot: &Slot, out: &mut String) {
    match &slot.inst {
        Some(inst) => instruction(inst, out),
        None => out.push_str("no instruction"),
    }
}

fn instruction(inst: &Inst, out: &mut String) {
    out.push_str(inst.op.name);
    // Writing to a String cannot fail.
    for part in inst.op.format.parts {
        let operand = &inst.operands[part.operand as usize];
        let _ = match part.kind {
            PartKind::Mask if operand.mask == Mask::ALL => Ok(()),
            PartKind::Mask => write!(out, ".{}", operand.mask),
            PartKind::Swizzle => write!(out, ".{}", operand.swizzle),
            PartKind::Immediates => {
                operand.immediates.values().iter().try_for_each(|value| match takes_floats(inst.op) {
                    true => write!(
                        out,
                        " {}",
                        float(*value).unwrap_or_else(|| f32::from_bits(*value).to_string())
                    ),
                    false => write!(out, " {}", *value as i32),
                })
            }
            _ => write!(out, " r{}", operand.reg.index),
        };
    }
    debug_assert!(has(inst, PartKind::Reg) || inst.op.format.parts.is_empty());
}

/// The shortest text that the assembler reads as these bits; none for infinities and NaN, which have no text.
pub fn float(bits: u32) -> Option<String> {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        return None;
    }
    // The assembler rounds twice, by way of f64: digits that are enough for an f32 might not do.
    let texts = [value.to_string(), f64::from(value).to_string()];
    let reads_back = |text: &String| text.parse::<f64>().is_ok_and(|value| (value as f32).to_bits() == bits);
    let text = texts.into_iter().find(reads_back)?;
    Some(if text.contains('.') { text } else { text + ".0" })
}

/// Appends the directives of a program, a line each. The depth output of a fragment shader is none of them.
pub fn directives(interface: &Interface, out: &mut String) {
    let stage = match interface.stage {
        Stage::Vertex => "#vertexShader",
        Stage::Fragment => "#fragmentShader",
    };
    let _ = writeln!(out, "{stage}");
    let outputs = match interface.stage {
        Stage::Vertex => interface.outputs.as_slice(),
        Stage::Fragment => &interface.outputs[..interface.outputs.len().min(1)],
    };
    let mut ports = |name: &str, ports: &[Port]| {
        for port in ports {
            let _ = writeln!(out, "#{name} r{}.{}", port.reg.index, port.mask());
        }
    };
    ports("input", &interface.inputs);
    ports("output", outputs);
    ports("uniform", &interface.uniforms);
    if interface.undefined_registers {
        out.push_str("#undefinedRegs\n");
    }
}

/// How an instruction is written: `fadd dst.mask a b`.
pub fn usage(op: &Op) -> String {
    let mut text = op.name.to_owned();
    for part in op.format.parts {
        let dot = matches!(part.kind, PartKind::Mask | PartKind::Swizzle) && part.role == Role::Modify;
        text.push(if dot { '.' } else { ' ' });
        text.push_str(part.name);
    }
    text
}
