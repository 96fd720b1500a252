//! What directed vectors are made of: each way to write an operand is in one of a row's variations.

use gpuzoo::isa::{Inst, Isa, Kind, Map, Mask, Op, Operand, Part, Swizzle, SwizzleCode};
use gpuzoo::shader_units;

/// What a part is in all variations of a row, where that is a register.
fn operands<'a>(all: &'a [Inst], part: &'a Part) -> impl Iterator<Item = &'a Operand> {
    let is_register = |operand: &&Operand| operand.immediates.is_empty();
    all.iter().map(|inst| inst.operand(part)).filter(is_register)
}

fn swizzles(part: &Part) -> Vec<Swizzle> {
    match part.swizzle {
        None => Vec::new(),
        Some(_) if part.scalar => (0..4).map(Swizzle::broadcast).collect(),
        Some((_, SwizzleCode::Listed(all))) => all.to_vec(),
        Some(_) => (0..=255).map(Swizzle).collect(),
    }
}

fn check(isa: &'static Isa, op: &'static Op) {
    let all = isa.variations(op);
    assert!(!all.is_empty(), "{}", op.name);
    for part in op.parts {
        let of = || operands(&all, part);
        for swizzle in swizzles(part) {
            assert!(of().any(|operand| operand.swizzle == swizzle), "{} {}: {swizzle}", op.name, part.name);
        }
        if part.mask.is_some() {
            for mask in 1..16 {
                assert!(of().any(|operand| operand.mask == Mask(mask)), "{} {}: {mask}", op.name, part.name);
            }
        }
        for sign in [false, true] {
            let negated = part.negate.is_none() || of().any(|operand| operand.negate == sign);
            let absolute = part.abs.is_none() || of().any(|operand| operand.abs == sign);
            assert!(negated && absolute, "{} {}", op.name, part.name);
        }
        for choice in part.choices.iter().filter(|choice| choice.writable && choice.illegal.is_empty()) {
            let Kind::Reg { file, map, .. } = choice.kind else { continue };
            let found: Vec<u16> =
                of().filter(|operand| operand.reg.file == file).map(|operand| operand.reg.index).collect();
            assert!(!found.is_empty(), "{} {}: {file}", op.name, part.name);
            let description = &isa.files[usize::from(file)];
            // Of a large file not all need be there.
            let is_small = description.count <= 32 && !matches!(map, Map::Codes(_));
            let can_be = |index: &u16| is_small && description.has(*index);
            let missing: Vec<u16> =
                (0..description.count).filter(|index| can_be(index) && !found.contains(index)).collect();
            assert!(missing.is_empty(), "{} {}: {missing:?} of {}", op.name, part.name, description.name);
        }
    }
}

#[test]
fn each_form_of_each_operand_is_there() {
    for unit in shader_units() {
        let isa = unit.isa();
        isa.ops().filter(|op| !op.internal).for_each(|op| check(isa, op));
    }
}
