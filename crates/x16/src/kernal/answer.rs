//! Answers of stand-ins: the CPU's flags, and the end of a run that calls what is not there.

use super::rom;
use crate::board::bus::Bus;
use crate::ending::Ending;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, NEGATIVE, ZERO};

/// N and Z as loading a value sets them.
pub(super) fn set_nz(cpu: &mut Cpu, value: u8) {
    cpu.p = cpu.p & !(NEGATIVE | ZERO) | value & NEGATIVE | if value == 0 { ZERO } else { 0 };
}

pub(super) fn set_carry(cpu: &mut Cpu, carry: bool) {
    cpu.p = cpu.p & !CARRY | u8::from(carry);
}

/// The end of a run that calls what is not there.
pub(super) fn missing(address: u16, caller: u16, bus: &mut Bus) {
    bus.end(Ending::RomCall { address: rom::entry(address), pc: caller });
}
