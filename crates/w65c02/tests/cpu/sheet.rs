//! The W65C02S data sheet, written down independently of the CPU.

use crate::memory::Memory;
use gpuzoo_65c02::{Cpu, State};

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

pub struct Row {
    pub opcode: u8,
    pub name: &'static str,
    pub mode: &'static str,
    pub cycles: usize,
    pub crossing: bool,
}

pub fn rows() -> Vec<Row> {
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

/// What the data sheet says an instruction does, written down independently: whole numbers in place of bit tricks,
/// digits in place of halves. Returns the cycles; none for a decimal sum of what are not digits.
pub fn expect(row: &Row, cpu: &mut Cpu, memory: &mut Memory) -> Option<usize> {
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
