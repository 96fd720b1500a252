//! The yardstick: the same program as C, in a separate process that measures itself.
//!
//! The process fills its columns as `Data` does, prints a hash of its results, and then answers each
//! line of its standard input, a number of runs, with the nanoseconds that they took.

use std::fmt::Write;

use super::{CHUNK, Case};
use crate::c_kernel;
use gpuzoo_diag::Diagnostic;

/// The options of the yardstick's compiler. The last three change no bit: without the first two of them square roots
/// and choices stay scalar, without the third GCC takes minutes for long kernels.
pub const FLAGS: [&str; 8] = [
    "-std=c11",
    "-O3",
    "-march=native",
    "-mprefer-vector-width=512",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-gcse",
];

/// The yardstick's process.
pub trait Yardstick {
    /// The hash of the results.
    fn hash(&self) -> u64;

    /// Nanoseconds that so many runs take; none if the process is gone.
    fn nanoseconds(&mut self, runs: u64) -> Option<u64>;
}

/// A C program that measures a case over some lanes.
///
/// # Errors
/// `G0235` for a program that C cannot express.
pub fn program(case: &Case, lanes: usize) -> Result<String, Diagnostic> {
    let mut text = "#define _POSIX_C_SOURCE 199309L\n".to_owned();
    text += &c_kernel::kernel(&case.function, "kernel").map_err(|obstacle| obstacle.diagnostic())?;
    let (inputs, outputs) = (case.function.input_count() * 4, case.function.outputs.len() * 4);
    let chunk = lanes.clamp(1, CHUNK);
    let _ = write!(
        text,
        "
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {{ INPUTS = {inputs}, OUTPUTS = {outputs}, UNIFORMS = {uniforms} }};
static const size_t lanes = {lanes}, chunk = {chunk};

static uint32_t value(uint64_t index, uint64_t lane)
{{
    return gz_bits(0.25f + (float)((index * 4 + lane) * 7919 % 4093) / 2048.0f);
}}
",
        uniforms = super::data::UNIFORMS * 4,
    );
    text += "
int main(void)
{
    static float *inputs[INPUTS + 1], *outputs[OUTPUTS + 1], uniforms[UNIFORMS];
    // Columns that begin at the same place of a page would drive each other out of the cache.
    const size_t apart = chunk + 208;
    float *const all = malloc((INPUTS + OUTPUTS) * apart * sizeof *all + 1);
    if (!all)
        return 1;
    for (size_t column = 0; column < INPUTS + OUTPUTS; column++) {
        float *lane = all + column * apart;
        for (size_t i = 0; i < chunk; i++)
            lane[i] = gz_real(column < INPUTS ? value(i, column % 4) + (uint32_t)column : 0);
        *(column < INPUTS ? &inputs[column] : &outputs[column - INPUTS]) = lane;
    }
    for (size_t i = 0; i < UNIFORMS; i++)
        uniforms[i] = gz_real(value(i / 4, i % 4));
    kernel((const float *const *)inputs, uniforms, outputs, chunk);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t column = 0; column < OUTPUTS; column++)
        for (size_t i = 0; i < chunk; i++)
            hash = (hash ^ gz_bits(outputs[column][i])) * UINT64_C(0x100000001b3);
    printf(\"%\" PRIu64 \"\\n\", hash);
    fflush(stdout);
    for (unsigned long long runs; scanf(\"%llu\", &runs) == 1;) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        while (runs-- > 0)
            for (size_t done = 0; done < lanes; done += chunk)
                kernel((const float *const *)inputs, uniforms, outputs, lanes - done < chunk ? lanes - done : chunk);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const uint64_t seconds = (uint64_t)(end.tv_sec - start.tv_sec);
        printf(\"%\" PRIu64 \"\\n\", seconds * 1000000000u + (uint64_t)end.tv_nsec - (uint64_t)start.tv_nsec);
        fflush(stdout);
    }
    return 0;
}
";
    Ok(text)
}
