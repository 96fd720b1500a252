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
    let [word] = choices("index", [words], &mut text);
    // Writing to a string does not fail.
    let _ = writeln!(text, "    return {word};\n}}");
    text
}

/// Writes the choices of one of 2ⁿ words by the lowest n bits of an index, for several tables of the same size. A choice between
/// equal words is left out.
pub(super) fn choices<const N: usize>(index: &str, tables: [&[u32]; N], text: &mut String) -> [String; N] {
    let bits = tables[0].len().ilog2() as usize;
    for bit in 0..bits {
        let _ = writeln!(text, "    let b{bit} = ({index} & {}u) != 0u;", 1 << bit);
    }
    let mut count = 0;
    tables.map(|words| choice(bits, words, &mut count, text))
}

fn choice(bits: usize, words: &[u32], count: &mut usize, text: &mut String) -> String {
    let half = words.len() / 2;
    if bits == 0 || words.iter().all(|word| *word == words[0]) {
        return format!("{:#x}u", words[0]);
    }
    if words[..half] == words[half..] {
        return choice(bits - 1, &words[..half], count, text);
    }
    let [no, yes] = [&words[..half], &words[half..]].map(|words| choice(bits - 1, words, count, text));
    *count += 1;
    let _ = writeln!(text, "    let c{count} = select({no}, {yes}, b{});", bits - 1);
    format!("c{count}")
}
