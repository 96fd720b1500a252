//! What each opcode does: one arm for each of the 256, those without a meaning included (they are NOPs of fixed length
//! and time).

use super::cpu::{BREAK, Bus, CARRY, Cpu, DECIMAL, MASK, NEGATIVE, ONE, OVERFLOW, State, ZERO};

/// A register as a field of [`Cpu`], so that one function serves A, X and Y.
type Field = fn(&mut Cpu) -> &mut u8;

const A: Field = |cpu| &mut cpu.a;
const X: Field = |cpu| &mut cpu.x;
const Y: Field = |cpu| &mut cpu.y;

impl Cpu {
    #[inline(always)]
    pub(super) fn execute<B: Bus>(&mut self, opcode: u8, bus: &mut B) {
        /// Reads the operand and works on it.
        macro_rules! read {
            ($mode:ident, $operation:ident) => {{
                let at = self.$mode(bus);
                let value = bus.read(at);
                self.$operation(value);
            }};
        }
        macro_rules! load {
            ($mode:ident, $field:ident) => {{
                let at = self.$mode(bus);
                let value = bus.read(at);
                self.set($field, value);
            }};
        }
        macro_rules! compare {
            ($mode:ident, $register:ident) => {{
                let at = self.$mode(bus);
                let value = bus.read(at);
                self.compare(self.$register, value);
            }};
        }
        /// ADC and SBC read once more in decimal mode.
        macro_rules! sum {
            ($mode:ident, $binary:ident, $decimal:ident) => {{
                let at = self.$mode(bus);
                let value = bus.read(at);
                if self.p & DECIMAL == 0 {
                    self.$binary(value);
                } else {
                    bus.dummy(at);
                    self.$decimal(value);
                }
            }};
        }
        macro_rules! store {
            ($mode:ident, $value:expr) => {{
                let at = self.$mode(bus);
                bus.write(at, $value);
            }};
        }
        /// Reads twice, then writes.
        macro_rules! modify {
            ($mode:ident, $operation:ident) => {{
                let at = self.$mode(bus);
                let value = bus.read(at);
                bus.dummy(at);
                let result = self.$operation(value);
                bus.write_back(at, result);
            }};
        }
        /// One byte and two cycles.
        macro_rules! implied {
            ($work:expr) => {{
                bus.dummy(self.pc);
                $work
            }};
        }
        /// RMB and SMB.
        macro_rules! bits {
            ($change:expr) => {{
                let at = self.zero_page(bus);
                let value = bus.read(at);
                bus.dummy(at);
                let bit = 1u8 << (opcode >> 4 & 7);
                let change: fn(u8, u8) -> u8 = $change;
                bus.write_back(at, change(value, bit));
            }};
        }
        /// A NOP that reads.
        macro_rules! skip {
            ($mode:ident) => {{
                let at = self.$mode(bus);
                bus.dummy(at);
            }};
        }

        match opcode {
            0xa9 => load!(immediate, A),
            0xa5 => load!(zero_page, A),
            0xb5 => load!(zero_page_x, A),
            0xad => load!(absolute, A),
            0xbd => load!(absolute_x, A),
            0xb9 => load!(absolute_y, A),
            0xa1 => load!(indirect_x, A),
            0xb1 => load!(indirect_y, A),
            0xb2 => load!(indirect, A),
            0xa2 => load!(immediate, X),
            0xa6 => load!(zero_page, X),
            0xb6 => load!(zero_page_y, X),
            0xae => load!(absolute, X),
            0xbe => load!(absolute_y, X),
            0xa0 => load!(immediate, Y),
            0xa4 => load!(zero_page, Y),
            0xb4 => load!(zero_page_x, Y),
            0xac => load!(absolute, Y),
            0xbc => load!(absolute_x, Y),

            0x85 => store!(zero_page, self.a),
            0x95 => store!(zero_page_x, self.a),
            0x8d => store!(absolute, self.a),
            0x9d => store!(absolute_x_slow, self.a),
            0x99 => store!(absolute_y_slow, self.a),
            0x81 => store!(indirect_x, self.a),
            0x91 => store!(indirect_y_slow, self.a),
            0x92 => store!(indirect, self.a),
            0x86 => store!(zero_page, self.x),
            0x96 => store!(zero_page_y, self.x),
            0x8e => store!(absolute, self.x),
            0x84 => store!(zero_page, self.y),
            0x94 => store!(zero_page_x, self.y),
            0x8c => store!(absolute, self.y),
            0x64 => store!(zero_page, 0),
            0x74 => store!(zero_page_x, 0),
            0x9c => store!(absolute, 0),
            0x9e => store!(absolute_x_slow, 0),

            0x09 => read!(immediate, ora),
            0x05 => read!(zero_page, ora),
            0x15 => read!(zero_page_x, ora),
            0x0d => read!(absolute, ora),
            0x1d => read!(absolute_x, ora),
            0x19 => read!(absolute_y, ora),
            0x01 => read!(indirect_x, ora),
            0x11 => read!(indirect_y, ora),
            0x12 => read!(indirect, ora),
            0x29 => read!(immediate, and),
            0x25 => read!(zero_page, and),
            0x35 => read!(zero_page_x, and),
            0x2d => read!(absolute, and),
            0x3d => read!(absolute_x, and),
            0x39 => read!(absolute_y, and),
            0x21 => read!(indirect_x, and),
            0x31 => read!(indirect_y, and),
            0x32 => read!(indirect, and),
            0x49 => read!(immediate, eor),
            0x45 => read!(zero_page, eor),
            0x55 => read!(zero_page_x, eor),
            0x4d => read!(absolute, eor),
            0x5d => read!(absolute_x, eor),
            0x59 => read!(absolute_y, eor),
            0x41 => read!(indirect_x, eor),
            0x51 => read!(indirect_y, eor),
            0x52 => read!(indirect, eor),

            0x69 => sum!(immediate, adc, adc_decimal),
            0x65 => sum!(zero_page, adc, adc_decimal),
            0x75 => sum!(zero_page_x, adc, adc_decimal),
            0x6d => sum!(absolute, adc, adc_decimal),
            0x7d => sum!(absolute_x, adc, adc_decimal),
            0x79 => sum!(absolute_y, adc, adc_decimal),
            0x61 => sum!(indirect_x, adc, adc_decimal),
            0x71 => sum!(indirect_y, adc, adc_decimal),
            0x72 => sum!(indirect, adc, adc_decimal),
            0xe9 => sum!(immediate, sbc, sbc_decimal),
            0xe5 => sum!(zero_page, sbc, sbc_decimal),
            0xf5 => sum!(zero_page_x, sbc, sbc_decimal),
            0xed => sum!(absolute, sbc, sbc_decimal),
            0xfd => sum!(absolute_x, sbc, sbc_decimal),
            0xf9 => sum!(absolute_y, sbc, sbc_decimal),
            0xe1 => sum!(indirect_x, sbc, sbc_decimal),
            0xf1 => sum!(indirect_y, sbc, sbc_decimal),
            0xf2 => sum!(indirect, sbc, sbc_decimal),

            0xc9 => compare!(immediate, a),
            0xc5 => compare!(zero_page, a),
            0xd5 => compare!(zero_page_x, a),
            0xcd => compare!(absolute, a),
            0xdd => compare!(absolute_x, a),
            0xd9 => compare!(absolute_y, a),
            0xc1 => compare!(indirect_x, a),
            0xd1 => compare!(indirect_y, a),
            0xd2 => compare!(indirect, a),
            0xe0 => compare!(immediate, x),
            0xe4 => compare!(zero_page, x),
            0xec => compare!(absolute, x),
            0xc0 => compare!(immediate, y),
            0xc4 => compare!(zero_page, y),
            0xcc => compare!(absolute, y),

            0x89 => read!(immediate, bit_immediate),
            0x24 => read!(zero_page, bit),
            0x34 => read!(zero_page_x, bit),
            0x2c => read!(absolute, bit),
            0x3c => read!(absolute_x, bit),

            0x06 => modify!(zero_page, asl),
            0x16 => modify!(zero_page_x, asl),
            0x0e => modify!(absolute, asl),
            0x1e => modify!(absolute_x, asl),
            0x46 => modify!(zero_page, lsr),
            0x56 => modify!(zero_page_x, lsr),
            0x4e => modify!(absolute, lsr),
            0x5e => modify!(absolute_x, lsr),
            0x26 => modify!(zero_page, rol),
            0x36 => modify!(zero_page_x, rol),
            0x2e => modify!(absolute, rol),
            0x3e => modify!(absolute_x, rol),
            0x66 => modify!(zero_page, ror),
            0x76 => modify!(zero_page_x, ror),
            0x6e => modify!(absolute, ror),
            0x7e => modify!(absolute_x, ror),
            0xe6 => modify!(zero_page, inc),
            0xf6 => modify!(zero_page_x, inc),
            0xee => modify!(absolute, inc),
            0xfe => modify!(absolute_x_slow, inc),
            0xc6 => modify!(zero_page, dec),
            0xd6 => modify!(zero_page_x, dec),
            0xce => modify!(absolute, dec),
            0xde => modify!(absolute_x_slow, dec),
            0x04 => modify!(zero_page, tsb),
            0x0c => modify!(absolute, tsb),
            0x14 => modify!(zero_page, trb),
            0x1c => modify!(absolute, trb),
            0x07 | 0x17 | 0x27 | 0x37 | 0x47 | 0x57 | 0x67 | 0x77 => bits!(|value, bit| value & !bit),
            0x87 | 0x97 | 0xa7 | 0xb7 | 0xc7 | 0xd7 | 0xe7 | 0xf7 => bits!(|value, bit| value | bit),

            0x0a => implied!(self.a = self.asl(self.a)),
            0x4a => implied!(self.a = self.lsr(self.a)),
            0x2a => implied!(self.a = self.rol(self.a)),
            0x6a => implied!(self.a = self.ror(self.a)),
            0x1a => implied!(self.a = self.inc(self.a)),
            0x3a => implied!(self.a = self.dec(self.a)),
            0xe8 => implied!(self.x = self.inc(self.x)),
            0xca => implied!(self.x = self.dec(self.x)),
            0xc8 => implied!(self.y = self.inc(self.y)),
            0x88 => implied!(self.y = self.dec(self.y)),
            0xaa => implied!(self.set(X, self.a)),
            0x8a => implied!(self.set(A, self.x)),
            0xa8 => implied!(self.set(Y, self.a)),
            0x98 => implied!(self.set(A, self.y)),
            0xba => implied!(self.set(X, self.s)),
            0x9a => implied!(self.s = self.x),
            0x18 => implied!(self.p &= !CARRY),
            0x38 => implied!(self.p |= CARRY),
            0xd8 => implied!(self.p &= !DECIMAL),
            0xf8 => implied!(self.p |= DECIMAL),
            0xb8 => implied!(self.p &= !OVERFLOW),
            0x58 => implied!(self.set_status_late(self.p & !MASK)),
            0x78 => implied!(self.set_status_late(self.p | MASK)),
            0xea => implied!(()),

            0x48 => self.push_register(self.a, bus),
            0xda => self.push_register(self.x, bus),
            0x5a => self.push_register(self.y, bus),
            0x08 => self.push_register(self.p | BREAK | ONE, bus),
            0x68 => {
                let value = self.pull_register(bus);
                self.set(A, value);
            }
            0xfa => {
                let value = self.pull_register(bus);
                self.set(X, value);
            }
            0x7a => {
                let value = self.pull_register(bus);
                self.set(Y, value);
            }
            0x28 => {
                let value = self.pull_register(bus);
                self.set_status_late(value);
            }

            0x10 => self.branch(self.p & NEGATIVE == 0, bus),
            0x30 => self.branch(self.p & NEGATIVE != 0, bus),
            0x50 => self.branch(self.p & OVERFLOW == 0, bus),
            0x70 => self.branch(self.p & OVERFLOW != 0, bus),
            0x90 => self.branch(self.p & CARRY == 0, bus),
            0xb0 => self.branch(self.p & CARRY != 0, bus),
            0xd0 => self.branch(self.p & ZERO == 0, bus),
            0xf0 => self.branch(self.p & ZERO != 0, bus),
            0x80 => self.branch(true, bus),
            0x0f | 0x1f | 0x2f | 0x3f | 0x4f | 0x5f | 0x6f | 0x7f => self.branch_bit(opcode, false, bus),
            0x8f | 0x9f | 0xaf | 0xbf | 0xcf | 0xdf | 0xef | 0xff => self.branch_bit(opcode, true, bus),

            0x4c => self.pc = self.absolute(bus),
            0x6c => self.jump_indirect(0, bus),
            0x7c => self.jump_indirect(self.x, bus),
            0x20 => self.jsr(bus),
            0x60 => self.rts(bus),
            0x40 => self.rti(bus),
            0x00 => self.brk(bus),
            0xcb => self.halt(State::Waiting, bus),
            0xdb => self.halt(State::Stopped, bus),

            0x02 | 0x22 | 0x42 | 0x62 | 0x82 | 0xc2 | 0xe2 => skip!(immediate),
            0x44 => skip!(zero_page),
            0x54 | 0xd4 | 0xf4 => skip!(zero_page_x),
            0xdc | 0xfc => skip!(absolute),
            0x5c => {
                // Eight cycles; as measured, it reads in the top page.
                let at = self.absolute(bus);
                bus.dummy(at | 0xff00);
                (0..4).for_each(|_| bus.dummy(0xffff));
            }
            // Columns 3 and B: one byte, one cycle.
            0x03 | 0x13 | 0x23 | 0x33 | 0x43 | 0x53 | 0x63 | 0x73 | 0x83 | 0x93 | 0xa3 | 0xb3 | 0xc3
            | 0xd3 | 0xe3 | 0xf3 | 0x0b | 0x1b | 0x2b | 0x3b | 0x4b | 0x5b | 0x6b | 0x7b | 0x8b | 0x9b
            | 0xab | 0xbb | 0xeb | 0xfb => {}
        }
    }

    /// WAI and STP: three cycles, then nothing.
    #[inline(always)]
    fn halt<B: Bus>(&mut self, state: State, bus: &mut B) {
        bus.dummy(self.pc);
        bus.dummy(self.pc);
        self.state = state;
        bus.halted();
    }
}

/// Arithmetic and flags.
impl Cpu {
    #[inline(always)]
    fn flag(&mut self, flag: u8, on: bool) {
        self.p = if on { self.p | flag } else { self.p & !flag };
    }

    #[inline(always)]
    fn sign_and_zero(&mut self, value: u8) {
        self.p = (self.p & !(NEGATIVE | ZERO)) | (value & NEGATIVE) | (u8::from(value == 0) << 1);
    }

    #[inline(always)]
    fn set(&mut self, register: Field, value: u8) {
        *register(self) = value;
        self.sign_and_zero(value);
    }

    #[inline(always)]
    fn ora(&mut self, value: u8) {
        self.set(A, self.a | value);
    }

    #[inline(always)]
    fn and(&mut self, value: u8) {
        self.set(A, self.a & value);
    }

    #[inline(always)]
    fn eor(&mut self, value: u8) {
        self.set(A, self.a ^ value);
    }

    #[inline(always)]
    fn bit(&mut self, value: u8) {
        self.p = (self.p & 0x3f) | (value & 0xc0);
        self.bit_immediate(value);
    }

    #[inline(always)]
    fn bit_immediate(&mut self, value: u8) {
        self.flag(ZERO, self.a & value == 0);
    }

    #[inline(always)]
    fn compare(&mut self, register: u8, value: u8) {
        self.flag(CARRY, register >= value);
        self.sign_and_zero(register.wrapping_sub(value));
    }

    #[inline(always)]
    fn carry(&self) -> u16 {
        u16::from(self.p & CARRY)
    }

    #[inline(always)]
    fn adc(&mut self, value: u8) {
        let sum = u16::from(self.a) + u16::from(value) + self.carry();
        self.flag(OVERFLOW, (self.a ^ sum as u8) & (value ^ sum as u8) & 0x80 != 0);
        self.flag(CARRY, sum > 0xff);
        self.set(A, sum as u8);
    }

    #[inline(always)]
    fn sbc(&mut self, value: u8) {
        self.adc(!value);
    }

    #[inline(always)]
    fn adc_decimal(&mut self, value: u8) {
        (self.a, self.p) = decimal_sum(self.a, value, self.p);
    }

    #[inline(always)]
    fn sbc_decimal(&mut self, value: u8) {
        (self.a, self.p) = decimal_difference(self.a, value, self.p);
    }

    #[inline(always)]
    fn shifted(&mut self, carry: bool, result: u8) -> u8 {
        self.flag(CARRY, carry);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    fn asl(&mut self, value: u8) -> u8 {
        self.shifted(value & 0x80 != 0, value << 1)
    }

    #[inline(always)]
    fn lsr(&mut self, value: u8) -> u8 {
        self.shifted(value & 1 != 0, value >> 1)
    }

    #[inline(always)]
    fn rol(&mut self, value: u8) -> u8 {
        let carry = self.p & CARRY;
        self.shifted(value & 0x80 != 0, value << 1 | carry)
    }

    #[inline(always)]
    fn ror(&mut self, value: u8) -> u8 {
        let carry = self.p & CARRY;
        self.shifted(value & 1 != 0, value >> 1 | carry << 7)
    }

    #[inline(always)]
    fn inc(&mut self, value: u8) -> u8 {
        let result = value.wrapping_add(1);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    fn dec(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.sign_and_zero(result);
        result
    }

    #[inline(always)]
    fn tsb(&mut self, value: u8) -> u8 {
        self.bit_immediate(value);
        value | self.a
    }

    #[inline(always)]
    fn trb(&mut self, value: u8) -> u8 {
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
