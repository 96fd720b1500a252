//! Interrupts, WAI, STP and reset.

use crate::memory::Memory;
use gpuzoo_65c02::{Cpu, State};

/// Memory of NOPs with a program at $0200 and the interrupt vector at $0300.
fn program(code: &[u8]) -> (Memory, Cpu) {
    let mut memory = Memory::random();
    memory.bytes.fill(0xea);
    memory.bytes[0x200..0x200 + code.len()].copy_from_slice(code);
    memory.set(0xfffe, 0x00);
    memory.set(0xffff, 0x03);
    let mut cpu = Cpu::default();
    cpu.pc = 0x200;
    (memory, cpu)
}

#[test]
fn an_interrupt_pushes_the_status_without_b() {
    // plp takes a status with B set and I clear; the interrupt comes one instruction later, since PLP is late.
    let (mut memory, mut cpu) = program(&[0x28, 0xea]);
    memory.set(0x1ff, 0xd1);
    (cpu.s, cpu.p) = (0xfe, 0x24);
    memory.irq = true;
    cpu.step(&mut memory);
    cpu.step(&mut memory);
    assert_eq!(cpu.pc, 0x202);
    memory.log.clear();
    cpu.step(&mut memory);
    let expected = [
        (0x202, false),
        (0x202, false),
        (0x1ff, true),
        (0x1fe, true),
        (0x1fd, true),
        (0xfffe, false),
        (0xffff, false),
    ];
    let seen: Vec<(u16, bool)> = memory.log.iter().map(|(at, _, is_write)| (*at, *is_write)).collect();
    assert_eq!(seen, expected);
    assert_eq!((memory.at(0x1ff), memory.at(0x1fe), memory.at(0x1fd)), (0x02, 0x02, 0xe1));
    assert_eq!((cpu.pc, cpu.p), (0x300, 0xe5));
}

#[test]
fn masked_interrupts_wait_and_sei_is_late() {
    let (mut memory, mut cpu) = program(&[0xea, 0x58, 0xea, 0xea]);
    cpu.p = 0x24;
    memory.irq = true;
    let places: Vec<u16> = (0..4)
        .map(|_| {
            cpu.step(&mut memory);
            cpu.pc
        })
        .collect();
    // nop, cli, nop, and only then the interrupt.
    assert_eq!(places, [0x201, 0x202, 0x203, 0x300]);
    let (mut memory, mut cpu) = program(&[0x78, 0xea]);
    cpu.step(&mut memory);
    memory.irq = true;
    cpu.step(&mut memory);
    assert_eq!(cpu.pc, 0x300, "a request during SEI is still served");
}

#[test]
fn wai_goes_on_after_a_masked_interrupt() {
    for (p, after) in [(0x20, 0x300), (0x24, 0x202)] {
        let (mut memory, mut cpu) = program(&[0xcb, 0xea]);
        cpu.p = p;
        for _ in 0..5 {
            cpu.step(&mut memory);
        }
        assert_eq!((cpu.state, cpu.pc), (State::Waiting, 0x201));
        memory.irq = true;
        cpu.step(&mut memory);
        cpu.step(&mut memory);
        assert_eq!((cpu.state, cpu.pc), (State::Running, after));
    }
}

#[test]
fn a_stopped_cpu_stays_so_and_a_reset_starts_it() {
    let (mut memory, mut cpu) = program(&[0xdb]);
    memory.irq = true;
    (0..3).for_each(|_| cpu.step(&mut memory));
    // The interrupt was served first: SEI is clear. Its handler is NOPs.
    assert_eq!(cpu.state, State::Running);
    let (mut memory, mut cpu) = program(&[0xdb]);
    cpu.step(&mut memory);
    memory.irq = true;
    (0..3).for_each(|_| cpu.step(&mut memory));
    assert_eq!(cpu.state, State::Stopped);
    memory.set(0xfffc, 0x34);
    memory.set(0xfffd, 0x12);
    memory.log.clear();
    cpu.reset(&mut memory);
    assert_eq!((cpu.pc, cpu.s, cpu.p & 0x0c, memory.log.len()), (0x1234, 0xfc, 0x04, 7));
}
