//! The 65C02: every opcode against the W65C02S data sheet (length, cycles, result, flags, memory), and every access
//! against `w65c02s`, whose author compared it with the chip.

use gpuzoo_65c02::{Bus, Cpu, Mode, OPCODES, State};
use std::sync::OnceLock;

/// Random states for each opcode.
const CASES: u64 = 100;

/// The data sheet's opcode matrix: mnemonic, addressing mode and cycles. `+`: one more where an index crosses a page.
/// Branches take one more if taken and another one across a page; ADC and SBC one more in decimal mode.
const MATRIX: [&str; 16] = [
    "BRK-sig-7 ORA-izx-6 NOP-imm-2 NOP-non-1 TSB-zp-5 ORA-zp-3 ASL-zp-5 RMB-zp-5 PHP-imp-3 ORA-imm-2 ASL-acc-2 NOP-non-1 TSB-abs-6 ORA-abs-4 ASL-abs-6 BBR-zpr-5",
    "BPL-rel-2 ORA-izy-5+ ORA-izp-5 NOP-non-1 TRB-zp-5 ORA-zpx-4 ASL-zpx-6 RMB-zp-5 CLC-imp-2 ORA-aby-4+ INC-acc-2 NOP-non-1 TRB-abs-6 ORA-abx-4+ ASL-abx-6+ BBR-zpr-5",
    "JSR-abs-6 AND-izx-6 NOP-imm-2 NOP-non-1 BIT-zp-3 AND-zp-3 ROL-zp-5 RMB-zp-5 PLP-imp-4 AND-imm-2 ROL-acc-2 NOP-non-1 BIT-abs-4 AND-abs-4 ROL-abs-6 BBR-zpr-5",
    "BMI-rel-2 AND-izy-5+ AND-izp-5 NOP-non-1 BIT-zpx-4 AND-zpx-4 ROL-zpx-6 RMB-zp-5 SEC-imp-2 AND-aby-4+ DEC-acc-2 NOP-non-1 BIT-abx-4+ AND-abx-4+ ROL-abx-6+ BBR-zpr-5",
    "RTI-imp-6 EOR-izx-6 NOP-imm-2 NOP-non-1 NOP-zp-3 EOR-zp-3 LSR-zp-5 RMB-zp-5 PHA-imp-3 EOR-imm-2 LSR-acc-2 NOP-non-1 JMP-abs-3 EOR-abs-4 LSR-abs-6 BBR-zpr-5",
    "BVC-rel-2 EOR-izy-5+ EOR-izp-5 NOP-non-1 NOP-zpx-4 EOR-zpx-4 LSR-zpx-6 RMB-zp-5 CLI-imp-2 EOR-aby-4+ PHY-imp-3 NOP-non-1 NOP-abs-8 EOR-abx-4+ LSR-abx-6+ BBR-zpr-5",
    "RTS-imp-6 ADC-izx-6 NOP-imm-2 NOP-non-1 STZ-zp-3 ADC-zp-3 ROR-zp-5 RMB-zp-5 PLA-imp-4 ADC-imm-2 ROR-acc-2 NOP-non-1 JMP-ind-6 ADC-abs-4 ROR-abs-6 BBR-zpr-5",
    "BVS-rel-2 ADC-izy-5+ ADC-izp-5 NOP-non-1 STZ-zpx-4 ADC-zpx-4 ROR-zpx-6 RMB-zp-5 SEI-imp-2 ADC-aby-4+ PLY-imp-4 NOP-non-1 JMP-iax-6 ADC-abx-4+ ROR-abx-6+ BBR-zpr-5",
    "BRA-rel-2 STA-izx-6 NOP-imm-2 NOP-non-1 STY-zp-3 STA-zp-3 STX-zp-3 SMB-zp-5 DEY-imp-2 BIT-imm-2 TXA-imp-2 NOP-non-1 STY-abs-4 STA-abs-4 STX-abs-4 BBS-zpr-5",
    "BCC-rel-2 STA-izy-6 STA-izp-5 NOP-non-1 STY-zpx-4 STA-zpx-4 STX-zpy-4 SMB-zp-5 TYA-imp-2 STA-aby-5 TXS-imp-2 NOP-non-1 STZ-abs-4 STA-abx-5 STZ-abx-5 BBS-zpr-5",
    "LDY-imm-2 LDA-izx-6 LDX-imm-2 NOP-non-1 LDY-zp-3 LDA-zp-3 LDX-zp-3 SMB-zp-5 TAY-imp-2 LDA-imm-2 TAX-imp-2 NOP-non-1 LDY-abs-4 LDA-abs-4 LDX-abs-4 BBS-zpr-5",
    "BCS-rel-2 LDA-izy-5+ LDA-izp-5 NOP-non-1 LDY-zpx-4 LDA-zpx-4 LDX-zpy-4 SMB-zp-5 CLV-imp-2 LDA-aby-4+ TSX-imp-2 NOP-non-1 LDY-abx-4+ LDA-abx-4+ LDX-aby-4+ BBS-zpr-5",
    "CPY-imm-2 CMP-izx-6 NOP-imm-2 NOP-non-1 CPY-zp-3 CMP-zp-3 DEC-zp-5 SMB-zp-5 INY-imp-2 CMP-imm-2 DEX-imp-2 WAI-imp-3 CPY-abs-4 CMP-abs-4 DEC-abs-6 BBS-zpr-5",
    "BNE-rel-2 CMP-izy-5+ CMP-izp-5 NOP-non-1 NOP-zpx-4 CMP-zpx-4 DEC-zpx-6 SMB-zp-5 CLD-imp-2 CMP-aby-4+ PHX-imp-3 STP-imp-3 NOP-abs-4 CMP-abx-4+ DEC-abx-7 BBS-zpr-5",
    "CPX-imm-2 SBC-izx-6 NOP-imm-2 NOP-non-1 CPX-zp-3 SBC-zp-3 INC-zp-5 SMB-zp-5 INX-imp-2 SBC-imm-2 NOP-imp-2 NOP-non-1 CPX-abs-4 SBC-abs-4 INC-abs-6 BBS-zpr-5",
    "BEQ-rel-2 SBC-izy-5+ SBC-izp-5 NOP-non-1 NOP-zpx-4 SBC-zpx-4 INC-zpx-6 SMB-zp-5 SED-imp-2 SBC-aby-4+ PLX-imp-4 NOP-non-1 NOP-abs-4 SBC-abx-4+ INC-abx-7 BBS-zpr-5",
];

struct Row {
    opcode: u8,
    name: &'static str,
    mode: &'static str,
    cycles: usize,
    crossing: bool,
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (high, line) in MATRIX.into_iter().enumerate() {
        for (low, cell) in line.split(' ').enumerate() {
            let mut parts = cell.split('-');
            let mut part = || parts.next().expect("three parts");
            let (name, mode, cycles) = (part(), part(), part());
            let crossing = cycles.ends_with('+');
            let cycles = cycles.trim_end_matches('+').parse().expect("a number");
            rows.push(Row { opcode: (high * 16 + low) as u8, name, mode, cycles, crossing });
        }
    }
    assert_eq!(rows.len(), 256);
    rows
}

/// Memory, and every access: address, value, true for a write.
#[derive(Clone)]
struct Memory {
    bytes: Box<[u8; 0x1_0000]>,
    log: Vec<(u16, u8, bool)>,
    irq: bool,
}

impl Memory {
    fn random() -> Memory {
        let mut seed = 1u64;
        let mut bytes = Box::new([0; 0x1_0000]);
        for byte in bytes.iter_mut() {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (seed >> 56) as u8;
        }
        Memory { bytes, log: Vec::new(), irq: false }
    }

    fn word(&self, at: u16) -> u16 {
        u16::from_le_bytes([self.at(at), self.at(at.wrapping_add(1))])
    }

    fn page_word(&self, at: u8) -> u16 {
        u16::from_le_bytes([self.at(u16::from(at)), self.at(u16::from(at.wrapping_add(1)))])
    }

    fn at(&self, at: u16) -> u8 {
        self.bytes[usize::from(at)]
    }

    fn set(&mut self, at: u16, value: u8) {
        self.bytes[usize::from(at)] = value;
    }
}

impl Bus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        let value = self.at(address);
        self.log.push((address, value, false));
        value
    }

    fn write(&mut self, address: u16, value: u8) {
        self.set(address, value);
        self.log.push((address, value, true));
    }

    fn irq(&self) -> bool {
        self.irq
    }
}

/// What the data sheet says an instruction does, written down independently: whole numbers in place of bit tricks,
/// digits in place of halves. Returns the cycles; none for a decimal sum of what are not digits.
fn expect(row: &Row, cpu: &mut Cpu, memory: &mut Memory) -> Option<usize> {
    let pc = cpu.pc;
    let (first, word) = (memory.at(pc.wrapping_add(1)), memory.word(pc.wrapping_add(1)));
    let mut cycles = row.cycles;
    let length = match row.mode {
        "non" | "imp" | "acc" => 1,
        "abs" | "abx" | "aby" | "ind" | "iax" | "zpr" => 3,
        _ => 2,
    };
    let next = pc.wrapping_add(length);
    let indexed = |base: u16, index: u8| {
        let at = base.wrapping_add(u16::from(index));
        (at, at >> 8 != base >> 8)
    };
    let (at, crosses) = match row.mode {
        "imm" | "sig" | "rel" => (pc.wrapping_add(1), false),
        "zp" | "zpr" => (u16::from(first), false),
        "zpx" => (u16::from(first.wrapping_add(cpu.x)), false),
        "zpy" => (u16::from(first.wrapping_add(cpu.y)), false),
        "abs" => (word, false),
        "abx" => indexed(word, cpu.x),
        "aby" => indexed(word, cpu.y),
        "izx" => (memory.page_word(first.wrapping_add(cpu.x)), false),
        "izp" => (memory.page_word(first), false),
        "izy" => indexed(memory.page_word(first), cpu.y),
        "ind" => (memory.word(word), false),
        "iax" => (memory.word(word.wrapping_add(u16::from(cpu.x))), false),
        _ => (0, false),
    };
    if row.crossing && crosses {
        cycles += 1;
    }
    let m = if row.mode == "acc" { cpu.a } else { memory.at(at) };
    cpu.pc = next;
    let [n, v, d, z, c] = [0x80u8, 0x40, 0x08, 0x02, 0x01].map(|bit| cpu.p & bit != 0);
    let put = |cpu: &mut Cpu, bit: u8, on: bool| cpu.p = cpu.p & !bit | if on { bit } else { 0 };
    let nz = |cpu: &mut Cpu, value: u8| {
        put(cpu, 0x80, value >= 128);
        put(cpu, 0x02, value == 0);
    };
    let push = |cpu: &mut Cpu, memory: &mut Memory, value: u8| {
        memory.set(0x100 + u16::from(cpu.s), value);
        cpu.s = cpu.s.wrapping_sub(1);
    };
    let pull = |cpu: &mut Cpu, memory: &Memory| {
        cpu.s = cpu.s.wrapping_add(1);
        memory.at(0x100 + u16::from(cpu.s))
    };
    let branch = |cpu: &mut Cpu, cycles: &mut usize, offset: u8, taken: bool| {
        if taken {
            cpu.pc = next.wrapping_add(offset as i8 as u16);
            *cycles += 1 + usize::from(cpu.pc >> 8 != next >> 8);
        }
    };
    let bit = row.opcode >> 4 & 7;
    let back = |cpu: &mut Cpu, memory: &mut Memory, value: u8| match row.mode {
        "acc" => cpu.a = value,
        _ => memory.set(at, value),
    };
    match row.name {
        "LDA" => (cpu.a = m, nz(cpu, m)).0,
        "LDX" => (cpu.x = m, nz(cpu, m)).0,
        "LDY" => (cpu.y = m, nz(cpu, m)).0,
        "STA" => memory.set(at, cpu.a),
        "STX" => memory.set(at, cpu.x),
        "STY" => memory.set(at, cpu.y),
        "STZ" => memory.set(at, 0),
        "ORA" | "AND" | "EOR" => {
            let value = match row.name {
                "ORA" => cpu.a | m,
                "AND" => cpu.a & m,
                _ => cpu.a ^ m,
            };
            cpu.a = value;
            nz(cpu, value);
        }
        "ADC" | "SBC" => {
            let (a, m, carry) = (i32::from(cpu.a), i32::from(m), i32::from(c));
            let signed = |value: i32| if value > 127 { value - 256 } else { value };
            let adds = row.name == "ADC";
            let sum = if adds { a + m + carry } else { a - m - 1 + carry };
            let overflow =
                if adds { signed(a) + signed(m) + carry } else { signed(a) - signed(m) - 1 + carry };
            let (mut result, mut carries) = (sum, if adds { sum > 255 } else { sum >= 0 });
            let mut overflows = !(-128..=127).contains(&overflow);
            if d {
                cycles += 1;
                if [a, m].iter().any(|value| value / 16 > 9 || value % 16 > 9) {
                    return None;
                }
                let number = |value: i32| value / 16 * 10 + value % 16;
                let sum =
                    if adds { number(a) + number(m) + carry } else { number(a) - number(m) - 1 + carry };
                carries = if adds { sum > 99 } else { sum >= 0 };
                let two = sum.rem_euclid(100);
                result = two / 10 * 16 + two % 10;
                if adds {
                    // V is that of the sum of the tens with the carry of the ones, as signed numbers.
                    let ones = a % 16 + m % 16 + carry;
                    let tens = signed(a / 16 * 16) + signed(m / 16 * 16) + if ones > 9 { 16 } else { 0 };
                    overflows = !(-128..=127).contains(&(tens + if ones > 9 { ones - 10 } else { ones }));
                }
            }
            cpu.a = result as u8;
            put(cpu, 0x40, overflows);
            put(cpu, 0x01, carries);
            let value = cpu.a;
            nz(cpu, value);
        }
        "CMP" | "CPX" | "CPY" => {
            let register = match row.name {
                "CMP" => cpu.a,
                "CPX" => cpu.x,
                _ => cpu.y,
            };
            put(cpu, 0x01, register >= m);
            nz(cpu, register.wrapping_sub(m));
        }
        "BIT" => {
            put(cpu, 0x02, cpu.a & m == 0);
            if row.mode != "imm" {
                put(cpu, 0x80, m & 0x80 != 0);
                put(cpu, 0x40, m & 0x40 != 0);
            }
        }
        "ASL" | "ROL" | "LSR" | "ROR" => {
            let left = matches!(row.name, "ASL" | "ROL");
            let wide = u16::from(m);
            let value = match row.name {
                "ASL" => wide * 2,
                "ROL" => wide * 2 + u16::from(c),
                "LSR" => wide / 2,
                _ => wide / 2 + 128 * u16::from(c),
            } as u8;
            put(cpu, 0x01, if left { m >= 128 } else { m % 2 == 1 });
            nz(cpu, value);
            back(cpu, memory, value);
        }
        "INC" | "DEC" => {
            let value = if row.name == "INC" { m.wrapping_add(1) } else { m.wrapping_sub(1) };
            nz(cpu, value);
            back(cpu, memory, value);
        }
        "TSB" | "TRB" => {
            put(cpu, 0x02, cpu.a & m == 0);
            memory.set(at, if row.name == "TSB" { m | cpu.a } else { m & !cpu.a });
        }
        "RMB" => memory.set(at, m & !(1 << bit)),
        "SMB" => memory.set(at, m | 1 << bit),
        "INX" => (cpu.x = cpu.x.wrapping_add(1), nz(cpu, cpu.x.wrapping_add(0))).0,
        "INY" => (cpu.y = cpu.y.wrapping_add(1), nz(cpu, cpu.y.wrapping_add(0))).0,
        "DEX" => (cpu.x = cpu.x.wrapping_sub(1), nz(cpu, cpu.x.wrapping_add(0))).0,
        "DEY" => (cpu.y = cpu.y.wrapping_sub(1), nz(cpu, cpu.y.wrapping_add(0))).0,
        "TAX" => (cpu.x = cpu.a, nz(cpu, cpu.a)).0,
        "TAY" => (cpu.y = cpu.a, nz(cpu, cpu.a)).0,
        "TXA" => (cpu.a = cpu.x, nz(cpu, cpu.x)).0,
        "TYA" => (cpu.a = cpu.y, nz(cpu, cpu.y)).0,
        "TSX" => (cpu.x = cpu.s, nz(cpu, cpu.s)).0,
        "TXS" => cpu.s = cpu.x,
        "CLC" => put(cpu, 0x01, false),
        "SEC" => put(cpu, 0x01, true),
        "CLD" => put(cpu, 0x08, false),
        "SED" => put(cpu, 0x08, true),
        "CLI" => put(cpu, 0x04, false),
        "SEI" => put(cpu, 0x04, true),
        "CLV" => put(cpu, 0x40, false),
        "PHA" => push(cpu, memory, cpu.a),
        "PHX" => push(cpu, memory, cpu.x),
        "PHY" => push(cpu, memory, cpu.y),
        "PHP" => push(cpu, memory, cpu.p | 0x30),
        "PLA" => {
            cpu.a = pull(cpu, memory);
            nz(cpu, cpu.a.wrapping_add(0));
        }
        "PLX" => {
            cpu.x = pull(cpu, memory);
            nz(cpu, cpu.x.wrapping_add(0));
        }
        "PLY" => {
            cpu.y = pull(cpu, memory);
            nz(cpu, cpu.y.wrapping_add(0));
        }
        "PLP" => cpu.p = pull(cpu, memory) & 0xcf | 0x20,
        "BPL" => branch(cpu, &mut cycles, first, !n),
        "BMI" => branch(cpu, &mut cycles, first, n),
        "BVC" => branch(cpu, &mut cycles, first, !v),
        "BVS" => branch(cpu, &mut cycles, first, v),
        "BCC" => branch(cpu, &mut cycles, first, !c),
        "BCS" => branch(cpu, &mut cycles, first, c),
        "BNE" => branch(cpu, &mut cycles, first, !z),
        "BEQ" => branch(cpu, &mut cycles, first, z),
        "BRA" => branch(cpu, &mut cycles, first, true),
        "BBR" | "BBS" => {
            let offset = memory.at(pc.wrapping_add(2));
            branch(cpu, &mut cycles, offset, (m & 1 << bit != 0) == (row.name == "BBS"));
        }
        "JMP" => cpu.pc = at,
        "JSR" => {
            let back = pc.wrapping_add(2);
            push(cpu, memory, (back >> 8) as u8);
            push(cpu, memory, back as u8);
            // The high byte is read after the pushes, which matters if the program lies in the stack.
            cpu.pc = u16::from(memory.at(back)) << 8 | word & 0xff;
        }
        "RTS" | "RTI" => {
            if row.name == "RTI" {
                cpu.p = pull(cpu, memory) & 0xcf | 0x20;
            }
            let low = pull(cpu, memory);
            let high = pull(cpu, memory);
            cpu.pc = u16::from_le_bytes([low, high]);
            if row.name == "RTS" {
                cpu.pc = cpu.pc.wrapping_add(1);
            }
        }
        "BRK" => {
            push(cpu, memory, (next >> 8) as u8);
            push(cpu, memory, next as u8);
            push(cpu, memory, cpu.p | 0x30);
            cpu.p = cpu.p & 0xf7 | 0x04;
            cpu.pc = memory.word(0xfffe);
        }
        "WAI" => cpu.state = State::Waiting,
        "STP" => cpu.state = State::Stopped,
        "NOP" => {}
        other => panic!("{other}"),
    }
    Some(cycles)
}

fn registers(cpu: &Cpu) -> (u16, [u8; 5], State) {
    (cpu.pc, [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p], cpu.state)
}

/// A case: memory, and registers at random.
fn start(seed: u64, opcode: u8) -> (Memory, Cpu) {
    static MEMORY: OnceLock<Memory> = OnceLock::new();
    let mut memory = MEMORY.get_or_init(Memory::random).clone();
    // Seven bytes of the memory, elsewhere for each case.
    let from = (seed.wrapping_mul(7 * 257) + u64::from(opcode) * 1031) as u16;
    let [a, x, y, s, p] = [0, 1, 2, 3, 4].map(|offset| memory.at(from.wrapping_add(offset)));
    let pc = memory.word(from.wrapping_add(5));
    memory.set(pc, opcode);
    let mut cpu = Cpu::default();
    (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p) = (pc, a, x, y, s, p & 0xcf | 0x20);
    (memory, cpu)
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
