//! Sessions: any walk through a run ends where a fresh run does, and what a step did is what the machines show.

use crate::machine::machine;
use gpuzoo_diag::Sources;
use gpuzoo_machine::Arguments;
use gpuzoo_machine::session::{Event, Session as _, Value};
use gpuzoo_vera::STATE;
use gpuzoo_x16::session::{Change, Place, Read, Record, Session, Stop, Until};
use gpuzoo_x16::{Config, Ending, Limits, MachineSession, Program, X16};
use proptest::prelude::*;

/// Frame and line interrupts, WAI, banks of RAM, printing, and cache writes through a port that steps.
const BUSY: &str = "
        sei
        lda #<handler
        sta $0314
        lda #>handler
        sta $0315
        lda #3
        sta IEN
        lda #100
        sta IRQLINE_L
        lda #2<<1
        sta CTRL
        lda #$40
        sta FX_CTRL
        lda #$31
        sta ADDR_H
        cli
loop:   inc $22
        lda $22
        and #7
        sta $00
        lda $22
        sta $a000
        sta DATA0
        bne loop
        lda #'.'
        jsr CHROUT
        wai
        bra loop
handler:
        inc $23
        lda #3
        sta ISR
        ply
        plx
        pla
        rti
";

fn mix() -> X16 {
    let mut machine = X16::new(Config::default()).expect("a machine");
    machine.load_prg(include_bytes!("x16/mix.prg")).expect("it fits");
    machine
}

fn start(which: bool) -> X16 {
    if which { machine(BUSY) } else { mix() }
}

#[derive(Clone, Debug)]
enum Move {
    Step(u8),
    Back(u8),
    Seek(u64),
    Line(u16),
    Store,
    Look(u64),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        any::<u8>().prop_map(Move::Step),
        any::<u8>().prop_map(Move::Back),
        (0u64..3_000).prop_map(Move::Seek),
        (0u64..300_000).prop_map(Move::Seek),
        (0u16..525).prop_map(Move::Line),
        Just(Move::Store),
        (0u64..3_000).prop_map(Move::Look),
    ];
    prop::collection::vec(one, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_walk_ends_where_a_fresh_run_does(which in any::<bool>(), small in any::<bool>(), moves in moves()) {
        let memory = if small { 1 << 20 } else { 64 << 20 };
        let mut session = Session::with_memory(start(which), memory);
        for step in moves {
            match step {
                Move::Step(count) => (0..count).for_each(|_| _ = session.step()),
                Move::Back(count) => (0..count % 16).for_each(|_| _ = session.back()),
                Move::Seek(to) => _ = session.seek(to),
                Move::Line(line) => _ = session.run_until(&Until::Line(line), 50_000),
                Move::Store => _ = session.run_until(&Until::Store(0x1000..=0x1003), 50_000),
                Move::Look(at) => _ = session.record(at),
            }
        }
        let mut fresh = Session::new(start(which));
        prop_assert_eq!(fresh.seek(session.position()), session.position());
        prop_assert!(fresh.machine() == session.machine());
        prop_assert!(session.position() <= session.len());
    }
}

/// A condition that is met in the very step of a snapshot.
#[test]
fn snapshots_do_not_hide_a_stop() {
    for step in 65_535..=65_537 {
        let mut fresh = Session::new(machine(BUSY));
        fresh.seek(step);
        let mut session = Session::new(machine(BUSY));
        assert_eq!(session.run_until(&Until::Cycle(fresh.machine().cycles()), u64::MAX), Stop::Met);
        assert_eq!(session.position(), step);
    }
}

/// A snapshot that is taken while stores are watched is none of a machine that is watched.
#[test]
fn snapshots_are_not_watched() {
    let mut session = Session::new(mix());
    assert_eq!(session.run_until(&Until::Store(0x1ffff..=0x1ffff), 70_000), Stop::Limit);
    session.back();
    let mut fresh = Session::new(mix());
    fresh.seek(69_999);
    assert!(session.machine() == fresh.machine());
}

/// The fast path, and one step after another.
#[test]
fn many_steps_are_single_steps() {
    for which in [true, false] {
        let mut single = start(which);
        let mut session = Session::new(start(which));
        for at in (500..).step_by(7919).take(10) {
            while session.position() < at {
                session.step();
                single.step();
            }
            assert!(session.machine() == &single, "{at}");
            let mut fast = Session::new(start(which));
            fast.seek(at);
            assert!(fast.machine() == &single, "{at}");
            assert!(
                session.at(at / 2).expect("a machine") == {
                    fast.seek(at / 2);
                    fast.into_machine()
                }
            );
        }
    }
}

/// The plain run of the machine, which knows nothing of steps.
#[test]
fn a_session_is_the_plain_run() {
    let mut plain = machine(BUSY);
    assert!(matches!(plain.run(&Limits::cycles(300_000)), Ending::Cycles { .. }));
    let mut session = Session::new(machine(BUSY));
    assert_eq!(session.run_until(&Until::Cycle(300_000), u64::MAX), Stop::Met);
    assert_eq!(session.machine().cycles(), plain.cycles());
    assert_eq!(session.machine().cpu(), plain.cpu());
    assert!(session.machine().vera() == plain.vera());
}

#[test]
fn what_a_step_did_is_what_the_machines_show() {
    let mut session = Session::new(machine(BUSY));
    session.seek(3_000);
    let mut stores = 0;
    for step in 0..3_000 {
        let (before, after) = (session.at(step).expect("before"), session.at(step + 1).expect("after"));
        let record = session.record(step).expect("a record").clone();
        assert_eq!((record.cycle, record.step.cycles), (before.cycles(), after.cycles() - before.cycles()));
        assert_eq!((&record.step.before, &record.step.after), (before.cpu(), after.cpu()));
        for &Change { place, before: old, after: new } in &record.changes {
            let value = |machine: &X16| -> u32 {
                match place {
                    Place::Cpu("A") => machine.cpu().a.into(),
                    Place::Cpu("X") => machine.cpu().x.into(),
                    Place::Cpu("Y") => machine.cpu().y.into(),
                    Place::Cpu("S") => machine.cpu().s.into(),
                    Place::Cpu("P") => machine.cpu().p.into(),
                    Place::Cpu(_) => machine.cpu().pc.into(),
                    Place::Memory(address, _) => machine.peek(address).into(),
                    Place::Vram(address) => machine.vera().vram()[address as usize].into(),
                    Place::Vera(name) => {
                        (STATE.iter().find(|item| item.name == name).expect("a state").get)(machine.vera())
                    }
                    Place::Register(_) => panic!("registers change by their states"),
                }
            };
            assert_eq!((old, new), (value(&before), value(&after)), "{step}: {place:?}");
            stores += usize::from(matches!(place, Place::Vram(_)));
        }
        // And nothing else has changed.
        let changed = |place| record.changes.iter().any(|change| change.place == place);
        for address in 0..0xa100u16 {
            // Timers of the VIAs count by themselves, and VERA is looked at below.
            let is_device = (0x9f00..0x9f40).contains(&address);
            if before.peek(address) != after.peek(address) && !is_device {
                let bank = (address >= 0xa000).then(|| before.peek(0));
                // Another bank shows, and nothing was written to it.
                let switched = address >= 0xa000 && changed(Place::Memory(0, None));
                assert!(changed(Place::Memory(address, bank)) || switched, "{step}: ${address:04X}");
            }
        }
        for (address, (old, new)) in before.vera().vram().iter().zip(after.vera().vram()).enumerate() {
            assert!(old == new || changed(Place::Vram(address as u32)), "{step}: {address:05X}");
        }
    }
    assert!(stores > 500, "{stores}");
}

fn reads(record: &Record) -> Vec<(Place, u32)> {
    record.reads.iter().map(|&Read { place, value }| (place, value)).collect()
}

#[test]
fn reads_are_registers_memory_and_vera() {
    let text = "  ldx #1\n  lda $21,x\n  lda DATA0\n  adc ($30)\n  sta DATA0,x\n  inc $22\n  rts";
    let mut session = Session::new(machine(text));
    session.seek(100);
    let mut of = |step| reads(session.record(step).expect("a record"));
    let memory = |address| Place::Memory(address, None);
    assert_eq!(of(0), []);
    assert_eq!(of(1), [(Place::Cpu("X"), 1), (memory(0x22), 0)]);
    assert_eq!(of(2), [(Place::Register(3), 0)]);
    // The pointer, and then RAM bank 1 at the address 0 that it has.
    let sum =
        [(Place::Cpu("A"), 0), (Place::Cpu("P"), 0x22), (memory(0x30), 0), (memory(0x31), 0), (memory(0), 1)];
    assert_eq!(of(3), sum);
    // The read before an indexed store is dropped.
    assert_eq!(of(4), [(Place::Cpu("A"), 1), (Place::Cpu("X"), 1)]);
    assert_eq!(of(5), [(memory(0x22), 0)]);
    let returns = of(6);
    assert_eq!(returns[0], (Place::Cpu("S"), 0xfd));
    assert_eq!(returns.len(), 3);
}

/// What CHROUT's stand-in draws a character with is written to VERA's registers: the step after `ldx`, `lda`, `jsr` and the KERNAL's
/// `jmp`.
#[test]
fn stand_ins_write_to_registers() {
    let mut session = Session::new(machine("  ldx #2\n  lda #$31\n  jsr CHROUT\nl: bra l"));
    assert_eq!(session.run_until(&Until::Write(0x9f20..=0x9f3f), 100), Stop::Met);
    assert_eq!(session.position(), 5);
}

#[test]
fn runs_stop_where_they_are_told_to() {
    let mut session = Session::new(machine(BUSY));
    assert_eq!(session.run_until(&Until::Write(0xa000..=0xa0ff), 1_000), Stop::Met);
    assert_eq!(session.peek(0xa000), 1);
    let written = session.position() - 1;
    assert!(
        session.changes(written).unwrap().iter().any(|change| change.place == Place::Memory(0xa000, Some(1)))
    );

    assert_eq!(session.run_until(&Until::Line(100), 100_000), Stop::Met);
    assert_eq!(session.machine().vera().line(), 100);
    let first = session.machine().cycles();
    // The same line once more is a frame later, to the instruction.
    assert_eq!(session.run_until(&Until::Line(100), 100_000), Stop::Met);
    assert!((session.machine().cycles() - first).abs_diff(134_400) < 10);

    let (vsync, frame) = (session.machine().peek(0x23), session.machine().vera().frames());
    assert_eq!(session.run_until(&Until::Write(0x23..=0x23), 100_000), Stop::Met);
    assert_eq!(session.machine().peek(0x23), vsync.wrapping_add(1));
    assert_eq!(session.machine().vera().frames(), frame);

    let now = session.position();
    assert_eq!(session.run_until(&Until::Line(525), u64::MAX), Stop::Limit, "the beam has 525 lines");
    assert_eq!(session.position(), now);
    assert_eq!(session.run_until(&Until::Address(0xc123), 5_000), Stop::Limit);
    let now = session.position();
    assert_eq!(session.run_until(&Until::Address(session.machine().cpu().pc), 5_000), Stop::Met);
    assert!(session.position() > now, "at least a step");

    let mut short = Session::new(machine("  nop\n  rts"));
    assert_eq!(short.run_until(&Until::Line(5), u64::MAX), Stop::Ended);
    assert_eq!((short.ending(), short.position()), (Some(&Ending::Returned), 3));
    assert!(!short.step());
    assert_eq!(short.state(3).expect("a state").ending, Some(Ending::Returned));
    assert!(short.back() && short.ending().is_none());
    assert_eq!((short.seek(99), short.len()), (3, 3));
    assert!(short.record(3).is_none() && short.state(4).is_none());
}

/// A step that was taken says so, and one that was not; going back as well.
#[test]
fn steps_say_whether_they_were_taken() {
    let mut session = Session::new(machine("  nop\n  lda #1\n  stp"));
    assert!(!session.back());
    assert_eq!([0; 4].map(|_| session.step()), [true, true, true, false]);
    assert_eq!([0; 4].map(|_| session.back()), [true, true, true, false]);
    assert!(session.step() && session.position() == 1);
}

/// What a store to banked RAM changes is the byte of its bank, wherever that is.
#[test]
fn changes_of_banks_have_their_bytes() {
    let banks = [(0u16, 0u8), (1, 1), (0x0abc, 2), (0x1fff, 7), (0x1001, 63)];
    let store = |(offset, bank): (u16, u8)| {
        format!("  lda #{bank}\n  sta 0\n  lda #{}\n  sta {}\n", 0x40 + bank, 0xa000 + offset)
    };
    let mut session = Session::new(machine(&format!("{}  stp", banks.map(store).concat())));
    assert_eq!(session.seek(4 * banks.len() as u64), 4 * banks.len() as u64);
    for (step, (offset, bank)) in (3..).step_by(4).zip(banks) {
        let stored = Change {
            place: Place::Memory(0xa000 + offset, Some(bank)),
            before: 0,
            after: u32::from(0x40 + bank),
        };
        let changes = session.changes(step).expect("a step");
        let memory: Vec<&Change> =
            changes.iter().filter(|change| matches!(change.place, Place::Memory(..))).collect();
        assert_eq!(memory, [&stored], "bank {bank}");
    }
}

/// In the words of all machines a value is as wide as what it is in.
#[test]
fn values_have_their_width() {
    use gpuzoo_machine::session::{Cell, Session as _, Value};
    // X, memory, DC_BORDER, HSTART of 10 bits, the cache of 32, the address of port 0, of 17.
    let text = "  ldx #$2a\n  stx $30\n  stx $9f2c\n  lda #2\n  sta $9f25\n  stx $9f29\n  lda #12\n  sta $9f25\n  stx $9f29\n  lda #$34\n  sta $9f21\n  lda #$11\n  sta $9f22\n  stx $9f20\n  stx $a000\n  stp";
    let mut session = gpuzoo_x16::MachineSession::new(machine(text));
    session.seek(100);
    let mut after = |step: u64, wanted: &str| {
        let changes = session.changes(step).expect("a step");
        let is_wanted = |cell: &Cell| match cell {
            Cell::Register(name) => *name == wanted,
            Cell::Memory(address) => address.space == wanted,
        };
        changes.into_iter().find(|change| is_wanted(&change.cell)).map(|change| change.after)
    };
    for (step, place, value, bits) in [
        (0, "X", 0x2au32, 8),
        (0, "PC", 0x0803, 16),
        (1, "ram", 0x2a, 8),
        (2, "DC_BORDER", 0x2a, 8),
        (5, "DC_HSTART", 0xa8, 10),
        (7, "DCSEL", 6, 6),
        (8, "cache", 0x2a, 32),
        (13, "ADDR0", 0x1_342a, 17),
        (14, "ram", 0x2a, 8),
    ] {
        let found = after(step, place).unwrap_or_else(|| panic!("{place}"));
        assert_eq!(found, Value::integer(value, bits), "{place}");
    }
}

/// Stores count whether they change a byte or not, in every way to store.
#[test]
fn stores_are_seen() {
    for (setup, first, count) in [
        ("  stz ADDR_L\n  stz ADDR_H\n", 0x100, 1),
        ("  stz ADDR_L\n  stz ADDR_H\n  lda #2<<1\n  sta CTRL\n  lda #$40\n  sta FX_CTRL\n", 0x100, 4),
    ] {
        let text = format!("{setup}  lda #1\n  sta ADDR_M\n  stz DATA0\n  rts");
        let mut session = Session::new(machine(&text));
        assert_eq!(session.run_until(&Until::Store(first..=first), 1_000), Stop::Met, "{setup}");
        let step = session.position() - 1;
        let stored =
            session.changes(step).unwrap().iter().filter(|change| matches!(change.place, Place::Vram(_)));
        assert_eq!(stored.count(), count, "{setup}");
    }
}

/// However little memory there is, every step can be reached.
#[test]
fn memory_is_bounded_and_nothing_is_forgotten() {
    let limit = 6 << 20;
    let mut session = Session::with_memory(mix(), limit);
    let spacing = session.spacing();
    session.seek(3_000_000);
    assert!(session.memory() <= limit, "{}", session.memory());
    assert!(session.spacing() > spacing);
    let mut fresh = Session::new(mix());
    for step in [2_999_999, 1_234_567, 65_536, 1, 0] {
        session.seek(step);
        fresh = Session::new(fresh.at(0).expect("the start"));
        fresh.seek(step);
        assert!(session.machine() == fresh.machine(), "{step}");
    }
}

/// In the words of all machines: what a step wrote but for PC, the frame among the registers of VERA, and instructions with their bytes.
#[test]
fn a_session_in_the_words_of_all_machines() {
    let mut session = MachineSession::new(machine("  lda #$aa\n  sta $9f25\n  stp"));
    let at = session.place(0).unwrap().at;
    assert!(session.step() && session.step());
    let written = |event: Event| match event {
        Event::RegisterWrite { register, .. } => Some(register.to_string()),
        _ => None,
    };
    let registers: Vec<String> = session.events(0).unwrap().into_iter().filter_map(written).collect();
    assert_eq!(registers, ["A", "P"]);
    let state = session.state(0).unwrap();
    let frame = state.iter().find(|register| register.name == "frame").unwrap();
    assert_eq!((frame.group, frame.value), ("VERA", Value::integer(0_u64, 64)));
    let listing = session.listing(at..at + 6, at);
    let bytes: Vec<Vec<u8>> = listing.into_iter().map(|own| own.bytes).collect();
    assert_eq!(bytes, [vec![0xa9, 0xaa], vec![0x8d, 0x25, 0x9f], vec![0xdb]]);
}

/// A cycle is 25/8 pixels, a line has 800 and a frame 525 lines; of these the beam shows 640 and 480.
#[test]
fn the_beam_is_marked_where_it_draws() {
    let mut session = MachineSession::new(machine("l: bra l"));
    for (step, mark) in [
        (0, Some((0, 0))),
        (10, Some((93, 0))),
        (80, None),
        (40_900, Some((237, 479))),
        (40_960, None),
        (42_667, None),
    ] {
        session.seek(step);
        assert_eq!(session.picture().unwrap().mark, mark, "{step}");
    }
}

/// A name is a label or a constant of the program, of which the label comes first, or one of VERA's registers.
#[test]
fn names_stand_for_addresses() {
    let mut sources = Sources::default();
    let file = sources.add("test.s", "place = $1234\n  nop\nstart: lda #1\n  stp");
    let (program, _) = Program::assemble(&mut sources, file, &mut |_| Err("no files".to_owned()));
    let session = program.unwrap().session(&Arguments::default()).unwrap();
    let named = ["start", "place", "DATA0", "VERA_DATA1", "nowhere"].map(|name| session.symbol(name));
    assert_eq!(named, [Some(0x0802), Some(0x1234), Some(0x9f23), Some(0x9f24), None]);
}
