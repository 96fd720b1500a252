//! The rules of well-formed functions.

use crate::common::{function, ir};
use gpuzoo_ir::{
    Function, Inst, Op2, Pick, Value, eval, passes,
    verify::{Problem, verify},
};
use proptest::prelude::*;

fn base() -> Function {
    ir("v0 = input 0\nv1 = fadd v0, v0\nv2 = v0.x_z0 | v1._y__\noutput 0 = v1\noutput 4 = v2")
}

fn problems(change: impl FnOnce(&mut Function)) -> Vec<Problem> {
    let mut f = base();
    change(&mut f);
    verify(&f).err().unwrap_or_default()
}

#[test]
fn good_functions_pass() {
    assert_eq!(verify(&base()), Ok(()));
    assert_eq!(verify(&Function::default()), Ok(()));
}

#[test]
fn every_rule_is_checked() {
    let late = |operand| Problem::Operand { inst: Value(1), operand: Value(operand) };
    assert_eq!(problems(|f| f.insts[1] = Inst::Map2(Op2::FAdd, [Value(1), Value(0)])), [late(1)]);
    assert_eq!(problems(|f| f.insts[1] = Inst::Map2(Op2::FAdd, [Value(2), Value(77)])), [late(2), late(77)]);
    assert_eq!(problems(|f| f.insts[1] = Inst::Kill(Value(u32::MAX))), [late(u32::MAX)]);
    let picks = [Pick::A(3), Pick::B(4), Pick::A(255), Pick::One];
    assert_eq!(
        problems(|f| f.insts[2] = Inst::Shuffle([Value(0), Value(1)], picks)),
        [4, 255].map(|component| Problem::Pick { inst: Value(2), component })
    );
    assert_eq!(problems(|f| f.origins.truncate(2)), [Problem::Origins { insts: 3, origins: 2 }]);
    assert_eq!(problems(|f| f.origins.push(None)), [Problem::Origins { insts: 3, origins: 4 }]);
    assert_eq!(
        problems(|f| f.outputs[0].1 = Value(3)),
        [Problem::OutputValue { output: 0, value: Value(3) }]
    );
    assert_eq!(problems(|f| f.outputs[1].0 = 0), [Problem::OutputOrder { output: 0 }]);
    assert_eq!(problems(|f| f.outputs.swap(0, 1)), [Problem::OutputOrder { output: 0 }]);
}

#[test]
fn problems_say_what_is_wrong() {
    let all = problems(|f| {
        f.insts[0] = Inst::Kill(Value(0));
        f.outputs[1] = (0, Value(9));
    });
    let said: Vec<String> = all.iter().map(Problem::to_string).collect();
    assert_eq!(
        said,
        [
            "v0 reads v0, which is not defined above it",
            "output 0 is v9, which does not exist",
            "output 0 does not follow a lower one",
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Functions with one operand, pick or output changed: those that verify run and optimize without a panic.
    #[test]
    fn verified_functions_run(f in function(12), at: prop::sample::Index, to in 0..16u32, what in 0..4u8, pick in 0..6u8) {
        let mut f = f;
        let index = at.index(f.insts.len());
        match what {
            0 => f.insts[index] = f.insts[index].map_operands(|_| Value(to)),
            1 => f.outputs.push((to as u16, Value(to))),
            2 => f.insts[index] = Inst::Shuffle([Value(0); 2], [Pick::A(pick), Pick::B(pick), Pick::Zero, Pick::One]),
            _ => f.origins.truncate(to as usize),
        }
        if verify(&f).is_ok() {
            eval::outputs(&f, &[], &[]);
            prop_assert_eq!(verify(&passes::optimize(&f)), Ok(()));
        } else {
            // Printing is for looking at broken functions, too.
            prop_assert!(!f.to_string().is_empty());
        }
    }
}
