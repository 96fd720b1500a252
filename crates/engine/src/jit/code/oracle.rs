//! Another author's disassembler (iced) reads every instruction that can be written, with every register and mask.

use super::{Code, Logic, Mask, Op, Pointer, Right, Shift};
use iced_x86::{Code as Name, Decoder, DecoderOptions, Instruction, OpKind, Register};

/// The instruction that these bytes are, all of them.
fn read(bytes: &[u8]) -> Instruction {
    let inst = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
    assert!(!inst.is_invalid() && inst.len() == bytes.len(), "{bytes:02x?} is not one instruction");
    inst
}

fn zmm(number: u8) -> Register {
    Register::ZMM0 + u32::from(number)
}

fn k(number: u8) -> Register {
    Register::K0 + u32::from(number)
}

const POINTERS: [(Pointer, Register); 6] = [
    (Pointer::Rax, Register::RAX),
    (Pointer::Rcx, Register::RCX),
    (Pointer::Rdx, Register::RDX),
    (Pointer::Rsi, Register::RSI),
    (Pointer::R10, Register::R10),
    (Pointer::R11, Register::R11),
];

/// Distances from a pointer: none, those that a byte could hold, and large ones.
const DISTANCES: [i32; 7] = [0, 4, 64, 127, 128, 0x0012_3440, i32::MAX];

/// All places that a last operand may be in.
fn rights() -> Vec<Right> {
    let mut all: Vec<Right> = (0..32).map(Right::Register).collect();
    for (pointer, _) in POINTERS {
        all.push(Right::Row(pointer));
        all.extend(DISTANCES.map(|bytes| Right::At(pointer, bytes)));
        all.extend(DISTANCES.map(|bytes| Right::Each(pointer, bytes)));
    }
    all
}

/// No mask, and each of the seven, in both ways.
fn masks() -> Vec<Mask> {
    let each = (1..8).flat_map(|number| [Mask::Choose(number), Mask::Zero(number)]);
    [Mask::None].into_iter().chain(each).collect()
}

/// That operand number `at` is `right`.
fn is_right(inst: &Instruction, at: u32, right: Right) -> bool {
    let base = |pointer| POINTERS.iter().find(|(own, _)| *own == pointer).map(|(_, register)| *register);
    if let Right::Register(number) = right {
        return inst.op_kind(at) == OpKind::Register && inst.op_register(at) == zmm(number);
    }
    let (pointer, bytes, index, each) = match right {
        Right::At(pointer, bytes) => (pointer, bytes, Register::None, false),
        Right::Each(pointer, bytes) => (pointer, bytes, Register::None, true),
        Right::Row(pointer) => (pointer, 0, Register::R9, false),
        Right::Register(_) => return false,
    };
    let broadcast_by_nature = inst.code() == Name::EVEX_Vbroadcastss_zmm_k1z_xmmm32;
    inst.op_kind(at) == OpKind::Memory
        && Some(inst.memory_base()) == base(pointer)
        && inst.memory_index() == index
        && inst.memory_index_scale() == 1
        && inst.memory_displacement64() == bytes as u64
        && (inst.is_broadcast() || broadcast_by_nature) == each
}

fn is_mask(inst: &Instruction, mask: Mask) -> bool {
    let (register, zero) = match mask {
        Mask::None => (Register::None, false),
        Mask::Choose(number) => (k(number), false),
        Mask::Zero(number) => (k(number), true),
    };
    inst.op_mask() == register && inst.zeroing_masking() == zero
}

/// Writes an instruction and reads it.
fn written(write: impl FnOnce(&mut Code)) -> Instruction {
    let mut code = Code::default();
    write(&mut code);
    read(&code.0)
}

#[test]
fn operations_on_two_vectors() {
    let ops = [
        (Op::ADD, Name::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er),
        (Op::SUB, Name::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er),
        (Op::MUL, Name::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er),
        (Op::DIV, Name::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er),
        (Op::MIN, Name::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae),
        (Op::MAX, Name::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae),
        (Op::AND, Name::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32),
        (Op::XOR, Name::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32),
        (Op::ADD_BITS, Name::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32),
        (Op::SUB_BITS, Name::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32),
        (Op::BLEND, Name::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32),
    ];
    // Masks take turns; they and the registers have no common divisor, so that each meets each register in each place.
    let mut turn = masks().into_iter().cycle();
    for (op, name) in ops {
        for right in rights() {
            for (to, left) in (0..32).flat_map(|to| (0..32).map(move |left| (to, left))) {
                let mask = turn.next().unwrap();
                let inst = written(|code| code.vector(op, to, left, right, mask));
                let registers = [inst.op0_register(), inst.op1_register()];
                assert!(
                    inst.code() == name
                        && registers == [zmm(to), zmm(left)]
                        && is_right(&inst, 2, right)
                        && is_mask(&inst, mask),
                    "{op:?} {to} {left} {right:?} {mask:?}"
                );
            }
        }
    }
}

#[test]
fn operations_on_one_vector() {
    for right in rights() {
        let (op, name) = match right {
            Right::Register(_) => (Op::COPY, Name::EVEX_Vmovaps_zmm_k1z_zmmm512),
            Right::Each(..) => (Op::BROADCAST, Name::EVEX_Vbroadcastss_zmm_k1z_xmmm32),
            Right::At(..) | Right::Row(_) => (Op::LOAD, Name::EVEX_Vmovups_zmm_k1z_zmmm512),
        };
        let root = (Op::SQRT, Name::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er);
        for (op, name) in [(op, name), root] {
            for (to, mask) in (0..32).flat_map(|to| masks().into_iter().map(move |mask| (to, mask))) {
                let inst = written(|code| code.vector(op, to, 0, right, mask));
                assert!(
                    inst.code() == name
                        && inst.op0_register() == zmm(to)
                        && is_right(&inst, 1, right)
                        && is_mask(&inst, mask),
                    "{op:?} {to} {right:?} {mask:?}"
                );
            }
        }
    }
}

#[test]
fn stores() {
    for right in rights().into_iter().filter(|right| matches!(right, Right::At(..) | Right::Row(_))) {
        for from in 0..32 {
            let inst = written(|code| code.store(right, from));
            assert!(
                inst.code() == Name::EVEX_Vmovups_zmmm512_k1z_zmm
                    && inst.op1_register() == zmm(from)
                    && is_right(&inst, 0, right)
                    && is_mask(&inst, Mask::None),
                "{from} {right:?}"
            );
        }
    }
}

#[test]
fn comparisons() {
    for right in rights() {
        for (left, to) in (0..32).flat_map(|left| (1..8).map(move |to| (left, to))) {
            for only in [Mask::None].into_iter().chain((1..8).map(Mask::Choose)) {
                // Any of the 32 predicates.
                let predicate = (left * 7 + to) % 32;
                let inst = written(|code| code.compare(to, left, right, predicate, only));
                assert!(
                    inst.code() == Name::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae
                        && [inst.op0_register(), inst.op1_register()] == [k(to), zmm(left)]
                        && is_right(&inst, 2, right)
                        && inst.immediate8() == predicate
                        && is_mask(&inst, only),
                    "{to} {left} {right:?} {predicate} {only:?}"
                );
            }
            let inst = written(|code| code.less_bits(to, left, right));
            assert!(
                inst.code() == Name::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8
                    && [inst.op0_register(), inst.op1_register()] == [k(to), zmm(left)]
                    && is_right(&inst, 2, right)
                    && inst.immediate8() == 1
                    && is_mask(&inst, Mask::None),
                "{to} {left} {right:?}"
            );
        }
    }
}

#[test]
fn shifts() {
    let ways = [
        (Shift::Right, Name::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8),
        (Shift::RightSigned, Name::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8),
    ];
    for (how, name) in ways {
        for (to, from) in (0..32).flat_map(|to| (0..32).map(move |from| (to, from))) {
            for count in [1, 31] {
                let inst = written(|code| code.shift(how, to, from, count));
                assert!(
                    inst.code() == name
                        && [inst.op0_register(), inst.op1_register()] == [zmm(to), zmm(from)]
                        && inst.immediate8() == count
                        && is_mask(&inst, Mask::None),
                    "{how:?} {to} {from} {count}"
                );
            }
        }
    }
}

#[test]
fn operations_on_masks() {
    for (to, a, b) in (0..512).map(|bits: u16| ((bits & 7) as u8, (bits >> 3 & 7) as u8, (bits >> 6) as u8)) {
        for (op, name) in [(Logic::And, Name::VEX_Kandw_kr_kr_kr), (Logic::Or, Name::VEX_Korw_kr_kr_kr)] {
            let inst = written(|code| code.logic(op, to, [a, b]));
            let registers = [inst.op0_register(), inst.op1_register(), inst.op2_register()];
            assert!(inst.code() == name && registers == [k(to), k(a), k(b)], "{op:?} {to} {a} {b}");
        }
        let inst = written(|code| code.not(to, a));
        let registers = [inst.op0_register(), inst.op1_register()];
        assert!(inst.code() == Name::VEX_Knotw_kr_kr && registers == [k(to), k(a)], "{to} {a}");
    }
}

#[test]
fn addresses_of_columns() {
    for (pointer, register) in POINTERS {
        for index in [0, 1, 15, 16, 127, 1 << 20] {
            let inst = written(|code| code.pointer(pointer, index));
            assert!(
                inst.code() == Name::Mov_r64_rm64
                    && inst.op0_register() == register
                    && [inst.memory_base(), inst.memory_index()] == [Register::RDI, Register::None]
                    && inst.memory_displacement64() == index as u64 * 8,
                "{pointer:?} {index}"
            );
        }
    }
}

/// A loop around nothing, and around much: it ends where it began.
#[test]
fn the_loop() {
    for body in [0, 1, 60_000] {
        let mut code = Code::default();
        let start = code.begin();
        (0..body).for_each(|_| code.not(1, 1));
        code.again(start);
        let insts: Vec<Instruction> =
            Decoder::with_ip(64, &code.0, 0, DecoderOptions::NONE).into_iter().collect();
        let names: Vec<Name> = insts.iter().map(Instruction::code).collect();
        assert_eq!(names[0], Name::Xor_rm32_r32);
        assert!(names[1..=body].iter().all(|name| *name == Name::VEX_Knotw_kr_kr));
        let [add, compare, jump, upper, back] = insts[body + 1..] else { panic!("{names:?}") };
        assert_eq!([insts[0].op0_register(), insts[0].op1_register()], [Register::R9D; 2]);
        assert_eq!(
            (add.code(), add.op0_register(), add.immediate8to64()),
            (Name::Add_rm64_imm8, Register::R9, 64)
        );
        assert_eq!(compare.code(), Name::Cmp_rm64_r64);
        assert_eq!([compare.op0_register(), compare.op1_register()], [Register::R9, Register::R8]);
        assert_eq!((jump.code(), jump.near_branch64()), (Name::Jb_rel32_64, start as u64));
        assert_eq!([upper.code(), back.code()], [Name::VEX_Vzeroupper, Name::Retnq]);
    }
}
