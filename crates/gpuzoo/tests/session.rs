//! Sessions of all five machines: any walk ends where a fresh run does, and a run stops at the first match.

use crate::stops::{stops_at_breakpoints, stops_at_the_first_match};
use gpuzoo::ir::Vec4;
use gpuzoo::ir::eval::{NoTextures, Run};
use gpuzoo::isa::{Bits, Interface, Mask, Program, numbers};
use gpuzoo::machine::{RunState, TextOptions};
use gpuzoo::machines::vera::Item;
use gpuzoo::machines::x16::{Config, DEFAULT_ADDRESS, MachineSession, X16};
use gpuzoo::run::Vertices;
use gpuzoo::session::{
    Address, Cell, Change, Condition, Dataflow, Event, EventKind, Read, Session, ShaderSession, Stop, Value,
    of_program, step_until,
};
use gpuzoo::{Machine, ShaderUnit, shader_units};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

#[derive(Clone, Debug)]
enum Move {
    Step(u8),
    Back(u8),
    Seek(u64),
    Until(Condition),
    BackUntil(Condition),
    /// One of the registers that are there, some of its components, and their bits.
    Poke(usize, u8, u32),
    Look(u64),
}

fn conditions() -> impl Strategy<Value = Condition> {
    let kinds = [
        EventKind::NotANumber,
        EventKind::Infinite,
        EventKind::Killed,
        EventKind::UndefinedRead,
        EventKind::OutOfReach,
        EventKind::Interrupt,
        EventKind::Frame,
        EventKind::RegisterWrite,
        EventKind::MemoryWrite,
    ];
    let names = ["r0", "r1", "R1", "R5", "P9", "oPos", "pos", "c7", "A0", "A", "X", "DCSEL", "ADDR0"];
    let space = prop::sample::select(vec!["ram", "vram"]);
    let range = prop_oneof![Just(0..=0x1_ffff), Just(0x20..=0x23), Just(0x9f20..=0x9f3f), Just(0..=9)];
    prop_oneof![
        (0u64..24).prop_map(Condition::At),
        (0x801u64..0x840).prop_map(Condition::At),
        prop::sample::select(names.to_vec()).prop_map(|name| Condition::Register(name.into(), Mask(0b0101))),
        (space, range).prop_map(|(space, range): (&str, RangeInclusive<u32>)| Condition::Memory {
            space: space.into(),
            range
        }),
        prop::sample::select(kinds.to_vec()).prop_map(Condition::Event),
        (0u64..60).prop_map(Condition::Step),
        (0u64..12).prop_map(Condition::Unwound),
    ]
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        any::<u8>().prop_map(|count| Move::Step(count % 24)),
        any::<u8>().prop_map(|count| Move::Back(count % 24)),
        (0u64..90).prop_map(Move::Seek),
        Just(Move::Seek(u64::MAX >> 50)),
        conditions().prop_map(Move::Until),
        conditions().prop_map(Move::BackUntil),
        (any::<usize>(), 1u8..16, prop_oneof![any::<u32>(), Just(0), Just(0x3f80_0000), 0u32..256])
            .prop_map(|(register, components, bits)| Move::Poke(register, components, bits)),
        (0u64..90).prop_map(Move::Look),
    ];
    vec(one, 1..12)
}

/// What was poked, and where.
type Poke = (u64, Cell, Mask, Value);

/// Returns what was poked of what led to the end.
fn walk(session: &mut dyn Session, moves: &[Move]) -> Vec<Poke> {
    let mut pokes: Vec<Poke> = Vec::new();
    for step in moves {
        let before = session.position();
        match step {
            Move::Step(count) => {
                let made = (0..*count).filter(|_| session.step()).count() as u64;
                assert_eq!(session.position(), before + made);
            }
            Move::Back(count) => {
                let made = (0..*count).filter(|_| session.back()).count() as u64;
                assert_eq!(session.position(), before - made);
                assert_eq!(made, before.min((*count).into()), "nothing of a short run is dropped");
            }
            Move::Seek(to) => assert_eq!(session.seek(*to), session.position()),
            Move::Until(condition) => _ = session.run_until(std::slice::from_ref(condition), 300),
            Move::BackUntil(condition) => _ = session.back_until(std::slice::from_ref(condition), 300),
            Move::Poke(register, components, bits) => {
                let state = session.state(before).unwrap();
                let (cell, value) = match (state.len(), register % 3) {
                    (0, _) => continue,
                    (_, 0) if !session.spaces().is_empty() => {
                        let space = session.spaces()[register % 2].name;
                        let at = [0x22, 0x80a, 0x9f25, 0xa000, 0xc000][register / 8 % 5];
                        (Cell::Memory(Address { space, bank: None, at }), Value::integer(bits & 255, 8))
                    }
                    (count, _) => {
                        let register = &state[register % count];
                        let value = match register.value {
                            Value::Vec4(_, integers) => Value::Vec4([*bits; 4], integers),
                            Value::Integer { bits: size, .. } => {
                                Value::integer(u64::from(*bits) & ((1 << size.min(32)) - 1), size)
                            }
                        };
                        (Cell::Register(register.name.clone()), value)
                    }
                };
                if session.poke(&cell, Mask(*components), value) {
                    pokes.retain(|(position, ..)| *position <= before);
                    pokes.push((before, cell, Mask(*components), value));
                }
                assert_eq!(session.position(), before, "a poke is no move");
            }
            Move::Look(at) => {
                let _ = (session.state(*at), session.changes(*at), session.reads(*at), session.events(*at));
                let _ = session.place(*at);
                assert_eq!(session.position(), before, "looking is not moving");
            }
        }
    }
    pokes
}

/// All that a session shows of here and of the step before.
pub(crate) fn show(session: &mut dyn Session) -> impl PartialEq + std::fmt::Debug + use<> {
    let at = session.position();
    let memory: Vec<_> =
        session.spaces().iter().map(|space| session.peek(space.name, 0..space.bytes.min(0xa100))).collect();
    let before = at.checked_sub(1);
    let did = before.map(|step| (session.changes(step), session.reads(step), session.events(step)));
    let was = before.map(|step| (session.state(step), session.place(step)));
    (at, session.state(at), session.place(at), did, was, memory)
}

/// A walk ends in what a fresh session shows that stepped there.
fn ends_where_a_fresh_run_does(walked: &mut dyn Session, fresh: &mut dyn Session, moves: &[Move]) {
    let pokes = walk(walked, moves);
    // Those behind the end belong to it, too: the registers that are shown are those of the whole run.
    for (at, cell, components, value) in &pokes {
        while fresh.position() < *at {
            assert!(fresh.step());
        }
        assert!(fresh.poke(cell, *components, *value));
    }
    while fresh.position() < walked.position() {
        assert!(fresh.step());
    }
    while fresh.position() > walked.position() {
        assert!(fresh.back());
    }
    assert_eq!(show(walked), show(fresh));
}

/// Values of which computations make what is odd.
pub(crate) const VALUES: [f32; 10] =
    [0.0, 1.0, -1.0, 0.5, 3.0, -7.25, 1e38, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE];

pub(crate) fn values(seed: u64, count: usize) -> Vec<Vec4> {
    let mut pick = numbers(seed);
    (0..count).map(|_| [0; 4].map(|_: u32| VALUES[pick(VALUES.len() as u32) as usize].to_bits())).collect()
}

/// Slots of random words, and of rows with random operands.
pub(crate) fn program(gpu: &dyn ShaderUnit, seed: u64, length: usize) -> Program {
    let isa = gpu.isa();
    let mut pick = numbers(seed);
    let header = match gpu.jobs() {
        Some(_) => "#vertexShader\n#input r0.xyzw\n#input r1.xyz\n#uniform r2.xyzw\n#output r5.xyzw\ntrap\n",
        None => "",
    };
    let header = Machine::new(shader_units().find(|own| own.about().id == gpu.about().id).unwrap())
        .assemble("header", header)
        .unwrap();
    let mut program = header.code().clone();
    let rows: Vec<_> = isa.ops().collect();
    program.slots = (0..length)
        .map(|_| {
            let bits = match pick(8) {
                0 => Bits { words: [0; 5].map(|_: u32| pick(1 << 16) << 16 | pick(1 << 16)) },
                _ => isa.encode(&isa.random(rows[pick(rows.len() as u32) as usize], &mut pick)),
            };
            isa.slot(bits, program.span)
        })
        .collect();
    // What a program is for does not change with its length.
    let stage = gpu.lower(&program, &RunState::default()).0.stage;
    if gpu.fragment_programs().is_some() && program.interface.is_none() {
        program.interface = Some(Interface { stage, ..Interface::default() });
    }
    program
}

pub(crate) fn shader(gpu: &'static dyn ShaderUnit, program: &Program, seed: u64) -> ShaderSession {
    let run = move |program: &Program| {
        let (lowered, _) = gpu.lower(program, &RunState::default());
        Dataflow::run(lowered, &values(seed, 16), &values(seed ^ 1, 300))
    };
    ShaderSession::new(gpu.isa(), program, run)
}

/// The first `length` slots as a program of their own: what its registers hold at the end.
fn cut(gpu: &dyn ShaderUnit, program: &Program, seed: u64, length: usize) -> BTreeMap<String, Vec4> {
    let isa = gpu.isa();
    let short = Program { slots: program.slots[..length].to_vec(), ..program.clone() };
    let (lowered, _) = gpu.lower(&short, &RunState::default());
    let mut run = Run::default();
    run.run(&lowered.function, &values(seed, 16), &values(seed ^ 1, 300), &NoTextures);
    let known = isa.regs(|_| true).filter_map(|reg| Some((isa.reg_name(reg), run.value(lowered.last(reg)?))));
    known.collect()
}

fn named(session: &mut dyn Session, step: u64) -> BTreeMap<String, Value> {
    let state = session.state(step).unwrap();
    let count = state.len();
    let named: BTreeMap<_, _> =
        state.into_iter().map(|register| (register.name.to_string(), register.value)).collect();
    assert_eq!(named.len(), count, "each name once");
    named
}

/// What a step changed leads from each state to the next, and what it read is what was there: for the second instruction of
/// a slot, before the first.
fn steps_lead_from_state_to_state(
    session: &mut dyn Session,
    steps: u64,
    by_itself: impl Fn(&str) -> bool,
    first: impl Fn(u64) -> u64,
) {
    for step in 0..steps {
        let (before, after) = (named(session, step), named(session, step + 1));
        let mut now = before.clone();
        for Change { cell, before: old, after: new, .. } in session.changes(step).unwrap() {
            let Cell::Register(name) = cell else { continue };
            assert_eq!(now.insert(name.to_string(), new), Some(old), "{step}: {name}");
        }
        for (name, value) in &after {
            assert!(by_itself(name) || now[name] == *value, "{step}: {name}");
        }
        let before = named(session, first(step));
        for Read { cell, value, .. } in session.reads(step).unwrap() {
            let Cell::Register(name) = cell else { continue };
            assert_eq!(before.get(&*name), Some(&value), "{step}: {name}");
        }
    }
    assert!(session.state(u64::MAX).is_none() && session.changes(u64::MAX).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shaders(
        seed in any::<u64>(), length in 0usize..24, moves in moves(), condition in conditions(), from in 0u64..12,
        breakpoints in vec((conditions(), any::<bool>()), 0..4),
    ) {
        for gpu in shader_units() {
            let program = program(gpu, seed, length);
            let new = || shader(gpu, &program, seed);
            let total = new().total().unwrap();
            ends_where_a_fresh_run_does(&mut new(), &mut new(), &moves);
            stops_at_the_first_match(&mut new(), &mut new(), &condition, from);
            stops_at_breakpoints(Box::new(new()), &mut new(), &breakpoints, from);
            let mut poked = new();
            let pokes = walk(&mut poked, &moves);
            for (is_poked, mut session) in [(false, new()), (true, poked)] {
                let flow = session.clone();
                let first = |step| flow.dataflow().first_step(step as usize) as u64;
                let total = session.total().unwrap();
                let by_itself = |name: &str| {
                    is_poked && pokes.iter().any(|(_, cell, ..)| *cell == Cell::Register(name.to_owned().into()))
                };
                steps_lead_from_state_to_state(&mut session, total, by_itself, first);
            }
            let session = new();
            let steps = session.steps();
            for step in 0..=total {
                // Between the two instructions of a slot there is no program that ends there.
                let (last, next) = (steps.get((step as usize).wrapping_sub(1)), steps.get(step as usize));
                if next.is_some_and(|next| next.part > 0) {
                    continue;
                }
                let state = named(&mut new(), step);
                for (name, value) in cut(gpu, &program, seed, last.map_or(0, |last| last.slot + 1)) {
                    if let Some(own) = state.get(&name) {
                        let Value::Vec4(own, _) = *own else { panic!("{name} is a vector") };
                        prop_assert_eq!(own, value, "{}: {} after {}", gpu.about().id, name, step);
                    }
                }
            }
        }
    }
}

/// A text as a machine that is about to run it.
fn vera(text: &str) -> X16 {
    let program = gpuzoo::vera().assemble("t.s", text).unwrap();
    let bytes = program.emit("bin").unwrap();
    let mut machine = X16::new(Config::default()).unwrap();
    machine.load_at(DEFAULT_ADDRESS, &bytes).unwrap();
    machine
}

/// Instructions that end somehow: what is left of them ends with RTS.
fn instructions() -> impl Strategy<Value = String> {
    let some = [
        "lda #$31",
        "ldx #3",
        "ldy #$f0",
        "sta DATA0",
        "sta ADDR_L",
        "stx ADDR_M",
        "sty ADDR_H",
        "lda DATA0",
        "lda DATA1",
        "sta CTRL",
        "stx IEN",
        "sta $20,x",
        "inc $22",
        "dec $21",
        "adc $22",
        "sbc $20",
        "pha",
        "pla",
        "php",
        "plp",
        "tax",
        "txa",
        "tay",
        "clc",
        "sec",
        "sta $a000",
        "lda $a000",
        "stx $00",
        "cli",
        "sei",
        "wai",
        "asl",
        "ror $23",
        "lda ($20),y",
        "sta ($20),y",
        "tsb $22",
        "bbs0 $22,:+\n  inx\n:",
        "bne :+\n  dex\n:",
        "brk",
        "jsr CHROUT",
        "cmp #9",
        "stz DATA1",
        "trb DATA0",
        "inc DATA0",
    ];
    vec(prop::sample::select(some.to_vec()), 0..40).prop_map(|lines| lines.join("\n  "))
}

/// Any bytes, or a text that runs in a circle a while.
#[derive(Clone, Debug)]
enum Source {
    Bytes(Vec<u8>),
    Text(String),
}

impl Source {
    fn machine(&self) -> X16 {
        match self {
            Source::Text(text) => vera(text),
            Source::Bytes(bytes) => {
                let mut machine = X16::new(Config::default()).unwrap();
                match machine.load_at(0x0801, bytes) {
                    Ok(_) => machine,
                    // By chance they are a program in BASIC.
                    Err(_) => vera("  rts\n"),
                }
            }
        }
    }
}

fn sources() -> impl Strategy<Value = Source> {
    let text = |body| Source::Text(format!("  ldx #2\nloop:\n  {body}\n  inc $30\n  bne loop\n  rts\n"));
    prop_oneof![
        1 => vec(any::<u8>(), 1..200).prop_map(Source::Bytes),
        3 => instructions().prop_map(text),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vera_s_machine(
        source in sources(), small in any::<bool>(), moves in moves(), condition in conditions(), from in 0u64..12,
        breakpoints in vec((conditions(), any::<bool>()), 0..4),
    ) {
        let machine = source.machine();
        let memory = if small { 0 } else { 64 << 20 };
        let new = || MachineSession::with_memory(machine.clone(), memory);
        ends_where_a_fresh_run_does(&mut new(), &mut new(), &moves);
        stops_at_the_first_match(&mut new(), &mut new(), &condition, from);
        stops_at_breakpoints(Box::new(new()), &mut new(), &breakpoints, from);
        let mut session = new();
        let steps = session.seek(60);
        let by_itself = |name: &str| {
            ["cycle", "frame"].contains(&name) || Item::find(name).is_some_and(|item| item.is_of_time())
        };
        steps_lead_from_state_to_state(&mut session, steps, by_itself, |step| step);
    }
}

fn events(machine: Machine, text: &str, inputs: Vec4) -> Vec<Vec<Event>> {
    let program = machine.assemble("t", text).unwrap_or_else(|problems| panic!("{problems}"));
    let kernel_inputs = Vertices::Columns {
        count: 1,
        columns: vec![gpuzoo::run::Column {
            input: 0,
            values: inputs.to_vec().into(),
            stride: 4,
            components: 4,
        }],
    };
    let mut session = of_program(&program, &RunState::default(), &kernel_inputs, 0, &[]);
    (0..session.total().unwrap()).map(|step| session.events(step).unwrap()).collect()
}

fn writes(register: &'static str, mask: u8) -> Event {
    Event::RegisterWrite { register: register.into(), components: Mask(mask) }
}

/// NaN and infinities are reported where they arise: not where they are moved, and not for integers that look like them.
#[test]
fn odd_numbers_are_reported_where_they_arise() {
    let text = "#vertexShader #input r0.xyzw #output r5.xyzw
        fmul r1.x r0 r0  fsub r2.xy r1 r1  mov r3.xy r2  fadd r3.x r3 1.0  isub r4.x r4 1  isub r5.x r4 1";
    let found = events(gpuzoo::picogpu(), text, [1e38, 0.0, 0.0, 0.0].map(f32::to_bits));
    let nan = Event::NotANumber { register: "r2".into(), components: Mask(1) };
    let infinite = Event::Infinite { register: "r1".into(), components: Mask(1) };
    let odd = |event: &&Event| matches!(event, Event::NotANumber { .. } | Event::Infinite { .. });
    let odd: Vec<(usize, &Event)> = found
        .iter()
        .enumerate()
        .flat_map(|(step, events)| events.iter().filter(odd).map(move |event| (step, event)))
        .collect();
    // Two instructions that set up registers come first.
    assert_eq!(odd, [(2, &infinite), (3, &nan)]);
    assert!(found[5].contains(&writes("r3", 1)));
}

#[test]
fn kills_undefined_reads_and_constants_out_of_range_are_events() {
    let text = ".fragment\nMOV R1, P1;\nKIL R1.x;\nMOV P9, R1;\n";
    let found = events(gpuzoo::servaru(), text, [(-1.0f32).to_bits(), 0, 0, 0]);
    // Input 0 is P0: nothing is killed.
    assert_eq!(found.len(), 3);
    let text = ".fragment\nMOV R1, P0;\nKIL R1.x;\nMOV P9, R1;\n";
    let found = events(gpuzoo::servaru(), text, [(-1.0f32).to_bits(), 0, 0, 0]);
    assert_eq!(found, [vec![writes("R1", 15)], vec![Event::Killed]]);

    let found = events(gpuzoo::dreambox(), "shf r0 r1 xxyy 0b0011 st pos r0", [0; 4]);
    let undefined = |register: &'static str, mask| Event::UndefinedRead {
        register: register.into(),
        components: Mask(mask),
    };
    assert!(found[0].contains(&undefined("r1", 1)), "{found:?}");
    assert!(found[1].contains(&undefined("r0", 12)), "{found:?}");

    let text = "vs.1.1\nmov a0.x, v0.x\nmov oPos, c[a0.x + 94]\n";
    for (index, reaches) in [(1.0f32, true), (2.0, false)] {
        let found = events(gpuzoo::nv2a(), text, [index.to_bits(); 4]);
        let event = |event: &&Event| event.kind() == EventKind::OutOfReach;
        let out = found.iter().flatten().find(event).cloned();
        let Some(Event::OutOfReach { number, .. }) = out else {
            assert!(reaches, "{found:?}");
            continue;
        };
        // As the text counts: its constants are -96 to 95.
        assert!(!reaches && number == 96, "{found:?}");
    }
}

/// A read at a computed number is one of the register that it found.
#[test]
fn a_read_at_a_computed_number_names_its_register() {
    let program =
        gpuzoo::nv2a().assemble("t.vsh", "vs.1.1\nmov a0.x, v0.x\nmov oPos.xy, c[a0.x + 3].z\n").unwrap();
    let column =
        gpuzoo::run::Column { input: 0, values: vec![2.0f32.to_bits(); 4].into(), stride: 4, components: 4 };
    let vertices = Vertices::Columns { count: 1, columns: vec![column] };
    let constants: Vec<Vec4> = (0..192).map(|number| [number; 4]).collect();
    let mut session = of_program(&program, &RunState::default(), &vertices, 0, &constants);
    let reads = session.reads(1).unwrap();
    let constant = reads.iter().find(|read| read.components == Mask(4)).unwrap();
    let Cell::Register(name) = &constant.cell else { panic!() };
    let Value::Vec4([number, ..], _) = constant.value else { panic!() };
    assert_eq!((name.as_ref(), number), ("c5", 101));
    let state = session.state(0).unwrap();
    assert_eq!(state.iter().find(|register| register.name == *name).unwrap().value, constant.value);
}

/// However little memory there is, each step can be shown; the history says how much must be run again.
#[test]
fn a_bounded_history_says_so() {
    let busy = || vera("loop:\n  inc $22\n  lda $22\n  sta DATA0\n  sta $a000\n  bra loop\n");
    let mut small = MachineSession::with_memory(busy(), 0);
    let mut large = MachineSession::new(busy());
    let fresh = large.history();
    assert_eq!((fresh.oldest, small.history().rerun), (0, fresh.rerun));
    const FAR: u64 = 400_000;
    assert_eq!((small.seek(FAR), large.seek(FAR)), (FAR, FAR));
    assert_eq!(large.history().rerun, fresh.rerun);
    assert!(small.history().rerun > fresh.rerun && small.history().bytes < large.history().bytes);
    assert_eq!(small.history().oldest, 0);
    for step in [FAR - 1, 123_456, 1, 0] {
        assert_eq!(small.changes(step), large.changes(step));
        assert_eq!(small.state(step), large.state(step));
    }
    // A shader's history is bounded by its program.
    let unit = shader_units().next().unwrap();
    let mut shader = shader(unit, &program(unit, 7, 24), 7);
    shader.seek(24);
    let history = shader.history();
    assert!((history.oldest, history.rerun) == (0, 0) && history.bytes > 0);
}

/// VERA's own way to run, and the one of all machines.
#[test]
fn the_fast_way_stops_where_the_slow_one_does() {
    let text = "loop:\n  inc $22\n  lda $22\n  sta DATA0\n  inc DATA1\n  cmp #5\n  bne loop\n  rts\n";
    for condition in [
        Condition::At(0x0801),
        Condition::Memory { space: "ram".into(), range: 0x22..=0x22 },
        Condition::Memory { space: "ram".into(), range: 0x9f20..=0x9f3f },
        Condition::Memory { space: "ram".into(), range: 0x9f24..=0x9f24 },
        Condition::Memory { space: "vram".into(), range: 0..=0 },
        Condition::Memory { space: "vram".into(), range: 1..=9 },
        Condition::Memory { space: "rom".into(), range: 0..=9 },
    ] {
        let (mut fast, mut slow) = (MachineSession::new(vera(text)), MachineSession::new(vera(text)));
        loop {
            let stops = (
                fast.run_until(std::slice::from_ref(&condition), 1000),
                step_until(&mut slow, std::slice::from_ref(&condition), 1000),
            );
            assert_eq!(stops.0, stops.1, "{condition:?}");
            assert_eq!(fast.position(), slow.position(), "{condition:?}");
            if stops.0 != Stop::Met(0) {
                break;
            }
        }
        assert_eq!(fast.total(), Some(fast.position()));
        assert!(!fast.step() && fast.back() && fast.step());
    }
}

/// A place knows the text that it comes from.
#[test]
fn places_are_slots_and_addresses_with_their_texts() {
    let program = gpuzoo::servaru().assemble("k.svs", ".fragment\nMOV R1, P1;\nMOV P9, R1;\n").unwrap();
    let mut session = of_program(&program, &RunState::default(), &Vertices::nothing(), 0, &[]);
    let place = session.place(1).unwrap();
    assert_eq!((place.at, place.text.as_str()), (1, "MOV P9, R1;"));
    let file = program.sources().find(place.span.unwrap().file).unwrap();
    assert_eq!(file.place(place.span.unwrap().start).line, 3);
    assert!(session.place(2).is_none());
    let (text, _) = program.disassemble(&TextOptions::default()).unwrap();
    assert!(text.contains(&place.text));
}
