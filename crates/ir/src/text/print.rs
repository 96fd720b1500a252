//! Functions, instructions and values as text.

use crate::function::{Function, Inst, Pick, Value};
use std::fmt::{self, Display, Formatter};

/// The column of the origins.
const ORIGIN_COLUMN: usize = 36;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// The part after `=`: `fadd v1, v2`.
impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Inst::Const(bits) => {
                let [x, y, z, w] = bits.map(Component);
                write!(f, "const ({x}, {y}, {z}, {w})")
            }
            Inst::Input(index) => write!(f, "input {index}"),
            Inst::Uniform(index) => write!(f, "uniform {index}"),
            Inst::UniformAt { index, base, count } => {
                write!(f, "uniform[{index}.x")?;
                if base != 0 {
                    write!(f, " {} {}", if base < 0 { '-' } else { '+' }, base.unsigned_abs())?;
                }
                write!(f, " < {count}]")
            }
            Inst::Map1(op, a) => write!(f, "{} {a}", op.name()),
            Inst::Map2(op, [a, b]) => write!(f, "{} {a}, {b}", op.name()),
            Inst::Map3(op, [a, b, c]) => write!(f, "{} {a}, {b}, {c}", op.name()),
            Inst::Dot(dot, [a, b]) => write!(f, "{} {a}, {b}", dot.name()),
            Inst::Shuffle([a, b], picks) => {
                write!(f, "{a}.")?;
                picks.iter().try_for_each(|pick| match *pick {
                    Pick::A(component) => component_letter(component).fmt(f),
                    Pick::B(_) => '_'.fmt(f),
                    Pick::Zero => '0'.fmt(f),
                    Pick::One => '1'.fmt(f),
                })?;
                if a == b && !picks.iter().any(|pick| matches!(pick, Pick::B(_))) {
                    return Ok(());
                }
                write!(f, " | {b}.")?;
                picks.iter().try_for_each(|pick| match *pick {
                    Pick::B(component) => component_letter(component).fmt(f),
                    _ => '_'.fmt(f),
                })
            }
            Inst::Sample(unit, at) => write!(f, "sample {unit}, {at}"),
            Inst::Kill(a) => write!(f, "kill {a}"),
        }
    }
}

/// The whole function; [`crate::text::parse`] reads it back.
impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, inst) in self.insts.iter().enumerate() {
            let line = format!("v{index} = {inst}");
            match self.origins.get(index) {
                Some(Some(origin)) => writeln!(f, "{line:<ORIGIN_COLUMN$} @{origin}")?,
                _ => writeln!(f, "{line}")?,
            }
        }
        self.outputs.iter().try_for_each(|(index, value)| writeln!(f, "output {index} = {value}"))
    }
}

/// `?` for a component that does not exist; such a function does not verify, and its text does not parse.
fn component_letter(component: u8) -> char {
    *['x', 'y', 'z', 'w'].get(component as usize).unwrap_or(&'?')
}

/// One component of a constant.
struct Component(u32);

impl Display for Component {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let float = f32::from_bits(self.0);
        match self.0 {
            crate::NAN => f.write_str("nan"),
            // Subnormal numbers are really small integers (components have no type), and read better as bits.
            bits if float.is_nan() || float.is_subnormal() => write!(f, "{bits:#x}"),
            // Rust prints the shortest decimal that reads back as the same float.
            _ => write!(f, "{float:?}"),
        }
    }
}
