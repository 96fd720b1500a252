//! Which components of which values are read.

use crate::function::{Function, Inst, Pick};

const ALL: u8 = 0b1111;

/// For each instruction the components of its value that an output or a kill depends on, as a mask: bit 0 is x.
///
/// All components of outputs count as read. An instruction whose mask is 0 does not have to be computed; one whose mask
/// is `0b0001` only in component x, which is what engines do.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_ir::{passes, text};
///
/// let file = File::new("f.ir", "v0 = input 0\nv1 = fsqrt v0\nv2 = v1.x001\noutput 0 = v2\n");
/// let (f, _) = text::parse(&file);
/// assert_eq!(passes::demand(&f), [0b0001, 0b0001, 0b1111]);
/// ```
pub fn demand(function: &Function) -> Vec<u8> {
    let mut masks = vec![0; function.insts.len()];
    for &(_, value) in &function.outputs {
        masks[value.index()] = ALL;
    }
    for (index, inst) in function.insts.iter().enumerate().rev() {
        let mask: u8 = masks[index];
        if mask == 0 && !inst.has_effect() {
            continue;
        }
        match *inst {
            Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) => {}
            Inst::UniformAt { index, .. } => masks[index.index()] |= 0b0001,
            Inst::Map1(..) | Inst::Map2(..) | Inst::Map3(..) => {
                inst.operands().for_each(|operand| masks[operand.index()] |= mask);
            }
            Inst::Dot(dot, values) => {
                values.iter().for_each(|value| masks[value.index()] |= dot.mask());
            }
            Inst::Shuffle([a, b], picks) => {
                let read = picks.iter().enumerate().filter(|(component, _)| mask >> component & 1 == 1);
                read.for_each(|(_, pick)| match pick {
                    Pick::A(component) => masks[a.index()] |= 1 << (component & 3),
                    Pick::B(component) => masks[b.index()] |= 1 << (component & 3),
                    Pick::Zero | Pick::One => {}
                });
            }
            // Which coordinates a sampler reads is up to the sampler; a kill looks at all components.
            Inst::Sample(_, a) | Inst::Kill(a) => masks[a.index()] |= ALL,
        }
    }
    masks
}
