//! A W65C02S, cycle by cycle, and the table of its 256 opcodes.
//!
//! The CPU is its registers, a [`Cpu`] that can be copied; everything else is behind the [`Bus`] that each
//! step is given. One call of the bus is one cycle, in the chip's order, those accesses included whose value the CPU
//! drops: devices with side effects see what they would see in hardware, and cycles need not be counted apart.
//!
//! ```
//! use gpuzoo_65c02::{Bus, Cpu, OPCODES};
//!
//! /// 64 KB of memory, and a count of the cycles.
//! struct Memory {
//!     bytes: Vec<u8>,
//!     cycles: u64,
//! }
//!
//! impl Bus for Memory {
//!     fn read(&mut self, address: u16) -> u8 {
//!         self.cycles += 1;
//!         self.bytes[usize::from(address)]
//!     }
//!
//!     fn write(&mut self, address: u16, value: u8) {
//!         self.cycles += 1;
//!         self.bytes[usize::from(address)] = value;
//!     }
//! }
//!
//! let mut memory = Memory { bytes: vec![0; 0x1_0000], cycles: 0 };
//! // lda #40, clc, adc #2, sta $10
//! memory.bytes[0x200..0x207].copy_from_slice(&[0xa9, 40, 0x18, 0x69, 2, 0x85, 0x10]);
//! let mut cpu = Cpu::at(0x200);
//! for _ in 0..4 {
//!     cpu.step(&mut memory);
//! }
//! assert_eq!((cpu.a, cpu.pc, memory.bytes[0x10]), (42, 0x207, 42));
//!
//! let expected: u64 = [0xa9, 0x18, 0x69, 0x85].map(|code| u64::from(OPCODES[code].cycles)).iter().sum();
//! assert_eq!(memory.cycles, expected);
//! ```
//!
//! [`OPCODES`] and what each opcode does are expansions of one table, so that an assembler or a disassembler written
//! with it cannot disagree with the CPU. The facts are those of the WDC data sheet and of measurements of the chip; the
//! tests hold every opcode to the data sheet (length, cycles, result, flags, memory), and every access to those of a
//! second implementation, the crate `w65c02s`. (Why not use that one: in its version 0.9.2, PLA, PLX and PLY leave N and Z
//! as they were, an interrupt after PLP pushes B as set, and decimal arithmetic can overflow, which panics.)
//!
//! What is not there: the pins RDY, SO and BE. An edge of NMI is a call, [`Cpu::nmi`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[macro_use]
mod table;
mod arithmetic;
mod bus;
mod cpu;
mod execute;
mod modes;
mod opcodes;
pub mod status;

pub use bus::{Bus, IRQ_VECTOR, NMI_VECTOR, RESET_VECTOR};
pub use cpu::{Cpu, State};
pub use opcodes::{Extra, Mode, OPCODES, Opcode};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
