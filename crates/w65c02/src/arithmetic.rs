//! Arithmetic and flags.

use crate::cpu::Cpu;
use crate::status::{CARRY, NEGATIVE, OVERFLOW, ZERO};

/// A register as a field of [`Cpu`], so that one function serves A, X and Y.
pub(crate) type Field = fn(&mut Cpu) -> &mut u8;

pub(crate) const A: Field = |cpu| &mut cpu.a;
pub(crate) const X: Field = |cpu| &mut cpu.x;
pub(crate) const Y: Field = |cpu| &mut cpu.y;

impl Cpu {
    #[inline(always)]
    pub(crate) fn flag(&mut self, flag: u8, on: bool) {
        self.p = if on { self.p | flag } else { self.p & !flag };
    }

    #[inline(always)]
    pub(crate) fn sign_and_zero(&mut self, value: u8) {
        self.p = (self.p & !(NEGATIVE | ZERO)) | (value & NEGATIVE) | (u8::from(value == 0) << 1);
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, register: Field, value: u8) {
        *register(self) = value;
        self.sign_and_zero(value);
    }

    #[inline(always)]
    pub(crate) fn ora(&mut self, value: u8) {
        self.set(A, self.a | value);
    }

    #[inline(always)]
    pub(crate) fn and(&mut self, value: u8) {
        self.set(A, self.a & value);
    }

    #[inline(always)]
    pub(crate) fn eor(&mut self, value: u8) {
        self.set(A, self.a ^ value);
    }

    #[inline(always)]
    pub(crate) fn bit(&mut self, value: u8) {
        self.p = (self.p & 0x3f) | (value & 0xc0);
        self.bit_immediate(value);
    }

    #[inline(always)]
    pub(crate) fn bit_immediate(&mut self, value: u8) {
        self.flag(ZERO, self.a & value == 0);
    }

    #[inline(always)]
    pub(crate) fn compare(&mut self, register: u8, value: u8) {
        self.flag(CARRY, register >= value);
        self.sign_and_zero(register.wrapping_sub(value));
    }

    #[inline(always)]
    pub(crate) fn carry(&self) -> u16 {
        u16::from(self.p & CARRY)
    }

    #[inline(always)]
    pub(crate) fn adc(&mut self, value: u8) {
        let sum = u16::from(self.a) + u16::from(value) + self.carry();
        self.flag(OVERFLOW, (self.a ^ sum as u8) & (value ^ sum as u8) & 0x80 != 0);
        self.flag(CARRY, sum > 0xff);
        self.set(A, sum as u8);
    }

    #[inline(always)]
    pub(crate) fn sbc(&mut self, value: u8) {
        self.adc(!value);
    }

    #[inline(always)]
    pub(crate) fn adc_decimal(&mut self, value: u8) {
        (self.a, self.p) = decimal_sum(self.a, value, self.p);
    }

    #[inline(always)]
    pub(crate) fn sbc_decimal(&mut self, value: u8) {
        (self.a, self.p) = decimal_difference(self.a, value, self.p);
    }

    #[inline(always)]
    pub(crate) fn shifted(&mut self, carry: bool, result: u8) -> u8 {
        self.flag(CARRY, carry);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    pub(crate) fn asl(&mut self, value: u8) -> u8 {
        self.shifted(value & 0x80 != 0, value << 1)
    }

    #[inline(always)]
    pub(crate) fn lsr(&mut self, value: u8) -> u8 {
        self.shifted(value & 1 != 0, value >> 1)
    }

    #[inline(always)]
    pub(crate) fn rol(&mut self, value: u8) -> u8 {
        let carry = self.p & CARRY;
        self.shifted(value & 0x80 != 0, value << 1 | carry)
    }

    #[inline(always)]
    pub(crate) fn ror(&mut self, value: u8) -> u8 {
        let carry = self.p & CARRY;
        self.shifted(value & 1 != 0, value >> 1 | carry << 7)
    }

    #[inline(always)]
    pub(crate) fn inc(&mut self, value: u8) -> u8 {
        let result = value.wrapping_add(1);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    pub(crate) fn dec(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    pub(crate) fn tsb(&mut self, value: u8) -> u8 {
        self.bit_immediate(value);
        value | self.a
    }

    #[inline(always)]
    pub(crate) fn trb(&mut self, value: u8) -> u8 {
        self.bit_immediate(value);
        value & !self.a
    }
}

/// Each half byte is adjusted by itself, also if it is not a digit. V comes from the sum before the upper half's
/// adjustment. Returns A and P. Apart from [`Cpu`], so that the rest of the instructions stays small.
#[inline(never)]
fn decimal_sum(a: u8, value: u8, p: u8) -> (u8, u8) {
    let low = u16::from(a & 15) + u16::from(value & 15) + u16::from(p & CARRY);
    let low = if low > 9 { ((low + 6) & 15) + 16 } else { low };
    let sum = u16::from(a & 0xf0) + u16::from(value & 0xf0) + low;
    let overflow = (a ^ sum as u8) & (value ^ sum as u8) & 0x80 != 0;
    let sum = if sum > 0x9f { sum + 0x60 } else { sum };
    (sum as u8, flags(p, sum as u8, sum > 0xff, overflow))
}

/// C and V are those of the binary difference.
#[inline(never)]
fn decimal_difference(a: u8, value: u8, p: u8) -> (u8, u8) {
    let borrow = 1 - i16::from(p & CARRY);
    let low = i16::from(a & 15) - i16::from(value & 15) - borrow;
    let binary = i16::from(a) - i16::from(value) - borrow;
    let upper = if binary < 0 { 0x60 } else { 0 };
    let result = binary - upper - if low < 0 { 6 } else { 0 };
    let overflow = (a ^ binary as u8) & (a ^ value) & 0x80 != 0;
    (result as u8, flags(p, result as u8, binary >= 0, overflow))
}

fn flags(p: u8, result: u8, carry: bool, overflow: bool) -> u8 {
    let on = |flag: u8, on: bool| if on { flag } else { 0 };
    (p & !(NEGATIVE | OVERFLOW | ZERO | CARRY))
        | (result & NEGATIVE)
        | on(OVERFLOW, overflow)
        | on(ZERO, result == 0)
        | on(CARRY, carry)
}
