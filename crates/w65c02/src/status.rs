//! The bits of the status register P.

/// Carry; for subtraction, no borrow.
pub const CARRY: u8 = 0x01;
/// The result was zero.
pub const ZERO: u8 = 0x02;
/// Interrupts are masked.
pub const MASK: u8 = 0x04;
/// Decimal mode.
pub const DECIMAL: u8 = 0x08;
/// Set in what BRK and PHP push.
pub const BREAK: u8 = 0x10;
/// Always 1.
pub const ONE: u8 = 0x20;
/// Signed overflow.
pub const OVERFLOW: u8 = 0x40;
/// Sign.
pub const NEGATIVE: u8 = 0x80;
