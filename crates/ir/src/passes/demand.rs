//! Which components of which values are read.

use crate::function::{Function, Inst};

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
        inst.reads(mask, |operand, components| masks[operand.index()] |= components);
        if let Inst::Kill(a) = *inst {
            // It looks at all components.
            masks[a.index()] |= ALL;
        }
    }
    masks
}
