//! A W65C02S, cycle by cycle: every access that the chip makes reaches the [`Bus`], in order, those included whose
//! value it drops.
//!
//! VERA makes this necessary: an access to a data port moves the port, whether or not the CPU wanted the value. The
//! sequence of accesses is that of the data sheet's tables and of measurements of the chip; `tests/cpu.rs` says how it
//! is checked. Interrupts are recognised as the chip does: by the line and the mask before the last cycle of an
//! instruction.

/// What a CPU is wired to. Every call that has an address is one cycle.
pub trait Bus {
    /// A read.
    fn read(&mut self, address: u16) -> u8;

    /// A write.
    fn write(&mut self, address: u16, value: u8);

    /// A read whose value the CPU drops. A device cannot distinguish it from others.
    fn dummy(&mut self, address: u16) {
        self.read(address);
    }

    /// The write that ends a read-modify-write instruction.
    fn write_back(&mut self, address: u16, value: u8) {
        self.write(address, value);
    }

    /// Reads an opcode.
    fn fetch(&mut self, pc: u16) -> u8 {
        self.read(pc)
    }

    /// Called when an interrupt sequence starts, and when RTI ends one.
    fn interrupted(&mut self, _enters: bool) {}

    /// Called when WAI or STP ends the flow of instructions.
    fn halted(&mut self) {}

    /// The interrupt line as it was before the last cycle; true asks for an interrupt.
    fn irq(&self) -> bool {
        false
    }
}

/// Bits of P.
pub const CARRY: u8 = 0x01;
/// Zero.
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

/// Where the CPU finds its handlers.
pub(crate) const RESET_VECTOR: u16 = 0xfffc;
const IRQ_VECTOR: u16 = 0xfffe;

/// What the CPU does between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It runs.
    #[default]
    Running,
    /// After WAI: it waits for an interrupt.
    Waiting,
    /// After STP: only a reset helps.
    Stopped,
}

/// The registers. A program may start with any values; [`Cpu::default`] has those of a Commander X16 after its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Program counter.
    pub pc: u16,
    /// Accumulator.
    pub a: u8,
    /// Index X.
    pub x: u8,
    /// Index Y.
    pub y: u8,
    /// Stack pointer: the next push goes to `$0100 + s`.
    pub s: u8,
    /// Status: [`NEGATIVE`], [`OVERFLOW`], [`ONE`], [`DECIMAL`], [`MASK`], [`ZERO`], [`CARRY`]. B exists on the stack
    /// only.
    pub p: u8,
    /// Running, waiting or stopped.
    pub state: State,
    /// CLI, SEI and PLP change the mask in their last cycle, too late for the interrupt that follows them: the old
    /// mask.
    pub(super) held_mask: Option<u8>,
}

impl Default for Cpu {
    fn default() -> Cpu {
        Cpu { pc: 0, a: 0, x: 0, y: 0, s: 0xff, p: ONE, state: State::Running, held_mask: None }
    }
}

impl Cpu {
    /// Runs one instruction, or an interrupt sequence, or one cycle of waiting.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        if self.state != State::Running {
            self.idle(bus);
            return;
        }
        if bus.irq() && self.held_mask.unwrap_or(self.p) & MASK == 0 {
            self.interrupt(bus);
            return;
        }
        self.instruction(bus);
    }

    /// Runs one instruction without regard to the interrupt line. For a CPU that runs.
    #[inline(always)]
    pub(super) fn instruction<B: Bus>(&mut self, bus: &mut B) {
        self.held_mask = None;
        let opcode = bus.fetch(self.pc);
        self.pc = self.pc.wrapping_add(1);
        self.execute(opcode, bus);
    }

    /// Waits. The line ends it even if interrupts are masked; then the program goes on after WAI.
    fn idle<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc);
        if self.state == State::Waiting && bus.irq() {
            self.state = State::Running;
            bus.dummy(self.pc);
        }
    }

    /// Starts from the reset vector.
    pub fn reset<B: Bus>(&mut self, bus: &mut B) {
        *self = Cpu { p: ONE | MASK, pc: self.pc, ..Cpu::default() };
        bus.dummy(self.pc);
        bus.dummy(self.pc);
        // Three pushes that do not write.
        for _ in 0..3 {
            bus.dummy(self.stack());
            self.s = self.s.wrapping_sub(1);
        }
        self.jump_vector(RESET_VECTOR, bus);
    }

    fn interrupt<B: Bus>(&mut self, bus: &mut B) {
        self.held_mask = None;
        bus.interrupted(true);
        bus.dummy(self.pc);
        bus.dummy(self.pc);
        self.enter(self.p & !BREAK | ONE, bus);
    }

    /// What BRK and an interrupt have in common: the return address and the status go onto the stack.
    #[inline(always)]
    fn enter<B: Bus>(&mut self, status: u8, bus: &mut B) {
        let [low, high] = self.pc.to_le_bytes();
        self.push(high, bus);
        self.push(low, bus);
        self.push(status, bus);
        self.p = (self.p | MASK) & !DECIMAL;
        self.jump_vector(IRQ_VECTOR, bus);
    }

    #[inline(always)]
    fn jump_vector<B: Bus>(&mut self, vector: u16, bus: &mut B) {
        let low = bus.read(vector);
        let high = bus.read(vector + 1);
        self.pc = u16::from_le_bytes([low, high]);
    }

    /// The address of the stack's next free byte.
    #[inline(always)]
    pub(crate) fn stack(&self) -> u16 {
        0x100 | u16::from(self.s)
    }

    #[inline(always)]
    fn push<B: Bus>(&mut self, value: u8, bus: &mut B) {
        bus.write(self.stack(), value);
        self.s = self.s.wrapping_sub(1);
    }

    #[inline(always)]
    fn pull<B: Bus>(&mut self, bus: &mut B) -> u8 {
        self.s = self.s.wrapping_add(1);
        bus.read(self.stack())
    }

    #[inline(always)]
    pub(super) fn operand<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let value = bus.read(self.pc);
        self.pc = self.pc.wrapping_add(1);
        value
    }

    /// The last byte of the instruction once more: what the chip reads while it adds.
    #[inline(always)]
    fn linger<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc.wrapping_sub(1));
    }
}

/// Addressing modes: each reads what it needs and returns the operand's address.
impl Cpu {
    #[inline(always)]
    pub(super) fn immediate<B: Bus>(&mut self, _: &mut B) -> u16 {
        let at = self.pc;
        self.pc = at.wrapping_add(1);
        at
    }

    #[inline(always)]
    pub(super) fn zero_page<B: Bus>(&mut self, bus: &mut B) -> u16 {
        u16::from(self.operand(bus))
    }

    #[inline(always)]
    pub(super) fn zero_page_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let base = self.operand(bus);
        self.linger(bus);
        u16::from(base.wrapping_add(self.x))
    }

    #[inline(always)]
    pub(super) fn zero_page_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let base = self.operand(bus);
        self.linger(bus);
        u16::from(base.wrapping_add(self.y))
    }

    #[inline(always)]
    pub(super) fn absolute<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.operand(bus);
        let high = self.operand(bus);
        u16::from_le_bytes([low, high])
    }

    /// An index costs a cycle where it crosses a page. `always`: also where it does not, and then the operand's own
    /// address is read, so a store with an index touches a VERA register twice.
    #[inline(always)]
    fn indexed<B: Bus>(&mut self, index: u8, always: bool, bus: &mut B) -> u16 {
        let base = self.absolute(bus);
        let at = base.wrapping_add(u16::from(index));
        if (base ^ at) & 0xff00 != 0 {
            self.linger(bus);
        } else if always {
            bus.dummy(at);
        }
        at
    }

    #[inline(always)]
    pub(super) fn absolute_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.x, false, bus)
    }

    #[inline(always)]
    pub(super) fn absolute_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.y, false, bus)
    }

    #[inline(always)]
    pub(super) fn absolute_x_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.x, true, bus)
    }

    #[inline(always)]
    pub(super) fn absolute_y_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.y, true, bus)
    }

    /// A pointer in the zero page; it wraps there.
    #[inline(always)]
    fn pointer<B: Bus>(&mut self, at: u8, bus: &mut B) -> u16 {
        let low = bus.read(u16::from(at));
        let high = bus.read(u16::from(at.wrapping_add(1)));
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    pub(super) fn indirect<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let at = self.operand(bus);
        self.pointer(at, bus)
    }

    #[inline(always)]
    pub(super) fn indirect_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let at = self.operand(bus).wrapping_add(self.x);
        self.linger(bus);
        self.pointer(at, bus)
    }

    #[inline(always)]
    fn indirect_indexed<B: Bus>(&mut self, always: bool, bus: &mut B) -> u16 {
        let pointer = self.operand(bus);
        let base = self.pointer(pointer, bus);
        let at = base.wrapping_add(u16::from(self.y));
        if always || (base ^ at) & 0xff00 != 0 {
            bus.dummy(u16::from(pointer.wrapping_add(1)));
        }
        at
    }

    #[inline(always)]
    pub(super) fn indirect_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indirect_indexed(false, bus)
    }

    #[inline(always)]
    pub(super) fn indirect_y_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indirect_indexed(true, bus)
    }
}

/// Instructions that change the flow of the program, or use the stack.
impl Cpu {
    #[inline(always)]
    pub(super) fn branch<B: Bus>(&mut self, taken: bool, bus: &mut B) {
        let offset = self.operand(bus) as i8;
        if taken {
            let target = self.pc.wrapping_add_signed(i16::from(offset));
            bus.dummy(self.pc);
            if (self.pc ^ target) & 0xff00 != 0 {
                bus.dummy(self.pc);
            }
            self.pc = target;
        }
    }

    /// BBR and BBS: `set` is the state of the bit that branches.
    #[inline(always)]
    pub(super) fn branch_bit<B: Bus>(&mut self, opcode: u8, set: bool, bus: &mut B) {
        let at = self.zero_page(bus);
        let value = bus.read(at);
        bus.dummy(at);
        self.branch((value >> (opcode >> 4 & 7) & 1 != 0) == set, bus);
    }

    #[inline(always)]
    pub(super) fn brk<B: Bus>(&mut self, bus: &mut B) {
        self.operand(bus);
        self.enter(self.p | BREAK | ONE, bus);
    }

    #[inline(always)]
    pub(super) fn jsr<B: Bus>(&mut self, bus: &mut B) {
        let low = self.operand(bus);
        bus.dummy(self.stack());
        let [back_low, back_high] = self.pc.to_le_bytes();
        self.push(back_high, bus);
        self.push(back_low, bus);
        let high = bus.read(self.pc);
        self.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(super) fn rts<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc);
        bus.dummy(self.stack());
        let low = self.pull(bus);
        let high = self.pull(bus);
        let back = u16::from_le_bytes([low, high]);
        bus.dummy(back);
        self.pc = back.wrapping_add(1);
    }

    #[inline(always)]
    pub(super) fn rti<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc);
        bus.dummy(self.stack());
        self.p = self.pull(bus) & !BREAK | ONE;
        let low = self.pull(bus);
        let high = self.pull(bus);
        self.pc = u16::from_le_bytes([low, high]);
        bus.interrupted(false);
    }

    /// JMP through a pointer at an address plus `index`.
    #[inline(always)]
    pub(super) fn jump_indirect<B: Bus>(&mut self, index: u8, bus: &mut B) {
        let at = self.absolute(bus).wrapping_add(u16::from(index));
        self.linger(bus);
        let low = bus.read(at);
        let high = bus.read(at.wrapping_add(1));
        self.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(super) fn push_register<B: Bus>(&mut self, value: u8, bus: &mut B) {
        bus.dummy(self.pc);
        self.push(value, bus);
    }

    #[inline(always)]
    pub(super) fn pull_register<B: Bus>(&mut self, bus: &mut B) -> u8 {
        bus.dummy(self.pc);
        bus.dummy(self.stack());
        self.pull(bus)
    }

    /// Sets P in a way that the interrupt logic sees one instruction late.
    #[inline(always)]
    pub(super) fn set_status_late(&mut self, value: u8) {
        self.held_mask = Some(self.p);
        self.p = value & !BREAK | ONE;
    }
}
