//! The ways in which texts count constants.

use crate::vertex::regs::{C, CONSTANTS};
use gpuzoo_isa::{Numbering, Parser};

/// The ways to count constants as the machine describes them.
pub static NUMBERINGS: &[(&str, &str)] = &[
    (GL, "OpenGL's c[0] to c[95], which are the machine's c96 to c191; the usual one of `vp`"),
    (D3D, "Direct3D's c-96 to c95, which are the machine's c0 to c191; the usual one of `d3d`"),
    (HW, "the machine's own c0 to c191; the usual one of `vsh`"),
];

const GL: &str = "gl";
const D3D: &str = "d3d";
const HW: &str = "hw";

/// Offsets that may be added to A0.x where constants are counted as in OpenGL.
pub const OFFSETS: std::ops::RangeInclusive<i64> = -64..=63;

/// Mapping of the numbers of constants in a source to the machine's c0 to c191 (spec sections 1 and 10). [`ConstantMap::Gl`] also
/// counts the inputs of NV_vertex_program's dialect as OpenGL does, where v\[8\] is TEX0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantMap {
    /// OpenGL's c\[0\] to c\[95\], which are the machine's c96 to c191.
    Gl,
    /// Direct3D's c-96 to c95, which are the machine's c0 to c191.
    D3d,
    /// The machine's own c0 to c191.
    Hw,
}

impl ConstantMap {
    /// All of them.
    pub const ALL: [ConstantMap; 3] = [ConstantMap::Gl, ConstantMap::D3d, ConstantMap::Hw];

    /// The name that users give: `gl`, `d3d`, `hw`.
    pub fn name(self) -> &'static str {
        self.numbering().name
    }

    /// The map of a name.
    pub fn find(name: &str) -> Option<ConstantMap> {
        ConstantMap::ALL.into_iter().find(|map| map.name() == name)
    }

    /// Name, offset from a number to the machine's, the least and the greatest number.
    ///
    /// ```
    /// use gpuzoo_nv2a::ConstantMap;
    /// assert_eq!(ConstantMap::D3d.numbering().to_machine(-38), Some(58));
    /// assert_eq!(ConstantMap::Gl.numbering().to_machine(0), Some(96));
    /// assert_eq!(ConstantMap::Hw.numbering().from_machine(192), None);
    /// ```
    pub fn numbering(self) -> Numbering {
        let (name, offset, least) = match self {
            ConstantMap::Gl => (GL, 96, 0),
            ConstantMap::D3d => (D3D, 96, -96),
            ConstantMap::Hw => (HW, 0, 0),
        };
        Numbering { file: C, name, offset, least, greatest: i64::from(CONSTANTS) - 1 - offset }
    }
}

/// Numbering of constants of the source that is read.
pub fn numbering(parser: &Parser) -> Numbering {
    parser.numbering.unwrap_or(ConstantMap::Hw.numbering())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_each_others_inverse() {
        for map in ConstantMap::ALL.map(ConstantMap::numbering) {
            let Numbering { least, greatest, .. } = map;
            for number in least - 3..=greatest + 3 {
                let machine = map.to_machine(number);
                assert_eq!(machine.is_some(), (least..=greatest).contains(&number));
                assert!(machine.is_none_or(|index| map.from_machine(index) == Some(number)));
            }
            assert_eq!(map.to_machine(greatest), Some(191));
            assert_eq!(map.from_machine(192), None);
        }
        assert_eq!(
            ["gl", "d3d", "hw", "HW"].map(ConstantMap::find),
            [Some(ConstantMap::Gl), Some(ConstantMap::D3d), Some(ConstantMap::Hw), None]
        );
        assert_eq!(ConstantMap::Gl.numbering().from_machine(95), None);
        assert_eq!(ConstantMap::D3d.numbering().from_machine(0), Some(-96));
    }
}
