//! What each opcode does: one arm for each mnemonic; the table says in which addressing modes.

use crate::arithmetic::{A, X, Y};
use crate::bus::Bus;
use crate::cpu::{Cpu, State};
use crate::status::{BREAK, CARRY, DECIMAL, MASK, NEGATIVE, ONE, OVERFLOW, ZERO};

impl Cpu {
    #[inline(always)]
    pub(crate) fn execute<B: Bus>(&mut self, opcode: u8, bus: &mut B) {
        /// The operand's address.
        #[rustfmt::skip]
        macro_rules! address {
            (Immediate) => { self.immediate(bus) };
            (Zp) => { self.zero_page(bus) };
            (ZpX) => { self.zero_page_x(bus) };
            (ZpY) => { self.zero_page_y(bus) };
            (ZpIndirect) => { self.indirect(bus) };
            (ZpXIndirect) => { self.indirect_x(bus) };
            (ZpIndirectY) => { self.indirect_y(bus) };
            (Abs) => { self.absolute(bus) };
            (AbsX) => { self.absolute_x(bus) };
            (AbsY) => { self.absolute_y(bus) };
        }
        /// The same for what takes the longer time of an index in any case.
        #[rustfmt::skip]
        macro_rules! slow_address {
            (AbsX) => { self.absolute_x_slow(bus) };
            (AbsY) => { self.absolute_y_slow(bus) };
            (ZpIndirectY) => { self.indirect_y_slow(bus) };
            ($mode:ident) => { address!($mode) };
        }
        /// Reads the operand and works on it.
        macro_rules! read {
            ($mode:ident, $operation:ident) => {{
                let at = address!($mode);
                let value = bus.read(at);
                self.$operation(value);
            }};
        }
        macro_rules! load {
            ($mode:ident, $field:ident) => {{
                let at = address!($mode);
                let value = bus.read(at);
                self.set($field, value);
            }};
        }
        macro_rules! compare {
            ($mode:ident, $register:ident) => {{
                let at = address!($mode);
                let value = bus.read(at);
                self.compare(self.$register, value);
            }};
        }
        /// ADC and SBC read once more in decimal mode.
        macro_rules! sum {
            ($mode:ident, $binary:ident, $decimal:ident) => {{
                let at = address!($mode);
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
                let at = slow_address!($mode);
                bus.write(at, $value);
            }};
        }
        /// Reads twice, then writes.
        macro_rules! modify {
            ($at:expr, $operation:ident) => {{
                let at = $at;
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
        macro_rules! pull {
            ($field:ident) => {{
                let value = self.pull_register(bus);
                self.set($field, value);
            }};
        }
        #[rustfmt::skip]
        macro_rules! instruction {
            (lda $mode:ident) => { load!($mode, A) };
            (ldx $mode:ident) => { load!($mode, X) };
            (ldy $mode:ident) => { load!($mode, Y) };
            (sta $mode:ident) => { store!($mode, self.a) };
            (stx $mode:ident) => { store!($mode, self.x) };
            (sty $mode:ident) => { store!($mode, self.y) };
            (stz $mode:ident) => { store!($mode, 0) };

            (ora $mode:ident) => { read!($mode, ora) };
            (and $mode:ident) => { read!($mode, and) };
            (eor $mode:ident) => { read!($mode, eor) };
            (adc $mode:ident) => { sum!($mode, adc, adc_decimal) };
            (sbc $mode:ident) => { sum!($mode, sbc, sbc_decimal) };
            (cmp $mode:ident) => { compare!($mode, a) };
            (cpx $mode:ident) => { compare!($mode, x) };
            (cpy $mode:ident) => { compare!($mode, y) };
            (bit Immediate) => { read!(Immediate, bit_immediate) };
            (bit $mode:ident) => { read!($mode, bit) };

            (asl Accumulator) => { implied!(self.a = self.asl(self.a)) };
            (lsr Accumulator) => { implied!(self.a = self.lsr(self.a)) };
            (rol Accumulator) => { implied!(self.a = self.rol(self.a)) };
            (ror Accumulator) => { implied!(self.a = self.ror(self.a)) };
            (inc Accumulator) => { implied!(self.a = self.inc(self.a)) };
            (dec Accumulator) => { implied!(self.a = self.dec(self.a)) };
            (asl $mode:ident) => { modify!(address!($mode), asl) };
            (lsr $mode:ident) => { modify!(address!($mode), lsr) };
            (rol $mode:ident) => { modify!(address!($mode), rol) };
            (ror $mode:ident) => { modify!(address!($mode), ror) };
            (inc $mode:ident) => { modify!(slow_address!($mode), inc) };
            (dec $mode:ident) => { modify!(slow_address!($mode), dec) };
            (tsb $mode:ident) => { modify!(address!($mode), tsb) };
            (trb $mode:ident) => { modify!(address!($mode), trb) };

            (inx Implied) => { implied!(self.x = self.inc(self.x)) };
            (dex Implied) => { implied!(self.x = self.dec(self.x)) };
            (iny Implied) => { implied!(self.y = self.inc(self.y)) };
            (dey Implied) => { implied!(self.y = self.dec(self.y)) };
            (tax Implied) => { implied!(self.set(X, self.a)) };
            (txa Implied) => { implied!(self.set(A, self.x)) };
            (tay Implied) => { implied!(self.set(Y, self.a)) };
            (tya Implied) => { implied!(self.set(A, self.y)) };
            (tsx Implied) => { implied!(self.set(X, self.s)) };
            (txs Implied) => { implied!(self.s = self.x) };
            (clc Implied) => { implied!(self.p &= !CARRY) };
            (sec Implied) => { implied!(self.p |= CARRY) };
            (cld Implied) => { implied!(self.p &= !DECIMAL) };
            (sed Implied) => { implied!(self.p |= DECIMAL) };
            (clv Implied) => { implied!(self.p &= !OVERFLOW) };
            (cli Implied) => { implied!(self.set_status_late(self.p & !MASK)) };
            (sei Implied) => { implied!(self.set_status_late(self.p | MASK)) };
            (nop Implied) => { implied!(()) };

            (pha Implied) => { self.push_register(self.a, bus) };
            (phx Implied) => { self.push_register(self.x, bus) };
            (phy Implied) => { self.push_register(self.y, bus) };
            (php Implied) => { self.push_register(self.p | BREAK | ONE, bus) };
            (pla Implied) => { pull!(A) };
            (plx Implied) => { pull!(X) };
            (ply Implied) => { pull!(Y) };
            (plp Implied) => {{
                let value = self.pull_register(bus);
                self.set_status_late(value);
            }};

            (bpl Relative) => { self.branch(self.p & NEGATIVE == 0, bus) };
            (bmi Relative) => { self.branch(self.p & NEGATIVE != 0, bus) };
            (bvc Relative) => { self.branch(self.p & OVERFLOW == 0, bus) };
            (bvs Relative) => { self.branch(self.p & OVERFLOW != 0, bus) };
            (bcc Relative) => { self.branch(self.p & CARRY == 0, bus) };
            (bcs Relative) => { self.branch(self.p & CARRY != 0, bus) };
            (bne Relative) => { self.branch(self.p & ZERO == 0, bus) };
            (beq Relative) => { self.branch(self.p & ZERO != 0, bus) };
            (bra Relative) => { self.branch(true, bus) };

            (jmp Abs) => { self.pc = self.absolute(bus) };
            (jmp AbsIndirect) => { self.jump_indirect(0, bus) };
            (jmp AbsXIndirect) => { self.jump_indirect(self.x, bus) };
            (jsr Abs) => { self.jsr(bus) };
            (rts Implied) => { self.rts(bus) };
            (rti Implied) => { self.rti(bus) };
            (brk Implied) => { self.brk(bus) };
            (wai Implied) => { self.halt(State::Waiting, bus) };
            (stp Implied) => { self.halt(State::Stopped, bus) };

            // One byte, one cycle.
            (spare Implied) => { () };
            (spare Abs) => {{
                let at = address!(Abs);
                if opcode == 0x5c {
                    // Eight cycles; as measured, it reads in the top page.
                    bus.dummy(at | 0xff00);
                    (0..4).for_each(|_| bus.dummy(0xffff));
                } else {
                    bus.dummy(at);
                }
            }};
            (spare $mode:ident) => {{
                let at = address!($mode);
                bus.dummy(at);
            }};

            // RMB0 to SMB7, and BBR0 to BBS7. Bit 7 of the opcode tells the halves apart.
            ($bit:ident Zp) => { self.change_bit(opcode, opcode & 0x80 != 0, bus) };
            ($bit:ident ZpRelative) => { self.branch_bit(opcode, opcode & 0x80 != 0, bus) };
        }
        macro_rules! execute {
            ($($code:literal $mnemonic:ident $mode:ident $cycles:literal $(+ $extra:ident)* $flags:literal;)*) => {
                match opcode {
                    $($code => instruction!($mnemonic $mode),)*
                }
            };
        }
        opcodes!(execute);
    }
}
