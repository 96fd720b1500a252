//! The text form of functions: printing with [`Display`](std::fmt::Display), reading with [`parse`].
//!
//! ```text
//! v0 = input 3                        one line for each instruction; the number names its value
//! v1 = const (1.0, -0.0, nan, 0x7)    decimal where that is exact, else the component's bits
//! v2 = uniform 7
//! v3 = uniform[v0.x + 5 < 192]        the uniform at v0.x + 5, zeros from 192 on
//! v4 = fmad v0, v1, v2     @4         comes from machine instruction 4
//! v5 = v4.zzx1                        a swizzle: x y z w of v4, or the constants 0 and 1
//! v6 = v4.xy__ | v2.__wz              two values: each component from one of them
//! v7 = dot4 v5, v6
//! v8 = sample 0, v7                   texture unit 0
//! v9 = kill v8
//! output 0 = v9                       the outputs of the function
//! ```
//!
//! Blank lines are skipped and `;` starts a comment. Numbers of values name them and nothing more: they may leave
//! gaps, so that a line can be deleted or put in by hand. Printing counts from 0 without gaps, and
//! reading what was printed gives an equal function, down to the bits of constants and the unused operands of
//! shuffles.

mod cursor;
mod inst;
mod parse;
mod print;

pub use parse::{MAX_ERRORS, parse};
