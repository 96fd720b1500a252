//! Components of registers, with their types.

use gpuzoo_ir::Vec4;
use gpuzoo_isa::Mask;

/// A component of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its bits.
    pub bits: u32,
    /// True if they are a signed integer; else they are a float.
    pub is_integer: bool,
}

impl Component {
    /// Components of a value, each by its number.
    pub fn all<'a>(
        value: Vec4,
        integers: Mask,
        components: impl IntoIterator<Item = &'a u8>,
    ) -> Vec<Component> {
        let one = |at: &u8| Component { bits: value[usize::from(at & 3)], is_integer: integers.has(at & 3) };
        components.into_iter().map(one).collect()
    }

    /// Its value.
    pub(crate) fn number(self) -> f64 {
        if self.is_integer { f64::from(self.bits as i32) } else { f64::from(f32::from_bits(self.bits)) }
    }
}
