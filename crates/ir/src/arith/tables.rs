//! Tables of a vertex unit that truncates: where its reciprocals begin and what its powers and logarithms are made of.
//!
//! They are properties of that hardware, found on it by the envytools project (`nvhw/xf.c`); no formula is known that
//! gives every entry.

/// First guesses of 1 / m, in units of 2⁻⁷, by the highest 6 bits of m's fraction.
#[rustfmt::skip]
pub const RCP_SEED: [u32; 64] = [
    127, 125, 123, 121, 120, 118, 116, 115, 113, 111, 110, 109, 107, 106, 104, 103,
    102, 101, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86,
    85, 84, 83, 82, 82, 81, 80, 79, 78, 78, 77, 76, 76, 75, 74, 73,
    73, 72, 72, 71, 70, 70, 69, 69, 68, 67, 67, 66, 66, 65, 65, 64,
];

/// First guesses of 1 / √m, in units of 2⁻⁷, by the highest 6 bits of m's fraction: for m from 1 to 2, then
/// from 2 to 4.
#[rustfmt::skip]
pub const RSQ_SEED: [u32; 128] = [
    127, 127, 126, 125, 124, 123, 122, 121, 120, 119, 119, 118, 117, 116, 116, 115,
    114, 113, 113, 112, 111, 111, 110, 109, 109, 108, 108, 107, 106, 106, 105, 105,
    104, 104, 103, 103, 102, 102, 101, 101, 100, 100, 99, 99, 98, 98, 97, 97,
    97, 96, 96, 95, 95, 94, 94, 94, 93, 93, 93, 92, 92, 91, 91, 91,
    90, 89, 89, 88, 87, 87, 86, 86, 85, 84, 84, 83, 83, 82, 82, 81,
    81, 80, 80, 79, 79, 78, 78, 77, 77, 77, 76, 76, 75, 75, 74, 74,
    74, 73, 73, 73, 72, 72, 72, 71, 71, 70, 70, 70, 70, 69, 69, 69,
    68, 68, 68, 67, 67, 67, 67, 66, 66, 66, 65, 65, 65, 65, 64, 64,
];

/// (2ˣ - 1) at the start of each 32nd part of 0 to 1, in units of 2⁻¹⁴.
#[rustfmt::skip]
pub const EXP_BASE: [u32; 32] = [
    0, 359, 725, 1100, 1483, 1874, 2274, 2683, 3100, 3527, 3963, 4408, 4863, 5329, 5804, 6290,
    6787, 7294, 7812, 8342, 8884, 9437, 10002, 10580, 11171, 11774, 12391, 13020, 13665, 14322, 14995, 15684,
];

/// How much 2ˣ rises from there to the next 32nd part, in units of 2⁻¹⁴.
#[rustfmt::skip]
pub const EXP_SLOPE: [u32; 32] = [
    359, 366, 375, 383, 391, 400, 409, 417, 427, 436, 445, 455, 466, 475, 486, 497,
    507, 518, 530, 542, 553, 565, 578, 591, 603, 617, 629, 645, 657, 673, 689, 699,
];

/// log₂ m at the start of each 32nd part of 1 to 2, in units of 2⁻¹⁸.
#[rustfmt::skip]
pub const LOG_BASE: [u32; 32] = [
    0, 11702, 22973, 33939, 44589, 54950, 65056, 74856, 84430, 93767, 102879, 111777, 120470, 128969, 137279, 145412,
    153374, 161170, 168811, 176299, 183642, 190844, 197914, 204853, 211667, 218359, 224937, 231401, 237757, 244008, 250155, 256213,
];

/// How much log₂ m rises from there to the next 32nd part, in units of 2⁻¹⁸.
#[rustfmt::skip]
pub const LOG_SLOPE: [u32; 32] = [
    11702, 11271, 10966, 10650, 10361, 10106, 9800, 9574, 9337, 9112, 8898, 8693, 8499, 8310, 8133, 7962,
    7796, 7641, 7488, 7343, 7202, 7070, 6939, 6814, 6692, 6578, 6464, 6356, 6251, 6147, 6058, 5930,
];

/// A table to [`pick`](super::Wide::pick) from by 7 bits: entry `first` comes first, and the whole is repeated until
/// there are 128, so that higher bits than the table needs do not matter.
pub(super) const fn look_up(table: &[u32], first: usize) -> [f64; 128] {
    let mut entries = [0.0; 128];
    let mut index = 0;
    while index < 128 {
        entries[index] = table[(first + index) % table.len()] as f64;
        index += 1;
    }
    entries
}
