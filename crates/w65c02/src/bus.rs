//! What a CPU is wired to.

/// Where the CPU finds the address that it starts at after a reset.
pub const RESET_VECTOR: u16 = 0xfffc;
/// Where it finds the handler of BRK and of interrupts.
pub const IRQ_VECTOR: u16 = 0xfffe;
/// Where the address of the NMI handler is.
pub const NMI_VECTOR: u16 = 0xfffa;

/// What a CPU is wired to. Every call that has an address is one cycle; only [`read`](Bus::read) and
/// [`write`](Bus::write) must be there, the others tell more about what a cycle is for.
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

    /// Reads a byte of a vector, which the chip tells by its pin VPB.
    fn vector(&mut self, address: u16) -> u8 {
        self.read(address)
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
