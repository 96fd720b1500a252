//! The tables of the truncating unit as functions in WGSL.
//!
//! GPUs would keep an array that is indexed by a value in memory, each lane its own. A tree of choices is faster, and
//! packed into words the tables are small.

use gpuzoo_ir::arith::tables::{EXP_BASE, EXP_SLOPE, LOG_BASE, LOG_SLOPE, RCP_SEED, RSQ_SEED};
use std::fmt::Write;

/// A function for each table; a word's place is in the lowest bits of its argument, others do not matter.
pub(super) fn texts() -> String {
    let seeds = |seeds: &[u32]| -> Vec<u32> {
        seeds.chunks(4).map(|four| four.iter().rev().fold(0, |word, seed| word << 8 | seed)).collect()
    };
    let pieces = |bases: &[u32], slopes: &[u32], shift: u32| -> Vec<u32> {
        bases.iter().zip(slopes).map(|(base, slope)| base << shift | slope).collect()
    };
    // The exponent's bias is odd: where its lowest bit is 0, the number is from 2 to 4 times a power of 4.
    let (one, two) = RSQ_SEED.split_at(64);
    [
        tree("rcp_seeds", &seeds(&RCP_SEED)),
        tree("rsq_seeds", &seeds(&[two, one].concat())),
        tree("exp_pieces", &pieces(&EXP_BASE, &EXP_SLOPE, 16)),
        tree("log_pieces", &pieces(&LOG_BASE, &LOG_SLOPE, 14)),
    ]
    .concat()
}

/// A function that picks one of 2ⁿ words by the lowest n bits of its argument.
fn tree(name: &str, words: &[u32]) -> String {
    let mut text = format!("fn {name}(index: u32) -> u32 {{\n");
    let mut level: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
    let mut bit = 0;
    // Writing to a string does not fail.
    while level.len() > 1 {
        let _ = writeln!(text, "    let bit{bit} = (index & {}u) != 0u;", 1 << bit);
        for (place, pair) in level.chunks(2).enumerate() {
            let (first, second) = (&pair[0], pair.last().unwrap_or(&pair[0]));
            let _ = writeln!(text, "    let w{bit}_{place} = select({first}, {second}, bit{bit});");
        }
        level = (0..level.len().div_ceil(2)).map(|place| format!("w{bit}_{place}")).collect();
        bit += 1;
    }
    let _ = writeln!(text, "    return {};\n}}", level.first().map_or("0u", |word| word));
    text
}
