//! Machine code: the few instructions that are needed, and their bytes.
//!
//! All vector instructions are AVX-512 on 16 lanes: prefix 62 (EVEX), opcode, operands; see Intel's Software
//! Developer's Manual, volume 2, chapter 2.7. Vector registers have numbers from 0 to 31, masks from 1 to 7.

/// A general register that holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Pointer {
    Rax = 0,
    Rcx = 1,
    Rdx = 2,
    Rsi = 6,
    R10 = 10,
    R11 = 11,
}

/// Where the table of columns is; the first argument of a function.
const TABLE: u8 = 7;

/// The last operand of an instruction, which can lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Right {
    Register(u8),
    /// 16 numbers so many bytes behind a pointer.
    At(Pointer, i32),
    /// One number there, for all lanes.
    Each(Pointer, i32),
    /// The 16 numbers of a column that the loop is at.
    Row(Pointer),
}

/// A vector instruction: opcode map, prefix (1 is 66), opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Op(u8, u8, u8);

impl Op {
    pub(super) const LOAD: Op = Op(1, 0, 0x10);
    const STORE: Op = Op(1, 0, 0x11);
    pub(super) const COPY: Op = Op(1, 0, 0x28);
    pub(super) const BROADCAST: Op = Op(2, 1, 0x18);
    pub(super) const ADD: Op = Op(1, 0, 0x58);
    pub(super) const MUL: Op = Op(1, 0, 0x59);
    pub(super) const SUB: Op = Op(1, 0, 0x5c);
    pub(super) const DIV: Op = Op(1, 0, 0x5e);
    pub(super) const MIN: Op = Op(1, 0, 0x5d);
    pub(super) const MAX: Op = Op(1, 0, 0x5f);
    pub(super) const SQRT: Op = Op(1, 0, 0x51);
    pub(super) const AND: Op = Op(1, 1, 0xdb);
    pub(super) const XOR: Op = Op(1, 1, 0xef);
    pub(super) const ADD_BITS: Op = Op(1, 1, 0xfe);
    pub(super) const SUB_BITS: Op = Op(1, 1, 0xfa);
    /// The last operand where the mask is set, else the one before.
    pub(super) const BLEND: Op = Op(2, 1, 0x65);
    const SHIFT: Op = Op(1, 1, 0x72);
    const COMPARE: Op = Op(1, 0, 0xc2);
    const COMPARE_BITS: Op = Op(3, 1, 0x1f);
}

/// How [`Code::shift`] shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Shift {
    Right = 2,
    RightSigned = 4,
}

/// Operations on masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Logic {
    And = 0x41,
    Or = 0x45,
}

/// Masks: none, or only lanes where it is set are written, the others keeping their value or becoming 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    None,
    Choose(u8),
    Zero(u8),
}

/// Code that is being written.
#[derive(Debug, Default)]
pub(super) struct Code(pub(super) Vec<u8>);

impl Code {
    /// `to = left op right`; `left` is 0 for instructions of one operand.
    pub(super) fn vector(&mut self, op: Op, to: u8, left: u8, right: Right, mask: Mask) {
        let Op(map, prefix, opcode) = op;
        debug_assert!(to < 32 && left < 32, "no vector registers: {to}, {left}");
        // Bits three and four of register numbers are in the prefix, inverted.
        let bit = |number: u8, place: u8| (number >> place & 1) ^ 1;
        let (x, b, broadcast) = match right {
            Right::Register(number) => (bit(number, 4), bit(number, 3), 0),
            Right::At(pointer, _) => (1, bit(pointer as u8, 3), 0),
            Right::Each(pointer, _) => (1, bit(pointer as u8, 3), 1),
            Right::Row(pointer) => (bit(OFFSET, 3), bit(pointer as u8, 3), 0),
        };
        let (mask, zero) = match mask {
            Mask::None => (0, 0),
            Mask::Choose(mask) => (mask, 0),
            Mask::Zero(mask) => (mask, 1),
        };
        debug_assert!(mask < 8, "no mask: {mask}");
        // BROADCAST is one by its nature.
        let broadcast = if op == Op::BROADCAST { 0 } else { broadcast };
        self.0.extend([
            0x62,
            bit(to, 3) << 7 | x << 6 | b << 5 | bit(to, 4) << 4 | map,
            (!left & 15) << 3 | 1 << 2 | prefix,
            zero << 7 | 0b10 << 5 | broadcast << 4 | bit(left, 4) << 3 | mask,
            opcode,
        ]);
        let register = (to & 7) << 3;
        match right {
            Right::Register(number) => self.0.push(0b11 << 6 | register | number & 7),
            Right::At(pointer, bytes) | Right::Each(pointer, bytes) => {
                self.0.push(0b10 << 6 | register | pointer as u8 & 7);
                self.0.extend(bytes.to_le_bytes());
            }
            Right::Row(pointer) => {
                self.0.extend([register | 0b100, (OFFSET & 7) << 3 | pointer as u8 & 7]);
            }
        }
    }

    /// Writes 16 lanes to memory.
    pub(super) fn store(&mut self, to: Right, from: u8) {
        self.vector(Op::STORE, from, 0, to, Mask::None);
    }

    /// A mask of the lanes that compare as `predicate` says (the immediate of VCMPPS), of those that are set in `only`.
    pub(super) fn compare(&mut self, to: u8, left: u8, right: Right, predicate: u8, only: Mask) {
        self.vector(Op::COMPARE, to, left, right, only);
        self.0.push(predicate);
    }

    /// A mask of the lanes that are less, as signed integers.
    pub(super) fn less_bits(&mut self, to: u8, left: u8, right: Right) {
        self.vector(Op::COMPARE_BITS, to, left, right, Mask::None);
        self.0.push(1);
    }

    /// Each lane shifted by as many bits.
    pub(super) fn shift(&mut self, how: Shift, to: u8, from: u8, count: u8) {
        // The destination is encoded where others have their left operand.
        self.vector(Op::SHIFT, how as u8, to, Right::Register(from), Mask::None);
        self.0.push(count);
    }

    pub(super) fn logic(&mut self, op: Logic, to: u8, [a, b]: [u8; 2]) {
        debug_assert!([to, a, b].iter().all(|mask| *mask < 8), "no masks: {to}, {a}, {b}");
        self.0.extend([0xc5, 1 << 7 | (!a & 15) << 3 | 1 << 2, op as u8, 0b11 << 6 | to << 3 | b]);
    }

    pub(super) fn not(&mut self, to: u8, from: u8) {
        debug_assert!([to, from].iter().all(|mask| *mask < 8), "no masks: {to}, {from}");
        self.0.extend([0xc5, 0xf8, 0x44, 0b11 << 6 | to << 3 | from]);
    }

    /// Fetches a pointer from the table.
    pub(super) fn pointer(&mut self, to: Pointer, index: usize) {
        let to = to as u8;
        self.0.extend([0x48 | to >> 3 << 2, 0x8b, 0b10 << 6 | (to & 7) << 3 | TABLE]);
        self.0.extend((index as i32 * 8).to_le_bytes());
    }

    /// Sets the offset of the loop to 0; gives the place to which [`again`](Code::again) returns.
    pub(super) fn begin(&mut self) -> usize {
        self.0.extend([0x45, 0x31, 0xc9]); // xor r9d, r9d
        self.0.len()
    }

    /// Sixteen lanes further, back to `start` if there are more, else out of the function.
    pub(super) fn again(&mut self, start: usize) {
        self.0.extend([0x49, 0x83, 0xc1, 0x40]); // add r9, 64
        self.0.extend([0x4d, 0x39, 0xc1]); // cmp r9, r8
        self.0.extend([0x0f, 0x82]); // jb start
        let distance = start as i32 - (self.0.len() as i32 + 4);
        self.0.extend(distance.to_le_bytes());
        self.0.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper; ret
    }
}

/// r9, the offset of the 16 lanes in the block, in bytes. r8 is its end, the fifth argument.
const OFFSET: u8 = 9;

#[cfg(test)]
mod oracle;

#[cfg(test)]
mod tests {
    use super::*;

    /// What an assembler (GNU as 2.40) makes of the text beside each.
    #[test]
    fn bytes_are_an_assemblers() {
        let check = |write: &dyn Fn(&mut Code), text: &str, expected: &[u8]| {
            let mut code = Code::default();
            write(&mut code);
            assert_eq!(code.0, expected, "{text}");
        };
        let none = Mask::None;
        check(
            &|code| code.vector(Op::ADD, 1, 2, Right::Register(3), none),
            "vaddps zmm1, zmm2, zmm3",
            &[0x62, 0xf1, 0x6c, 0x48, 0x58, 0xcb],
        );
        check(
            &|code| code.vector(Op::ADD, 17, 30, Right::Each(Pointer::Rsi, 0x12344), none),
            "vaddps zmm17, zmm30, dword ptr [rsi+0x12344]{1to16}",
            &[0x62, 0xe1, 0x0c, 0x50, 0x58, 0x8e, 0x44, 0x23, 0x01, 0x00],
        );
        check(
            &|code| code.vector(Op::SUB, 9, 24, Right::At(Pointer::Rcx, 0x12340), none),
            "vsubps zmm9, zmm24, zmmword ptr [rcx+0x12340]",
            &[0x62, 0x71, 0x3c, 0x40, 0x5c, 0x89, 0x40, 0x23, 0x01, 0x00],
        );
        check(
            &|code| code.vector(Op::LOAD, 25, 0, Right::Row(Pointer::R10), none),
            "vmovups zmm25, zmmword ptr [r10+r9]",
            &[0x62, 0x01, 0x7c, 0x48, 0x10, 0x0c, 0x0a],
        );
        check(
            &|code| code.store(Right::Row(Pointer::Rax), 8),
            "vmovups zmmword ptr [rax+r9], zmm8",
            &[0x62, 0x31, 0x7c, 0x48, 0x11, 0x04, 0x08],
        );
        check(
            &|code| code.vector(Op::BROADCAST, 31, 0, Right::Each(Pointer::Rdx, 0x12344), Mask::Zero(7)),
            "vbroadcastss zmm31{k7}{z}, dword ptr [rdx+0x12344]",
            &[0x62, 0x62, 0x7d, 0xcf, 0x18, 0xba, 0x44, 0x23, 0x01, 0x00],
        );
        check(
            &|code| code.compare(3, 20, Right::Register(11), 0x11, Mask::Choose(2)),
            "vcmplt_oqps k3{k2}, zmm20, zmm11",
            &[0x62, 0xd1, 0x5c, 0x42, 0xc2, 0xdb, 0x11],
        );
        check(
            &|code| code.less_bits(5, 1, Right::Register(29)),
            "vpcmpltd k5, zmm1, zmm29",
            &[0x62, 0x93, 0x75, 0x48, 0x1f, 0xed, 0x01],
        );
        check(
            &|code| code.vector(Op::BLEND, 0, 16, Right::Register(15), Mask::Choose(1)),
            "vblendmps zmm0{k1}, zmm16, zmm15",
            &[0x62, 0xd2, 0x7d, 0x41, 0x65, 0xc7],
        );
        check(
            &|code| code.shift(Shift::RightSigned, 18, 9, 31),
            "vpsrad zmm18, zmm9, 31",
            &[0x62, 0xd1, 0x6d, 0x40, 0x72, 0xe1, 0x1f],
        );
        check(
            &|code| code.shift(Shift::Right, 3, 26, 1),
            "vpsrld zmm3, zmm26, 1",
            &[0x62, 0x91, 0x65, 0x48, 0x72, 0xd2, 0x01],
        );
        check(&|code| code.logic(Logic::And, 1, [6, 7]), "kandw k1, k6, k7", &[0xc5, 0xcc, 0x41, 0xcf]);
        check(&|code| code.logic(Logic::Or, 2, [3, 4]), "korw k2, k3, k4", &[0xc5, 0xe4, 0x45, 0xd4]);
        check(&|code| code.not(5, 1), "knotw k5, k1", &[0xc5, 0xf8, 0x44, 0xe9]);
        check(
            &|code| code.pointer(Pointer::Rax, 128),
            "mov rax, qword ptr [rdi+0x400]",
            &[0x48, 0x8b, 0x87, 0x00, 0x04, 0x00, 0x00],
        );
        check(
            &|code| code.pointer(Pointer::R11, 128),
            "mov r11, qword ptr [rdi+0x400]",
            &[0x4c, 0x8b, 0x9f, 0x00, 0x04, 0x00, 0x00],
        );
    }
}
