//! The 65C02: every opcode against the W65C02S data sheet (length, cycles, result, flags, memory), and every access
//! against `w65c02s`, whose author compared it with the chip.

mod interrupts;
mod memory;
mod sheet;

use gpuzoo_65c02::{Bus as _, Cpu, Mode, OPCODES, State};
use memory::{Memory, start};
use sheet::{Row, expect, rows};

/// Random states for each opcode.
const CASES: u64 = 100;

fn registers(cpu: &Cpu) -> (u16, [u8; 5], State) {
    (cpu.pc, [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p], cpu.state)
}

fn is_sum(row: &Row) -> bool {
    matches!(row.name, "ADC" | "SBC")
}

/// Random states for each opcode: register, memory and number of cycles.
#[test]
fn every_opcode_does_what_the_data_sheet_says() {
    for row in rows() {
        let mut decimal = 0;
        for seed in 0..CASES {
            let (mut memory, mut cpu) = start(seed, row.opcode);
            if is_sum(&row) && cpu.p & 8 != 0 {
                // Only decimal digits mean something; others are compared with measurements below.
                let digits = |value: u8| value & 0x77;
                cpu.a = digits(cpu.a);
                memory.bytes.iter_mut().for_each(|byte| *byte = digits(*byte));
                memory.set(cpu.pc, row.opcode);
            }
            let (mut model, mut expected) = (cpu, memory.clone());
            let Some(cycles) = expect(&row, &mut model, &mut expected) else { continue };
            decimal += u64::from(is_sum(&row) && cpu.p & 8 != 0);
            cpu.step(&mut memory);
            let context = format!("{:02x} {} {} seed {seed}", row.opcode, row.name, row.mode);
            assert_eq!(registers(&cpu), registers(&model), "{context}");
            assert!(memory.bytes == expected.bytes, "memory: {context}");
            assert_eq!(memory.log.len(), cycles, "cycles: {context}");
        }
        assert!(!is_sum(&row) || decimal > CASES / 4);
    }
}

/// All pairs of two-digit numbers, both carries: 9 is the digit that the random states above leave out.
#[test]
fn decimal_arithmetic_over_all_digits() {
    let rows = rows();
    for opcode in [0x69usize, 0xe9] {
        for pair in 0..20_000u32 {
            let [carry, left, right] = [pair % 2, pair / 2 % 100, pair / 200];
            let number = |value: u32| (value / 10 * 16 + value % 10) as u8;
            let (mut memory, mut cpu) = start(1, opcode as u8);
            (cpu.a, cpu.p) = (number(left), 0x28 | carry as u8);
            memory.set(cpu.pc.wrapping_add(1), number(right));
            let mut model = cpu;
            assert!(expect(&rows[opcode], &mut model, &mut memory).is_some());
            cpu.step(&mut memory);
            assert_eq!(registers(&cpu), registers(&model), "{opcode:02x} {left} {right} {carry}");
        }
    }
}

/// Another value in a register that an opcode does not read leaves all accesses and results as they are; in one that it
/// reads, it makes a difference in some state.
#[test]
fn opcodes_read_the_registers_that_they_name() {
    for opcode in &OPCODES {
        let bits = |flag: char| 0x80u8 >> "NV..DIZC".find(flag).expect("a flag");
        let flags: u8 = opcode.flags.chars().map(bits).sum();
        for (index, letter) in "AXYSP".chars().enumerate() {
            let outcome = |seed: u64, change: u8| {
                let (mut memory, mut cpu) = start(seed, opcode.code);
                let register = [&mut cpu.a, &mut cpu.x, &mut cpu.y, &mut cpu.s, &mut cpu.p];
                *register[index] ^= change;
                let before = [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p][index];
                cpu.step(&mut memory);
                let mut after = [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p & flags];
                let own = std::mem::take(&mut after[index]);
                ((after, cpu.pc, cpu.state, memory.log), own, own == before)
            };
            let change = if letter == 'P' { 0xcf } else { 0xa5 };
            let differs = (0..CASES).any(|seed| {
                let (one, other) = (outcome(seed, 0), outcome(seed, change));
                // The register itself gets the same value, or stays as it was.
                let is_same = one.1 == other.1 || one.2 && other.2;
                one.0 != other.0 || !is_same && letter != 'P'
            });
            assert_eq!(differs, opcode.reads().any(|read| read == letter), "{:02x} {letter}", opcode.code);
        }
    }
}

/// Digits above 9, as measured (SingleStepTests/65x02, wdc65c02, opcode ED): A, operand, P before; A and P after.
#[test]
fn invalid_digits_subtract_as_measured() {
    for (a, value, p, result, flags) in [
        (7, 80, 120, 86, 56),
        (117, 153, 59, 118, 120),
        (80, 152, 188, 81, 124),
        (19, 247, 126, 181, 188),
        (251, 141, 250, 103, 57),
        (190, 12, 56, 177, 185),
        (150, 44, 188, 99, 125),
        (170, 15, 251, 149, 185),
        (52, 246, 123, 216, 184),
        (250, 123, 63, 121, 125),
        (180, 159, 127, 15, 61),
        (159, 141, 187, 18, 57),
        (146, 163, 254, 136, 188),
        (148, 3, 62, 144, 189),
        (100, 229, 124, 24, 60),
        (88, 7, 253, 81, 61),
        (11, 31, 251, 134, 184),
        (118, 162, 122, 115, 120),
    ] {
        let (mut memory, mut cpu) = start(1, 0xe9);
        (cpu.a, cpu.p) = (a, p & 0xcf | 0x20);
        memory.set(cpu.pc.wrapping_add(1), value);
        cpu.step(&mut memory);
        assert_eq!((cpu.a, cpu.p), (result, flags & 0xcf | 0x20), "{a} - {value}");
        assert_eq!(memory.log.len(), 3);
    }
}

/// The same memory as a system of `w65c02s`.
struct Second(Memory);

impl w65c02s::System for Second {
    fn read(&mut self, _: &mut w65c02s::W65C02S, address: u16) -> u8 {
        self.0.read(address)
    }

    fn write(&mut self, _: &mut w65c02s::W65C02S, address: u16, value: u8) {
        self.0.write(address, value);
    }
}

/// Every access of every opcode, dummies included, in order. Left out: decimal mode, in which that crate overflows, WAI
/// and STP, which it spreads over steps, and N and Z after PLA, PLX and PLY, which it does not set.
#[test]
fn every_access_is_that_of_a_second_implementation() {
    for row in rows().iter().filter(|row| !matches!(row.name, "WAI" | "STP")) {
        for seed in 0..CASES {
            let (mut memory, mut cpu) = start(seed, row.opcode);
            cpu.p &= !8;
            let mut second = w65c02s::W65C02S::new();
            let mut system = Second(memory.clone());
            // Out of reset, which the first step would otherwise be.
            second.step(&mut system);
            system = Second(memory.clone());
            second.set_pc(cpu.pc);
            second.set_a(cpu.a);
            second.set_x(cpu.x);
            second.set_y(cpu.y);
            second.set_s(cpu.s);
            second.set_p(cpu.p);
            second.step(&mut system);
            cpu.step(&mut memory);
            let context = format!("{:02x} {} {} seed {seed}", row.opcode, row.name, row.mode);
            assert_eq!(memory.log, system.0.log, "{context}");
            let ignored = if matches!(row.name, "PLA" | "PLX" | "PLY") { 0x82 } else { 0 } | 0x30;
            assert_eq!(cpu.p | ignored, second.get_p() | ignored, "{context}");
            let others = [second.get_a(), second.get_x(), second.get_y(), second.get_s()];
            assert_eq!((cpu.pc, [cpu.a, cpu.x, cpu.y, cpu.s]), (second.get_pc(), others), "{context}");
        }
    }
}

/// The table that the CPU is made from, against the data sheet's matrix above.
#[test]
fn the_table_is_that_of_the_data_sheet() {
    for (row, opcode) in rows().iter().zip(OPCODES) {
        let context = format!("{:02x}", row.opcode);
        assert_eq!(row.opcode, opcode.code, "{context}");
        // The matrix leaves out the bit of RMB, SMB, BBR and BBS.
        assert_eq!(opcode.mnemonic.get(..3), Some(&*row.name.to_lowercase()), "{context}");
        // BRA is always taken, which the table counts in.
        let cycles = row.cycles + usize::from(row.name == "BRA");
        assert_eq!(cycles, usize::from(opcode.cycles), "{context}");
        let mode = match row.mode {
            "sig" | "non" | "imp" => Mode::Implied,
            "acc" => Mode::Accumulator,
            "imm" => Mode::Immediate,
            "zp" => Mode::Zp,
            "zpx" => Mode::ZpX,
            "zpy" => Mode::ZpY,
            "izp" => Mode::ZpIndirect,
            "izx" => Mode::ZpXIndirect,
            "izy" => Mode::ZpIndirectY,
            "abs" => Mode::Abs,
            "abx" => Mode::AbsX,
            "aby" => Mode::AbsY,
            "ind" => Mode::AbsIndirect,
            "iax" => Mode::AbsXIndirect,
            "rel" => Mode::Relative,
            "zpr" => Mode::ZpRelative,
            other => panic!("{other}"),
        };
        assert_eq!(opcode.mode, mode, "{context}");
        let is_branch = matches!(mode, Mode::Relative | Mode::ZpRelative);
        assert_eq!(opcode.extra.page, row.crossing || is_branch, "{context}");
        assert_eq!(opcode.extra.branch, is_branch && row.name != "BRA", "{context}");
        assert_eq!(opcode.extra.decimal, is_sum(row), "{context}");
    }
}
