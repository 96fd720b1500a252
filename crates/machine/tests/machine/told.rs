//! What a shader's session tells of a run.

use crate::tiny::{C, ISA, R, program, session};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{Constant, Home, Mask, Profile, Program, Reg};
use gpuzoo_machine::session::{Cell, Dataflow, Event, Name, Register, Session, ShaderSession, Value};

/// The events of a step but for the writes, as text.
fn events(session: &mut ShaderSession, step: u64) -> Vec<String> {
    let all = session.events(step).unwrap();
    let shown = all.iter().filter_map(|event| match event {
        Event::NotANumber { register, components } => Some(format!("nan {register}.{components}")),
        Event::Infinite { register, components } => Some(format!("inf {register}.{components}")),
        Event::UndefinedRead { register, components } => Some(format!("undefined {register}.{components}")),
        Event::OutOfReach { register, number } => Some(format!("out of reach {register} {number}")),
        Event::TextureRead { number } => Some(format!("texture {number}")),
        Event::Killed => Some("killed".to_owned()),
        _ => None,
    });
    shown.collect()
}

/// A register before a step.
#[track_caller]
fn register(session: &mut ShaderSession, step: u64, name: &str) -> Register {
    let state = session.state(step).unwrap();
    state.into_iter().find(|own| own.name == name).unwrap_or_else(|| panic!("{name} is there"))
}

fn bits(session: &mut ShaderSession, step: u64, name: &str) -> Vec4 {
    let Value::Vec4(bits, _) = register(session, step, name).value else { panic!("{name} is a vector") };
    bits
}

#[test]
fn what_makes_a_nan_or_an_infinity_is_told_and_what_moves_one_is_not() {
    let program = program(&[
        "mov r0 in0",
        "rcp r1 r0",
        "mov r2 r1",
        "add r3 r1 r2",
        "sub r4 r1 r2",
        "add r5 r4 r4",
        "nrcp r6 r0",
        "rcp r7.xy r0",
        "iadd r5 r4 r0",
        "mov out0 r6",
    ]);
    // 1 / in0 = (infinity, 1/2, -infinity, -1).
    let mut session = session(&program, &[vec4([0.0, 2.0, -0.0, -1.0])]);
    let all: Vec<Vec<String>> = (0..10).map(|step| events(&mut session, step)).collect();
    let none: Vec<String> = Vec::new();
    assert_eq!(all[0], none);
    assert_eq!(all[1], ["inf r1.xz"]);
    assert_eq!(all[2], none, "moved");
    assert_eq!(all[3], none, "a sum of infinities");
    // Infinity - infinity: a NaN where there was none.
    assert_eq!(all[4], ["nan r4.xz"]);
    assert_eq!(all[5], none, "a sum of NaN");
    // What the instruction makes and then negates is what it makes.
    assert_eq!(all[6], ["inf r6.xz"]);
    // Of what it makes, what it writes; a merge with what was there moves it.
    assert_eq!(all[7], ["inf r7.x"]);
    assert_eq!(all[8], none, "an integer is no NaN, whatever its bits are");
    assert_eq!(all[9], none);
    assert_eq!(bits(&mut session, 10, "r1"), vec4([f32::INFINITY, 0.5, f32::NEG_INFINITY, -1.0]));
}

#[test]
fn what_is_read_is_told_with_what_was_not_there() {
    let program =
        program(&["mova a0 in1", "mov r0 c[a0 3]", "mov r1.x c[a0 7]", "add r2.xy r0 r5", "tex r3 in0"]);
    let mut session = session(&program, &[[0; 4], [2, 0, 0, 0]]);
    let mut reads = |step| -> Vec<(Name, u8, Value)> {
        let all = session.reads(step).unwrap().into_iter();
        let shown = all.map(|read| match read.cell {
            Cell::Register(name) => (name, read.components.0, read.value),
            Cell::Memory(_) => panic!("a register"),
        });
        shown.collect()
    };
    // The register that is found at a computed number: c[2 + 3]. There is no c9.
    let value = |value: f32| Value::floats(vec4([value; 4]));
    assert_eq!(
        reads(1),
        [("a0".into(), 1, Value::Vec4([2, 0, 0, 0], Mask(1))), ("c5".into(), 15, value(5.0))]
    );
    assert_eq!(reads(2).len(), 1);
    // Two components count under the mask.
    assert_eq!(reads(3), [("r0".into(), 3, value(5.0)), ("r5".into(), 3, value(0.0))]);
    assert_eq!(events(&mut session, 1), [""; 0]);
    assert_eq!(events(&mut session, 2), ["out of reach c7 9"]);
    assert_eq!(events(&mut session, 3), ["undefined r5.xy"]);
    assert_eq!(events(&mut session, 4), ["texture 2"]);
}

#[test]
fn reads_at_computed_numbers_are_found_slot_by_slot() {
    // One in a slot whose other half reads a register, and one in the slot after it.
    let program = program(&["mova a0 in1", "mov r0 c[a0 6] + mvs r1 r4", "mov r2 c[a0 1]"]);
    let mut session = session(&program, &[[0; 4], [1, 0, 0, 0]]);
    assert_eq!(session.total(), Some(4));
    for step in 0..4 {
        assert!(events(&mut session, step).iter().all(|event| !event.starts_with("out")), "{step}");
    }
    assert_eq!(bits(&mut session, 4, "r0"), vec4([7.0; 4]));
    assert_eq!(bits(&mut session, 4, "r2"), vec4([2.0; 4]));
}

#[test]
fn a_register_holds_what_was_written_so_far() {
    let program = program(&["mov r0.x in0", "mov r0.zw in0", "mov out0 r0"]);
    let mut session = session(&program, &[vec4([1.0, 2.0, 3.0, 4.0])]);
    let mut at = |step| {
        let own = register(&mut session, step, "r0");
        (own.value, own.written.0, own.group)
    };
    let value = |components| Value::floats(vec4(components));
    assert_eq!(at(0), (value([0.0; 4]), 0, "Temporaries"));
    assert_eq!(at(1), (value([1.0, 0.0, 0.0, 0.0]), 0b0001, "Temporaries"));
    assert_eq!(at(2), (value([1.0, 0.0, 3.0, 4.0]), 0b1101, "Temporaries"));
    assert_eq!(at(3), at(2));
    let groups = ["in0", "out0"].map(|name| register(&mut session, 0, name).group);
    assert_eq!(groups, ["Inputs", "Outputs"]);
    assert_eq!(session.state(4), None);
    // What the second step changed, and that it wrote.
    let changes = session.changes(1).unwrap();
    let [change] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!((&change.cell, change.components), (&Cell::Register("r0".into()), Mask(0b1100)));
    assert_eq!([change.before, change.after], [value([1.0, 0.0, 0.0, 0.0]), value([1.0, 0.0, 3.0, 4.0])]);
    let written = Event::RegisterWrite { register: "r0".into(), components: Mask(0b1100) };
    assert_eq!(session.events(1).unwrap(), [written]);
    assert_eq!((session.changes(3), session.events(3), session.reads(3)), (None, None, None));
}

#[test]
fn a_run_ends_at_its_kill() {
    let slots = ["mov r0 in0", "kil in0", "mov r1 r0"];
    let mut killed = session(&program(&slots), &[vec4([1.0, 1.0, -1.0, 1.0])]);
    assert_eq!((killed.total(), killed.killed()), (Some(2), true));
    assert_eq!([events(&mut killed, 0), events(&mut killed, 1)], [vec![], vec!["killed".to_owned()]]);
    assert_eq!(killed.place(1).map(|place| place.text), Some("kil in0".to_owned()));
    assert_eq!(killed.place(2), None);
    // The listing has what is behind it all the same.
    assert_eq!(killed.listing(0..9, 0).len(), 3);
    let mut alive = session(&program(&slots), &[vec4([1.0; 4])]);
    assert_eq!((alive.total(), alive.killed()), (Some(3), false));
    assert!((0..3).all(|step| events(&mut alive, step).is_empty()));
}

#[test]
fn steps_are_instructions_and_slots_may_have_two() {
    let program = program(&["mov r0 in0", "add r1 r0 r0 + mvs r2 r1", "mov r3 r2"]);
    let mut session = session(&program, &[vec4([1.0; 4])]);
    let places: Vec<(u64, u8)> = session.places().map(|place| (place.at, place.part)).collect();
    assert_eq!(places, [(0, 0), (1, 0), (1, 1), (2, 0)]);
    // Both halves read what there was before the slot: r1 was 0.
    assert_eq!([bits(&mut session, 4, "r1"), bits(&mut session, 4, "r3")], [vec4([2.0; 4]), [0; 4]]);
    let listing = session.listing(1..3, 1);
    let shown: Vec<_> = listing.iter().map(|own| (own.place.at, own.place.part, own.bytes.clone())).collect();
    let bytes = |slot: usize| program.slots[slot].bits.words[0].to_le_bytes().to_vec();
    // The bytes of a slot come with its first instruction.
    assert_eq!(shown, [(1, 0, bytes(1)), (1, 1, vec![]), (2, 0, bytes(2))]);
    let text: Vec<&str> = listing.iter().map(|own| own.place.text.as_str()).collect();
    assert_eq!(text, ["add r1 r0 r0", "mvs r2 r1", "mov r3 r2"]);
    assert_eq!(session.lines().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn a_session_goes_forward_and_back_and_stops_at_both_ends() {
    let program = program(&["mov r0 in0", "mov r1 r0"]);
    let mut session = session(&program, &[vec4([1.0; 4])]);
    assert_eq!((session.position(), session.total()), (0, Some(2)));
    assert!(!session.back());
    assert!(session.step());
    assert_eq!(session.position(), 1);
    assert!(session.step() && !session.step());
    assert_eq!(session.position(), 2);
    assert!(session.back());
    assert_eq!(session.position(), 1);
    assert_eq!((session.seek(2), session.seek(9), session.seek(u64::MAX), session.seek(0)), (2, 2, 2, 0));
    assert!(session.shader().is_some() && session.reports("r0"));
    // A shader has no stack, no memory, no names of addresses, and makes no files.
    assert_eq!((session.depth(), session.spaces().len(), session.peek("ram", 0..4)), (0, 0, None));
    assert_eq!((session.symbol("r0"), session.label(0), session.picture()), (None, None, None));
    assert!(session.files().is_ok_and(|files| files.is_empty()));
    let history = session.history();
    assert_eq!((history.oldest, history.rerun), (0, 0));
}

#[test]
fn what_is_kept_counts() {
    let kept = |slots: &[&str]| session(&program(slots), &[]).history().bytes;
    let all = ["mov r0 in0", "mov r1 r0", "add r2 r1 r0", "rcp r3 r2"];
    let bytes: Vec<usize> = (0..=4).map(|count| kept(&all[..count])).collect();
    // Each step keeps at least the register's value with the number of its step, the change, the read, and the text.
    for pair in bytes.windows(2) {
        assert!(pair[1] - pair[0] >= 4 * size_of::<Vec4>() + "mov r0 in0".len(), "{bytes:?}");
    }
    // `nrcp` has one value more than `rcp`, the negated quotient, and a name that is one letter longer.
    let of = |last: &str| kept(&["mov r0 in0", last]);
    let with_values = of("nrcp r1 r0") - of("rcp r1 r0");
    assert_eq!(with_values, size_of::<Vec4>() + "n".len(), "one value and one letter");
    // An input that is read has one value more in the run, and its own past: from which step on, what, and what is written of it.
    let with_input = kept(&["mov r0 in0", "mov r1 in1"]) - kept(&["mov r0 in0", "mov r1 in0"]);
    assert_eq!(with_input, size_of::<Vec4>() + size_of::<(usize, Vec4, Mask)>());
}

#[test]
fn a_poke_changes_what_comes_after_it() {
    let program = program(&["mov r0 in0", "mov r1 r0", "add r2 r1 r1", "mov r3 r0"]);
    let start = || session(&program, &[vec4([1.0, 2.0, 3.0, 4.0])]);
    let cell = |name: &str| Cell::Register(name.to_owned().into());
    let value = |value: f32| Value::floats(vec4([value; 4]));
    let mut session = start();
    session.seek(1);
    assert!(session.poke(&cell("r0"), Mask(0b0101), value(9.0)));
    assert_eq!(session.position(), 1);
    assert_eq!(bits(&mut session, 0, "r0"), [0; 4]);
    assert_eq!(bits(&mut session, 1, "r0"), vec4([9.0, 2.0, 9.0, 4.0]));
    assert_eq!(bits(&mut session, 4, "r2"), vec4([18.0, 4.0, 18.0, 8.0]));
    assert_eq!(bits(&mut session, 4, "r3"), vec4([9.0, 2.0, 9.0, 4.0]));
    // A register that the program does not know.
    assert!(session.poke(&cell("r7"), Mask(0b1000), value(5.0)));
    assert_eq!(bits(&mut session, 4, "r7"), vec4([0.0, 0.0, 0.0, 5.0]));

    // No such register, one that is not a vector, a memory: nothing has changed.
    for (cell, value) in [
        (cell("r8"), value(1.0)),
        (cell("r0"), Value::integer(1_u32, 32)),
        (Cell::Memory(gpuzoo_machine::session::Address { space: "ram", bank: None, at: 0 }), value(1.0)),
    ] {
        assert!(!session.poke(&cell, Mask::ALL, value));
    }
    assert_eq!(bits(&mut session, 4, "r3"), vec4([9.0, 2.0, 9.0, 4.0]));
    assert!(!ShaderSession::default().poke(&cell("r0"), Mask::ALL, value(1.0)));
}

#[test]
fn of_pokes_at_a_place_those_that_are_covered_and_those_after_it_are_forgotten() {
    let program = program(&["mov r0 in0", "mov r1 r0", "mov r2 r0"]);
    let mut session = session(&program, &[vec4([1.0, 2.0, 3.0, 4.0])]);
    let mut poke = |position: u64, mask: u8, value: f32| {
        session.seek(position);
        let value = Value::floats(vec4([value; 4]));
        assert!(session.poke(&Cell::Register("r0".into()), Mask(mask), value));
        let kept = session.dataflow().lowered().pokes.iter();
        let kept: Vec<(usize, u8)> = kept.map(|own| (own.step, own.components.0)).collect();
        (kept, bits(&mut session, 3, "r2"))
    };
    assert_eq!(poke(1, 0b0011, 5.0), (vec![(1, 0b0011)], vec4([5.0, 5.0, 3.0, 4.0])));
    // Another component of the same place; then one that covers the first of them, not the second.
    assert_eq!(poke(1, 0b0100, 6.0).0, [(1, 0b0011), (1, 0b0100)]);
    let (kept, value) = poke(1, 0b1011, 7.0);
    assert_eq!((kept, value), (vec![(1, 0b0100), (1, 0b1011)], vec4([7.0, 7.0, 6.0, 7.0])));
    // Later, those before stay.
    let (kept, value) = poke(2, 0b1111, 8.0);
    assert_eq!((kept, value), (vec![(1, 0b0100), (1, 0b1011), (2, 0b1111)], vec4([8.0; 4])));
    // Earlier: what was later is forgotten, that at the start is overwritten by the program.
    let (kept, value) = poke(0, 0b0001, 9.0);
    assert_eq!((kept, value), (vec![(0, 0b0001)], vec4([1.0, 2.0, 3.0, 4.0])));
}

#[test]
fn variables_are_seen_while_registers_hold_them() {
    let mut program = program(&["mov r0 in0", "mov r1 r0", "mov r2 r1", "mov r1 in1"]);
    program.homes = vec![Home {
        variable: "color".to_owned(),
        reg: Reg { file: R, index: 1 },
        // color.x is r1.z, color.y is r1.x, color.w is r1.w; it has no z.
        components: [Some(2), Some(0), None, Some(3)],
        mask: Mask(0b1101),
        from: 2,
        to: 3,
    }];
    let mut session = session(&program, &[vec4([1.0, 2.0, 3.0, 4.0])]);
    let mut color = |step| {
        let state = session.state(step).unwrap();
        state.into_iter().find(|own| own.name == "color").map(|own| (own.value, own.written.0, own.group))
    };
    let seen = Some((Value::floats(vec4([3.0, 1.0, 0.0, 4.0])), 0b1011, "Variables"));
    assert_eq!([color(0), color(1), color(2), color(3), color(4)], [None, None, seen, seen, None]);
}

/// Between the halves of a slot, a register that the slot is the last to read may have been written by the first half.
#[test]
fn variables_are_not_seen_between_the_halves_of_their_last_slot() {
    let mut program = program(&["mov r1 in0", "mov r1 r0 + mvs r2 r1", "mov r3 r2"]);
    let reg = Reg { file: R, index: 1 };
    let components = [Some(0), Some(1), Some(2), Some(3)];
    program.homes = vec![
        Home { variable: "short".to_owned(), reg, components, mask: Mask::ALL, from: 1, to: 1 },
        Home { variable: "long".to_owned(), reg, components, mask: Mask::ALL, from: 1, to: 2 },
    ];
    let mut session = session(&program, &[vec4([1.0, 2.0, 3.0, 4.0])]);
    let mut seen = |step| {
        let state = session.state(step).unwrap();
        ["short", "long"].map(|name| state.iter().any(|own| own.name == name))
    };
    // Steps 1 and 2 are the halves of slot 1.
    assert_eq!([0, 1, 2, 3].map(&mut seen), [[false; 2], [true; 2], [false, true], [false, true]]);
}

/// Of a program that was compiled, which has variables, wherever they are.
#[test]
fn constants_with_names_are_variables_if_the_run_reads_them() {
    let mut program = program(&["mov r0 c3", "mov r1 c5", "mov r2 c6"]);
    let reg = ISA.reg("r0").unwrap();
    let elsewhere =
        Home { variable: "v".to_owned(), reg, components: [None; 4], mask: Mask(0), from: 9, to: 9 };
    let constant = |name: &str, index: u16, count: u16, mask: u8| Constant {
        name: Some(name.to_owned()),
        reg: Reg { file: C, index },
        count,
        mask: Mask(mask),
        values: Vec::new(),
        matrix: None,
        span: Default::default(),
    };
    // Two share c3: one has y and w of it, the other x. Of three rows the run reads two; the last one it does not read.
    program.constants = vec![
        constant("pair", 3, 1, 0b1010),
        constant("one", 3, 1, 0b0001),
        constant("rows", 5, 3, 0b1111),
        constant("unread", 1, 1, 0b1111),
    ];
    // Constant n is (n, n + 1/4, n + 1/2, n + 3/4).
    let value = |n: u16| vec4([0.0, 0.25, 0.5, 0.75].map(|part| f32::from(n) + part));
    let variables = |program: &Program| {
        let mut session = ShaderSession::new(&ISA, program, move |program| {
            let constants: Vec<Vec4> = (0..8).map(value).collect();
            Dataflow::run(ISA.lower(program, Profile::default(), &[]), &[], &constants)
        });
        let state = session.state(0).unwrap();
        let variables = state.into_iter().filter(|own| own.group == "Variables");
        variables.map(|own| (own.name, own.value, own.written.0)).collect::<Vec<_>>()
    };
    assert_eq!(variables(&program), [], "a text's names are those of its registers");
    program.homes.push(elsewhere);
    let variables = variables(&program);
    let vector = |components| Value::floats(vec4(components));
    assert_eq!(
        variables,
        [
            ("pair".into(), vector([3.25, 3.75, 0.0, 0.0]), 0b0011),
            ("one".into(), vector([3.0, 0.0, 0.0, 0.0]), 0b0001),
            ("rows[0]".into(), Value::floats(value(5)), 0b1111),
            ("rows[1]".into(), Value::floats(value(6)), 0b1111),
        ]
    );
}

#[test]
fn registers_have_names() {
    let program = program(&["mov r1 in0"]);
    let session = session(&program, &[]);
    let reg = |name: &str| ISA.reg(name).unwrap();
    assert_eq!([session.name(reg("r1")), session.name(reg("in0"))], ["r1", "in0"]);
    // One that is neither written nor read has none here.
    assert_eq!(session.name(reg("in3")), "");
    assert!(session.registers().any(|(known, name)| known == reg("r1") && name == "r1"));
}
