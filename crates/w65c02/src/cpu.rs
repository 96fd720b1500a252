//! The registers, steps, interrupts, and the instructions that change the flow of the program or use the stack.
//!
//! Interrupts are recognised as the chip does: by the line and the mask before the last cycle of an instruction.

use crate::bus::{Bus, IRQ_VECTOR, NMI_VECTOR, RESET_VECTOR};
use crate::status::{BREAK, DECIMAL, MASK, ONE};

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

/// The registers. A program may start with any values; in [`Cpu::default`] all are zero but the stack pointer, which is
/// at the top.
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
    /// Status, the bits of [`status`](crate::status). B exists on the stack only.
    pub p: u8,
    /// Running, waiting or stopped.
    pub state: State,
    /// CLI, SEI and PLP change the mask in their last cycle, too late for the interrupt that follows them: the old
    /// mask.
    held_mask: Option<u8>,
}

impl Default for Cpu {
    fn default() -> Cpu {
        Cpu { pc: 0, a: 0, x: 0, y: 0, s: 0xff, p: ONE, state: State::Running, held_mask: None }
    }
}

impl Cpu {
    /// A CPU that is about to run what is at an address, with interrupts allowed.
    pub fn at(pc: u16) -> Cpu {
        Cpu { pc, ..Cpu::default() }
    }

    /// Bytes that hold all of a CPU.
    pub const BYTES: usize = 10;

    /// All of it, for one who stores it.
    ///
    /// ```
    /// use gpuzoo_65c02::Cpu;
    /// let cpu = Cpu::at(0x0801);
    /// assert_eq!(Cpu::from_bytes(cpu.to_bytes()), Some(cpu));
    /// assert_eq!(Cpu::from_bytes([0xff; Cpu::BYTES]), None);
    /// ```
    pub fn to_bytes(self) -> [u8; Cpu::BYTES] {
        let Cpu { pc, a, x, y, s, p, state, held_mask } = self;
        let [low, high] = pc.to_le_bytes();
        let state = match state {
            State::Running => 0,
            State::Waiting => 1,
            State::Stopped => 2,
        };
        [low, high, a, x, y, s, p, state, u8::from(held_mask.is_some()), held_mask.unwrap_or(0)]
    }

    /// The CPU of [`to_bytes`](Cpu::to_bytes); nothing for bytes that are none's.
    pub fn from_bytes(bytes: [u8; Cpu::BYTES]) -> Option<Cpu> {
        let [low, high, a, x, y, s, p, state, holds, mask] = bytes;
        let state = match state {
            0 => State::Running,
            1 => State::Waiting,
            2 => State::Stopped,
            _ => return None,
        };
        let held_mask = match (holds, mask) {
            (0, 0) => None,
            (1, mask) => Some(mask),
            _ => return None,
        };
        Some(Cpu { pc: u16::from_le_bytes([low, high]), a, x, y, s, p, state, held_mask })
    }

    /// Runs one instruction, or an interrupt sequence, or one cycle of waiting.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        if self.state != State::Running {
            self.idle(bus);
            return;
        }
        if bus.irq() && self.held_mask.unwrap_or(self.p) & MASK == 0 {
            self.interrupt(IRQ_VECTOR, bus);
            return;
        }
        self.instruction(bus);
    }

    /// Runs one instruction without regard to the interrupt line, for a bus that knows that there is no request. The CPU
    /// must be running.
    #[inline(always)]
    pub fn instruction<B: Bus>(&mut self, bus: &mut B) {
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

    /// Starts from the reset vector. The registers are as at power-on here, A, X and Y zero, where the data sheet leaves
    /// them open.
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

    /// Enters the handler of NMI, which nothing masks and which ends WAI, in seven cycles: an edge of that pin between two
    /// instructions. A CPU that has stopped goes on with no interrupt.
    pub fn nmi<B: Bus>(&mut self, bus: &mut B) {
        if self.state == State::Stopped {
            return;
        }
        self.state = State::Running;
        self.interrupt(NMI_VECTOR, bus);
    }

    fn interrupt<B: Bus>(&mut self, vector: u16, bus: &mut B) {
        self.held_mask = None;
        bus.interrupted(true);
        bus.dummy(self.pc);
        bus.dummy(self.pc);
        self.enter(self.p & !BREAK | ONE, vector, bus);
    }

    /// What BRK and an interrupt have in common: the return address and the status go onto the stack.
    #[inline(always)]
    fn enter<B: Bus>(&mut self, status: u8, vector: u16, bus: &mut B) {
        let [low, high] = self.pc.to_le_bytes();
        self.push(high, bus);
        self.push(low, bus);
        self.push(status, bus);
        self.p = (self.p | MASK) & !DECIMAL;
        self.jump_vector(vector, bus);
    }

    #[inline(always)]
    fn jump_vector<B: Bus>(&mut self, vector: u16, bus: &mut B) {
        let low = bus.vector(vector);
        let high = bus.vector(vector + 1);
        self.pc = u16::from_le_bytes([low, high]);
    }

    /// The address of the stack's next free byte.
    #[inline(always)]
    pub fn stack(&self) -> u16 {
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
    pub(crate) fn operand<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let value = bus.read(self.pc);
        self.pc = self.pc.wrapping_add(1);
        value
    }

    /// The last byte of the instruction once more: what the chip reads while it adds.
    #[inline(always)]
    pub(crate) fn linger<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc.wrapping_sub(1));
    }
}

/// Instructions that change the flow of the program, or use the stack.
impl Cpu {
    #[inline(always)]
    pub(crate) fn branch<B: Bus>(&mut self, taken: bool, bus: &mut B) {
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

    /// The bit that RMB, SMB, BBR and BBS are about.
    #[inline(always)]
    fn bit_of(opcode: u8) -> u8 {
        1 << (opcode >> 4 & 7)
    }

    /// RMB and SMB.
    #[inline(always)]
    pub(crate) fn change_bit<B: Bus>(&mut self, opcode: u8, set: bool, bus: &mut B) {
        let at = self.zero_page(bus);
        let value = bus.read(at);
        bus.dummy(at);
        let bit = Self::bit_of(opcode);
        bus.write_back(at, if set { value | bit } else { value & !bit });
    }

    /// BBR and BBS: `set` is the state of the bit that branches.
    #[inline(always)]
    pub(crate) fn branch_bit<B: Bus>(&mut self, opcode: u8, set: bool, bus: &mut B) {
        let at = self.zero_page(bus);
        let value = bus.read(at);
        bus.dummy(at);
        self.branch((value & Self::bit_of(opcode) != 0) == set, bus);
    }

    #[inline(always)]
    pub(crate) fn brk<B: Bus>(&mut self, bus: &mut B) {
        self.operand(bus);
        self.enter(self.p | BREAK | ONE, IRQ_VECTOR, bus);
    }

    #[inline(always)]
    pub(crate) fn jsr<B: Bus>(&mut self, bus: &mut B) {
        let low = self.operand(bus);
        bus.dummy(self.stack());
        let [back_low, back_high] = self.pc.to_le_bytes();
        self.push(back_high, bus);
        self.push(back_low, bus);
        let high = bus.read(self.pc);
        self.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(crate) fn rts<B: Bus>(&mut self, bus: &mut B) {
        bus.dummy(self.pc);
        bus.dummy(self.stack());
        let low = self.pull(bus);
        let high = self.pull(bus);
        let back = u16::from_le_bytes([low, high]);
        bus.dummy(back);
        self.pc = back.wrapping_add(1);
    }

    #[inline(always)]
    pub(crate) fn rti<B: Bus>(&mut self, bus: &mut B) {
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
    pub(crate) fn jump_indirect<B: Bus>(&mut self, index: u8, bus: &mut B) {
        let at = self.absolute(bus).wrapping_add(u16::from(index));
        self.linger(bus);
        let low = bus.read(at);
        let high = bus.read(at.wrapping_add(1));
        self.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(crate) fn push_register<B: Bus>(&mut self, value: u8, bus: &mut B) {
        bus.dummy(self.pc);
        self.push(value, bus);
    }

    #[inline(always)]
    pub(crate) fn pull_register<B: Bus>(&mut self, bus: &mut B) -> u8 {
        bus.dummy(self.pc);
        bus.dummy(self.stack());
        self.pull(bus)
    }

    /// Sets P in a way that the interrupt logic sees one instruction late.
    #[inline(always)]
    pub(crate) fn set_status_late(&mut self, value: u8) {
        self.held_mask = Some(self.p);
        self.p = value & !BREAK | ONE;
    }

    /// WAI and STP: three cycles, then nothing.
    #[inline(always)]
    pub(crate) fn halt<B: Bus>(&mut self, state: State, bus: &mut B) {
        bus.dummy(self.pc);
        bus.dummy(self.pc);
        self.state = state;
        bus.halted();
    }
}

gpuzoo_stored::stored_as! { Cpu: [u8; Cpu::BYTES], |cpu: &Cpu| cpu.to_bytes(), Cpu::from_bytes; }
