//! Each pass on functions written by hand, and all of them on random ones.

use crate::common::{EDGES, Noise, behaviour, function, ir, vectors};
use gpuzoo_ir::{Dot, Function, Inst, Op2, Value, eval, passes, verify::verify};
use proptest::prelude::*;

/// The result of a pass must be `after`.
#[track_caller]
fn becomes(pass: fn(&Function) -> Function, before: &str, after: &str) {
    // Through `ir`, so that the layout of the text does not matter.
    assert_eq!(pass(&ir(before)).to_string(), ir(after).to_string());
}

#[test]
fn fold_computes_constants() {
    becomes(
        passes::fold,
        "v0 = const (1.0, -2.0, 0x7f800001, inf) @1
         v1 = const (2.0, 2.0, 2.0, -inf)        @2
         v2 = fadd v0, v1                        @3
         v3 = fneg v0                            @4
         v4 = v0.z10_ | v1.___x                  @5
         v5 = const (1.0, 2.0, 3.0, 4.0)         @6
         v6 = dot3 v5, v5                        @7
         v7 = fmad v5, v5, v1                    @8
         output 0 = v2",
        "v0 = const (1.0, -2.0, 0x7f800001, inf) @1
         v1 = const (2.0, 2.0, 2.0, -inf)        @2
         v2 = const (3.0, 0.0, nan, nan)         @3
         v3 = const (-1.0, 2.0, 0xff800001, -inf) @4
         v4 = const (0x7f800001, 1.0, 0.0, 2.0)  @5
         v5 = const (1.0, 2.0, 3.0, 4.0)         @6
         v6 = const (14.0, 14.0, 14.0, 14.0)     @7
         v7 = const (3.0, 6.0, 11.0, -inf)       @8
         output 0 = v2",
    );
}

#[test]
fn fold_finds_uniforms_at_constant_indices() {
    becomes(
        passes::fold,
        "v0 = const (0x3, 0.0, 0.0, 0.0)
         v1 = const (0xffffffff, 0.0, 0.0, 0.0)
         v2 = input 0
         v3 = uniform[v0.x + 2 < 6]
         v4 = uniform[v0.x + 3 < 6]
         v5 = uniform[v1.x < 6]
         v6 = uniform[v1.x + 1 < 6]
         v7 = uniform[v2.x < 0]
         v8 = uniform[v2.x < 1]",
        "v0 = const (0x3, 0.0, 0.0, 0.0)
         v1 = const (0xffffffff, 0.0, 0.0, 0.0)
         v2 = input 0
         v3 = uniform 5
         v4 = const (0, 0, 0, 0)
         v5 = const (0, 0, 0, 0)
         v6 = uniform 0
         v7 = const (0, 0, 0, 0)
         v8 = uniform[v2.x < 1]",
    );
}

#[test]
fn fold_drops_kills_that_never_kill() {
    becomes(
        passes::fold,
        "v0 = const (0.0, -0.0, 0xffc00000, 1.0)
         v1 = kill v0
         v2 = const (0.0, 0.0, 0.0, -1.0)
         v3 = kill v2
         output 0 = v1
         output 1 = v3",
        "v0 = const (0.0, -0.0, 0xffc00000, 1.0)
         v2 = const (0.0, 0.0, 0.0, -1.0)
         v3 = kill v2
         output 0 = v0
         output 1 = v3",
    );
}

#[test]
fn what_is_not_exact_is_not_simplified() {
    let source = "\
v0 = const (0.0, 0.0, 0.0, 0.0)
v1 = const (1.0, 1.0, 1.0, 1.0)
v2 = input 0
v3 = fadd v2, v0
v4 = fmul v3, v1
v5 = fsub v4, v4
v6 = fmul v5, v0
v7 = fdiv v6, v1
output 0 = v7
";
    assert_eq!(passes::optimize(&ir(source)).to_string(), source);
}

#[test]
fn shuffles_of_shuffles_are_one() {
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = v0.wzyx
         v2 = v1.wzyx
         v3 = v1.yy1x
         v4 = fadd v2, v3
         output 0 = v4
         output 1 = v1",
        "v0 = input 0
         v1 = v0.wzyx
         v3 = v0.zz1w
         v4 = fadd v0, v3
         output 0 = v4
         output 1 = v1",
    );
}

#[test]
fn shuffles_look_through_as_many_operands_as_two_can_replace() {
    // v4 has components of v0, v1 and v2 in the end, so it keeps v3; v5 has none of v1. Component w of v3 is not read.
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = input 1
         v2 = input 2
         v3 = v0.xy__ | v1.__zw
         v4 = v3.x_z0 | v2._y__
         v5 = v3.yx__ | v2.__xx
         output 0 = v4
         output 1 = v5",
        "v0 = input 0
         v1 = input 1
         v2 = input 2
         v3 = v0.xy_w | v1.__z_
         v4 = v2._y_0 | v3.x_z_
         v5 = v0.yx__ | v2.__xx
         output 0 = v4
         output 1 = v5",
    );
}

#[test]
fn shuffles_know_zero_and_one_in_constants() {
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = const (0.0, 1.0, -0.0, 2.0)
         v2 = v0.xy__ | v1.__xy
         v3 = v0.xy__ | v1.__zw
         v4 = v1.xxyy
         output 0 = v2
         output 1 = v3
         output 2 = v4",
        "v0 = input 0
         v1 = const (0.0, 1.0, -0.0, 2.0)
         v2 = v0.xy01
         v3 = v0.xy__ | v1.__zw
         v4 = const (0.0, 0.0, 1.0, 1.0)
         output 0 = v2
         output 1 = v3
         output 2 = v4",
    );
}

#[test]
fn components_that_are_equal_are_taken_from_their_own_place() {
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = dot3 v0, v0
         v2 = v1.xxxx
         v3 = v1.w000
         output 0 = v2
         output 1 = v3",
        "v0 = input 0
         v1 = dot3 v0, v0
         v3 = v1.x000
         output 0 = v1
         output 1 = v3",
    );
}

#[test]
fn readers_of_kills_read_their_operand() {
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = kill v0
         v2 = fneg v1
         output 0 = v2
         output 1 = v1",
        "v0 = input 0
         v1 = kill v0
         v2 = fneg v0
         output 0 = v2
         output 1 = v0",
    );
}

#[test]
fn components_nobody_reads_need_no_shuffle() {
    // Of v2 only x and y are read: it is v0 there. Of v3 only z and w are read, which are constants.
    becomes(
        passes::shuffles,
        "v0 = input 0
         v1 = input 1
         v2 = v0.xy__ | v1.__zw
         v3 = v1.xy01
         v4 = v2.xy__ | v3.__zw
         output 0 = v4",
        "v0 = input 0
         v1 = input 1
         v3 = const (0.0, 0.0, 0.0, 1.0)
         v4 = v0.xy01
         output 0 = v4",
    );
}

#[test]
fn cse_keeps_the_first_of_equals() {
    becomes(
        passes::cse,
        "v0 = input 0     @0
         v1 = input 0     @1
         v2 = input 1     @2
         v3 = fmul v0, v2 @3
         v4 = fmul v2, v1 @4
         v5 = fmin v0, v2 @5
         v6 = fmin v2, v0 @6
         v7 = dot4 v3, v0 @7
         v8 = dot4 v1, v4 @8
         v9 = fmad v0, v2, v7  @9
         v10 = fmad v2, v0, v8 @10
         v11 = fmad v2, v7, v0 @11
         v12 = fsub v5, v6     @12
         v13 = sample 0, v0    @13
         v14 = sample 0, v1    @14
         v15 = sample 1, v1    @15
         output 0 = v10
         output 1 = v14",
        "v0 = input 0     @0
         v2 = input 1     @2
         v3 = fmul v0, v2 @3
         v5 = fmin v0, v2 @5
         v6 = fmin v2, v0 @6
         v7 = dot4 v3, v0 @7
         v9 = fmad v0, v2, v7  @9
         v11 = fmad v2, v7, v0 @11
         v12 = fsub v5, v6     @12
         v13 = sample 0, v0    @13
         v15 = sample 1, v0    @15
         output 0 = v9
         output 1 = v13",
    );
}

/// Operands are swapped where, and only where, that changes no bit.
#[test]
fn cse_swaps_operands_that_commute() {
    for &op in Op2::ALL {
        let name = op.name();
        let f = ir(&format!("v0 = input 0\nv1 = input 1\nv2 = {name} v0, v1\nv3 = {name} v1, v0"));
        let merged = passes::cse(&f).insts.len() == 3;
        let pairs = EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b)));
        let commutes = pairs.into_iter().all(|(a, b)| op.eval(a, b) == op.eval(b, a));
        assert_eq!(merged, commutes, "{name}");
    }
    for &dot in Dot::ALL {
        let name = dot.name();
        let f = ir(&format!("v0 = input 0\nv1 = input 1\nv2 = {name} v0, v1\nv3 = {name} v1, v0"));
        assert_eq!(passes::cse(&f).insts.len(), 3, "{name}");
        for (a, b) in EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))) {
            let (left, right) = ([a, b, 0x3f80_0000, 0x3f00_0000], [b, 0xbf80_0000, a, 0x4049_0fdb]);
            assert_eq!(dot.eval(left, right), dot.eval(right, left), "{name} {left:08x?} {right:08x?}");
        }
    }
}

#[test]
fn the_second_kill_of_a_value_goes_away_and_the_order_stays() {
    becomes(
        passes::cse,
        "v0 = input 0
         v1 = input 1
         v2 = kill v1 @2
         v3 = kill v0 @3
         v4 = kill v1 @4",
        "v0 = input 0
         v1 = input 1
         v2 = kill v1 @2
         v3 = kill v0 @3",
    );
}

#[test]
fn dead_drops_what_nothing_depends_on() {
    becomes(
        passes::dead,
        "v0 = input 0
         v1 = input 1
         v2 = fneg v1
         v3 = sample 0, v2
         v4 = fabs v0
         v5 = kill v4
         output 0 = v0",
        "v0 = input 0
         v4 = fabs v0
         v5 = kill v4
         output 0 = v0",
    );
}

#[test]
fn demand_tells_the_components_that_are_read() {
    let masks = |source| passes::demand(&ir(source));
    let source = "
        v0 = input 0
        v1 = uniform[v0.x < 9]
        v2 = fsqrt v1
        v3 = v2.zz0_ | v0.___y
        v4 = dot3 v3, v3
        v5 = v4.y000
        output 0 = v5";
    // v5 reads y of v4; the dot reads xyz of v3, two of which are z of v2; v3.w, which is v0.y, is not read.
    assert_eq!(masks(source), [0b0001, 0b0100, 0b0100, 0b0111, 0b0010, 0b1111]);
    assert_eq!(masks("v0 = input 0\nv1 = v0.xxxx\nv2 = kill v1\nv3 = fneg v2"), [0b0001, 0b1111, 0, 0]);
    assert_eq!(
        masks("v0 = input 0\nv1 = sample 0, v0\nv2 = v1.w001\noutput 3 = v2"),
        [0b1111, 0b1000, 0b1111]
    );
    assert_eq!(
        masks("v0 = input 0\nv1 = dot4 v0, v0\nv2 = v1.___0 | v0.xyz_\noutput 3 = v2"),
        [0b0111, 0, 0b1111]
    );
}

#[test]
fn optimize_finds_what_one_round_does_not() {
    // A matrix column by column, with masks, as machine code does it: four dots written component by component.
    let source = "
        v0 = input 0                      @0
        v1 = uniform 0                    @1
        v2 = uniform 1                    @2
        v3 = const (0.0, 0.0, 0.0, 0.0)
        v4 = dot4 v0, v1                  @3
        v5 = v3._yzw | v4.x___            @3
        v6 = dot4 v0, v2                  @4
        v7 = v5.x_zw | v6._y__            @4
        v8 = v7.xyz1                      @5
        v9 = fadd v3, v3                  @6
        v10 = v8.xy_w | v9.__z_           @6
        output 0 = v10";
    let expected = "
        v0 = input 0                      @0
        v1 = uniform 0                    @1
        v2 = uniform 1                    @2
        v4 = dot4 v0, v1                  @3
        v6 = dot4 v0, v2                  @4
        v10 = v4.x_01 | v6._y__           @6
        output 0 = v10";
    becomes(passes::optimize, source, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_pass_keeps_outputs_and_kills(f in function(40), inputs in vectors(3), uniforms in vectors(6)) {
        let expected = behaviour(&f, &inputs, &uniforms);
        type Pass = fn(&Function) -> Function;
        let passes: [(&str, Pass); 5] = [
            ("fold", passes::fold),
            ("cse", passes::cse),
            ("shuffles", passes::shuffles),
            ("dead", passes::dead),
            ("optimize", passes::optimize),
        ];
        for (name, pass) in passes {
            let after = pass(&f);
            prop_assert_eq!(verify(&after), Ok(()), "{}", name);
            prop_assert_eq!(behaviour(&after, &inputs, &uniforms), expected.clone(), "{}\n{}\n{}", name, f, after);
            prop_assert!(after.insts.len() <= f.insts.len(), "{}", name);
        }
    }

    #[test]
    fn optimize_reaches_a_fixed_point(f in function(60)) {
        let once = passes::optimize(&f);
        prop_assert_eq!(passes::optimize(&once), once);
    }

    #[test]
    fn after_optimize_every_instruction_is_read(f in function(40)) {
        let f = passes::optimize(&f);
        let masks = passes::demand(&f);
        for (inst, mask) in f.insts.iter().zip(masks) {
            prop_assert!(mask != 0 || inst.has_effect(), "{}\n{}", inst, f);
        }
    }

    /// Changing components that are not demanded changes no output and no kill.
    #[test]
    fn demand_covers_every_dependence(
        f in function(30), inputs in vectors(3), uniforms in vectors(6), at: prop::sample::Index, junk in vectors(1),
    ) {
        let at = at.index(f.insts.len());
        let mask = passes::demand(&f)[at];
        let expected = behaviour(&f, &inputs, &uniforms);
        let mut run = eval::Run::default();
        run.run(&f, &inputs, &uniforms, &Noise);
        let mut components = run.value(Value(at as u32));
        (0..4).filter(|c| mask >> c & 1 == 0).for_each(|c| components[c] = junk[0][c]);
        let mut changed = f.clone();
        if !f.insts[at].has_effect() {
            changed.insts[at] = Inst::Const(components);
        }
        prop_assert_eq!(behaviour(&changed, &inputs, &uniforms), expected);
    }
}
