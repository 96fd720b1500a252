//! The shader units of PicoGpu.
//!
//! PicoGpu is a small GPU, written as a SystemC model, that draws triangles with vertex and fragment shaders. Its shader
//! unit runs up to 32 threads in lock step, on sixteen vec4 registers each. There are no branches, no memory accesses
//! and no flags: one instruction is one cycle, and a program of I instructions answers I + 1 cycles after its last
//! input. Peculiar about it:
//!
//! - **Programs say what they take and give.** `#input r0.xyz` puts three floats of the vertex buffer into r0. The
//!   declarations become the three dwords of the command that stores the program in a unit; a program's binary is this
//!   command with the program behind it.
//! - **Interpolation is code.** A fragment shader gets the pixel's x and y and the triangle's vertices. The assembler puts
//!   22 to 32 instructions in front of the program that compute its inputs from them, perspective correct. The
//!   disassembler shows them as what they are: comments.
//! - **Registers have no type.** `fadd` and `iadd` work on the same 32 bits; `finit` and `iinit` are one opcode, and the
//!   disassembler has to guess which was written.
//! - **Values are words of their own.** `fadd r0.xyz r1 1.0 2.0` is three dwords; the last value repeats for further
//!   lanes, and none costs a cycle.
//!
//! Its document and its implementation differ in nineteen places. Profile `document` has the document's view; profile
//! `unit` does as the implementation does, bit for bit.
#![forbid(unsafe_code)]

mod encoding;
mod frame;
mod header;
mod lints;
mod lower;
mod meaning;
mod ops;
mod print;
mod profile;
mod program;
mod read;
mod regs;
mod rules;
mod syntax;
mod unit;
mod vectors;

use gpuzoo_diag::Code;
use gpuzoo_isa::{Custom, Isa};
use std::sync::OnceLock;

pub use encoding::MAX_DWORDS;
pub use header::{HeaderError, descriptor, execute};
pub use lints::{check, check_pair};
pub use meaning::{costs, descriptors, lowered};
pub use profile::{DOCUMENT, PROFILES, UNIT};
pub use program::{assemble, body, disassemble, dwords as program_dwords, load, save};
pub use unit::{Execution, MAX_THREADS, Unit, UnitError};
pub use vectors::KINDS;

/// The instruction set.
pub static ISA: Isa = Isa {
    ops: ops::OPS,
    opcode: encoding::OP,
    fields: encoding::FIELDS,
    files: regs::FILES,
    slot_words: 1,
    max_slots: encoding::MAX_DWORDS,
    syntax: syntax::SYNTAX,
    paired_ops: &[],
    address: None,
    custom: Some(Custom {
        encode: encoding::encode,
        decode: encoding::decode,
        is_canonical: encoding::is_canonical,
        print: print::insts,
        meaning: encoding::meaning,
    }),
    index: OnceLock::new(),
};

/// The codes of this machine's own problems.
pub static CODES: &[&Code] = &{
    const RULES: usize = rules::CODES.len();
    let mut all = [rules::CODES[0]; RULES + lints::CODES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < RULES { rules::CODES[at] } else { lints::CODES[at - RULES] };
        at += 1;
    }
    all
};
