//! Methods of the 3D class: which of them a vertex program's results depend on.
//!
//! Addresses are those of envytools and xemu (`nv2a_regs.h`). The matrices and planes of the fixed pipeline lie in the
//! memory of the
//! constants, c0 to c95 (envytools, `docs/hw/graph/xf`): a program that reaches these sees what the methods wrote, and
//! a constant
//! that is loaded there replaces a matrix.

use super::vertices::is_setter;
use std::ops::Range;

/// Words of the program and of constants...
pub const PROGRAM: Range<u32> = 0x0b00..0x0b80;
pub const CONSTANT: Range<u32> = 0x0b80..0x0c00;
/// ... the format of an attribute of vertex arrays ...
pub const ARRAY_FORMAT: Range<u32> = 0x1760..0x17a0;
/// ... the begin of a draw, with a kind of primitive, and its end, with 0 ...
pub const BEGIN_END: u32 = 0x17fc;
/// ... vertices of arrays in memory, and without an address ...
pub const ELEMENTS: [u32; 3] = [0x1800, 0x1808, 0x1810];
pub const INLINE_ARRAY: u32 = 0x1818;
/// ... the launch data of state programs, and a launch at a slot ...
pub const LAUNCH_DATA: Range<u32> = 0x1e80..0x1e90;
pub const LAUNCH: u32 = 0x1e90;
/// ... what vertices go through, and whether programs write constants ...
pub const EXECUTION: u32 = 0x1e94;
pub const WRITE_ENABLE: u32 = 0x1e98;
/// ... and where the next slot goes, where the program starts, and where the next constant goes.
pub const PROGRAM_LOAD: u32 = 0x1e9c;
pub const PROGRAM_START: u32 = 0x1ea0;
pub const CONSTANT_LOAD: u32 = 0x1ea4;

/// The position as three 16-bit integers, of which no source says what w becomes.
const SHORT_POSITION: Range<u32> = 0x1510..0x1518;

/// The class has methods below this one.
pub const END: u32 = 0x2000;

/// Methods that write constants: the first, how many words, and the constant that gets the first four.
#[rustfmt::skip]
static MATRICES: &[(u32, u32, u16)] = &[
    // Projection; modelview, inverse modelview (three rows) and texture matrices; composite; planes of texture
    // coordinates.
    (0x0440, 16, 0x04),
    (0x0480, 16, 0x08), (0x04c0, 16, 0x10), (0x0500, 16, 0x18), (0x0540, 16, 0x20),
    (0x0580, 12, 0x0c), (0x05c0, 12, 0x14), (0x0600, 12, 0x1c), (0x0640, 12, 0x24),
    (0x0680, 16, 0x00),
    (0x06c0, 16, 0x44), (0x0700, 16, 0x4c), (0x0740, 16, 0x54), (0x0780, 16, 0x5c),
    (0x0840, 16, 0x40), (0x0880, 16, 0x48), (0x08c0, 16, 0x50), (0x0900, 16, 0x58),
    // The fog's plane, the viewport's offset and scale, the eye.
    (0x09d0, 4, 0x39), (0x0a20, 4, 0x3b), (0x0af0, 4, 0x3a), (0x0a50, 4, 0x38),
];

/// Methods of which the results of vertex programs do not depend: surfaces, raster state, textures, combiners, and the
/// fixed pipeline's
/// lights, materials and modes.
#[rustfmt::skip]
static WITHOUT_EFFECT: &[Range<u32>] = &[
    // The object, synchronization, and where memory is.
    0x0000..0x0004, 0x0100..0x0134, 0x0180..0x01ac,
    // Surfaces; combiners; lights and materials; enables, blending, depth, stencil, culling; fixed texture coordinates.
    0x0200..0x0218, 0x0260..0x0280, 0x0288..0x02ac, 0x02b4..0x02b8, 0x02c0..0x0430, 0x043c..0x0440,
    // The fourth rows of inverse matrices.
    0x05b0..0x05c0, 0x05f0..0x0600, 0x0630..0x0640, 0x0670..0x0680,
    // Fog, powers of lights, ambient light, points; combiners.
    0x09c0..0x09d0, 0x09e0..0x0a00, 0x0a10..0x0a1c, 0x0a30..0x0a50, 0x0a60..0x0af0,
    // Lights, polygon stipple.
    0x0c00..0x0e00, 0x1000..0x1400, 0x147c..0x1500,
    // Edge flags; addresses of arrays; back materials, logic operations, reports, the eye's direction, clip planes.
    0x16bc..0x16c0, 0x1720..0x1760, 0x17a0..0x17d4, 0x17e0..0x17ec, 0x17f8..0x17fc, 0x181c..0x1828,
    // Textures; semaphores, depth range, clearing; combiners and texture programs.
    0x1b00..0x1c00, 0x1d6c..0x1da0, 0x1e20..0x1e7c,
];

/// The effect of a method on the results of vertex programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is read.
    Read,
    /// It writes a word of a constant: its number, and the component.
    Constant(u16, usize),
    /// None.
    Nothing,
    /// It has one, which is not modelled.
    NotModelled,
    /// None of the sources names the method.
    Unknown,
}

/// The effect of a method.
pub fn effect(method: u32) -> Effect {
    let constant = MATRICES.iter().find(|(first, words, _)| method.wrapping_sub(*first) < 4 * words);
    if let Some((first, _, constant)) = constant {
        let word = (method - first) / 4;
        return Effect::Constant(constant + (word / 4) as u16, (word % 4) as usize);
    }
    match method {
        BEGIN_END | INLINE_ARRAY | LAUNCH | EXECUTION | WRITE_ENABLE => Effect::Read,
        PROGRAM_LOAD | PROGRAM_START | CONSTANT_LOAD => Effect::Read,
        _ if [PROGRAM, CONSTANT, ARRAY_FORMAT, LAUNCH_DATA].iter().any(|range| range.contains(&method)) => {
            Effect::Read
        }
        _ if ELEMENTS.contains(&method) || is_setter(method) => Effect::Read,
        _ if SHORT_POSITION.contains(&method) => Effect::NotModelled,
        _ if WITHOUT_EFFECT.iter().any(|range| range.contains(&method)) => Effect::Nothing,
        _ => Effect::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method has one effect, whichever table has it.
    #[test]
    fn tables_do_not_overlap() {
        for method in (0..END).step_by(4) {
            let matrices =
                MATRICES.iter().filter(|(first, words, _)| method.wrapping_sub(*first) < 4 * words);
            let without = WITHOUT_EFFECT.iter().filter(|range| range.contains(&method));
            let others =
                usize::from(effect(method) == Effect::Read) + usize::from(SHORT_POSITION.contains(&method));
            assert!(matrices.count() + without.count() + others <= 1, "{method:#x}");
        }
    }

    /// envytools' places of what the fixed pipeline keeps among the constants.
    #[test]
    fn matrices_are_constants() {
        for (method, constant, component) in [
            (0x440, 4, 0),
            (0x4bc, 11, 3),
            (0x540, 32, 0),
            (0x5ac, 14, 3),
            (0x680, 0, 0),
            (0x78c, 0x5c, 3),
            (0x79c, 0x5d, 3),
            (0x7bc, 95, 3),
            (0x84c, 0x40, 3),
            (0x9d4, 57, 1),
            (0xa20, 59, 0),
            (0xa58, 56, 2),
            (0xafc, 58, 3),
        ] {
            assert_eq!(effect(method), Effect::Constant(constant, component), "{method:#x}");
        }
    }

    #[test]
    fn effects_of_some_methods() {
        for (method, expected) in [
            (0x1e90, Effect::Read),
            (0x1e8c, Effect::Read),
            (0x1510, Effect::NotModelled),
            (0x0304, Effect::Nothing),
            (0x1b04, Effect::Nothing),
            (0x1fb4, Effect::Unknown),
            (0x0a00, Effect::Unknown),
            (u32::MAX, Effect::Unknown),
        ] {
            assert_eq!(effect(method), expected, "{method:#x}");
        }
    }
}
