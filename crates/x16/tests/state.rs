//! States of machines as files: what goes on from one is the run that was not stopped, and what is no state is refused.

use crate::board::{I2C, SD, card};
use crate::files::{MACROS, disk, rom};
use crate::machine::program;
use gpuzoo_diag::Sources;
use gpuzoo_isa::numbers;
use gpuzoo_machine::Arguments;
use gpuzoo_machine::computer::disk::Disk;
use gpuzoo_machine::computer::{Computer, Files, ScreenOptions, Software, TraceOptions, Wanted};
use gpuzoo_machine::session::Session;
use gpuzoo_vera::{Drawing, Profile};
use gpuzoo_x16::{CardSource, Config, Input, Limits, Program, X16};
use std::collections::BTreeSet;

/// What a machine is made of, and what its user does.
#[derive(Clone, Default)]
struct Made {
    config: Config,
    prg: Vec<u8>,
    input: Input,
    disk: Option<Disk>,
}

impl Made {
    fn of(text: &str) -> Made {
        Made { prg: program(text).0.prg().unwrap(), ..Made::default() }
    }

    /// Just started, and ready to be saved.
    fn machine(&self) -> X16 {
        let mut machine = X16::new(self.config.clone()).unwrap();
        machine.expect_state();
        machine.vera_mut().listen();
        machine.load_prg(&self.prg).unwrap();
        self.disk.iter().for_each(|disk| machine.insert(disk.clone()).unwrap());
        machine.give(&self.input);
        machine
    }

    /// Runs it once without a stop, once with stops, and from each stop on from its file; all have the same machine and the same sound.
    fn goes_on(&self, name: &str, cycles: u64, stops: impl IntoIterator<Item = u64>) {
        let mut whole = self.machine();
        whole.run(&Limits::cycles(cycles - whole.cycles()));
        let heard = whole.vera_mut().take_samples();
        let mut now = self.machine();
        let mut from_file: Option<X16> = None;
        let mut samples = Vec::new();
        let stops: BTreeSet<u64> = stops.into_iter().chain([cycles]).collect();
        for stop in stops {
            for machine in std::iter::once(&mut now).chain(&mut from_file) {
                let left = stop.saturating_sub(machine.cycles());
                machine.run(&Limits::cycles(left));
            }
            let more = now.vera_mut().take_samples();
            if let Some(machine) = &mut from_file {
                assert!(machine.vera_mut().take_samples() == more, "{name}: the sound up to {stop}");
                assert!(*machine == now, "{name}: at {stop}");
            }
            samples.extend(more);
            let mut machine = self.machine();
            machine.vera_mut().take_samples();
            machine.load_state(&now.save_state().unwrap()).unwrap();
            assert!(machine == now, "{name}: loaded at {stop}");
            from_file = Some(machine);
        }
        assert_eq!(now.cycles(), whole.cycles(), "{name}");
        assert!(samples == heard, "{name}: the sound");
        assert!(now.vera().picture() == whole.vera().picture(), "{name}: the picture");
        assert!(now.vera().vram() == whole.vera().vram(), "{name}: video memory");
        assert!((0..=u16::MAX).all(|at| now.peek(at) == whole.peek(at)), "{name}: memory");
        assert_eq!(
            (now.cpu(), now.output(), now.ended()),
            (whole.cpu(), whole.output(), whole.ended()),
            "{name}"
        );
    }
}

/// Places in a run, anywhere and in the middle of what lasts a few cycles.
fn places(seed: u64, count: usize, below: u64) -> Vec<u64> {
    let mut number = numbers(seed);
    (0..count).map(|_| u64::from(number(below as u32))).collect()
}

/// Writes to registers of VERA at random, so that every helper, layer, sprite and voice is in use.
const ANY: &str = "
        lda #$a7
        sta $30
        stz $31
        ; A number of 16 bits, shifted on.
next:   lda $31
        lsr
        ror $30
        bcc even
        eor #$b4
even:   sta $31
        and #$1f
        tax
        cpx #5
        bne other
        ; No reset.
        lda $30
        and #$7f
        sta $9f25
        bra read
other:  cpx #9
        bcs into
        lda $30
        sta $9f20,x
        bra read
        ; The data ports and the picture's registers most of all.
into:   lda $30
        sta $9f20,x
        sta $9f23
        sta $9f24
read:   lda $9f23
        eor $9f24
        sta $32
        bra next
";

/// Handlers that change the picture within lines, and the bytes of a FIFO that runs low.
const MIDLINE: &str = "
        sei
        lda #<handler
        sta $0314
        lda #>handler
        sta $0315
        lda #50
        sta $9f28
        lda #$0a
        sta $9f26
        lda #$8f
        sta $9f3b
        lda #60
        sta $9f3c
        cli
loop:   inc $9f2c
        inx
        stx $9f2a
        bra loop
handler: lda $9f27
        and #8
        beq line
        ldy #200
fill:   sty $9f3d
        dey
        bne fill
line:   lda #2
        sta $9f27
        lda $9f28
        adc #7
        sta $9f28
        ply
        plx
        pla
        rti
";

/// Sprites that collide, over a bitmap below narrow 8 bpp tiles, which are never done in time.
const LATE: &str = "
        lda #$71
        sta $9f29
        lda #6
        sta $9f2d
        lda #3
        sta $9f34
        stz $9f36
        stz $9f20
        lda #$fc
        sta $9f21
        lda #$11
        sta $9f22
        ldx #0
sprite: txa
        sta $9f23
        eor #$85
        sta $9f23
        asl
        sta $9f23
        stz $9f23
        lsr
        lsr
        sta $9f23
        stz $9f23
        lda #$fc
        sta $9f23
        lda #$f0
        sta $9f23
        inx
        bne sprite
        stz $9f21
        stz $9f22
        lda #$10
        sta $9f22
again:  inc
        sta $9f23
        inx
        stx $9f37
        bra again
";

/// Voices that change.
const VOICES: &str = "
        lda #$c0
        sta $9f20
        lda #$f9
        sta $9f21
        lda #$11
        sta $9f22
        ldy #64
more:   txa
        sta $9f23
        adc #$35
        tax
        dey
        bne more
        inc $40
        bra VOICES
";

#[test]
fn what_vera_does_goes_on() {
    let programs = [("any", ANY.to_owned()), ("midline", MIDLINE.to_owned()), ("late", LATE.to_owned())];
    let voices = ("voices", format!("VOICES:\n{}", VOICES));
    for (seed, (name, text)) in (1..).zip(programs.into_iter().chain([voices])) {
        for (number, profile) in (0..).zip([Profile::Rtl, Profile::X16Emu]) {
            let mut made = Made::of(&text);
            made.config.deviations = profile.deviations();
            made.config.random_memory = Some(seed);
            let below = 500_000;
            let stops =
                places(seed * 16 + number, 12, below).into_iter().chain([0, 1, 40_000, 40_001, 40_002]);
            made.goes_on(name, below, stops);
        }
    }
}

/// Each opcode, wherever a cycle's number falls.
#[test]
fn any_instructions_go_on() {
    for seed in 0..12 {
        let mut number = numbers(seed);
        let mut prg = vec![0x01, 0x08];
        prg.extend((0..400).map(|_| match number(0x100) as u8 {
            // STP would end it, BRK as well.
            0xdb | 0x00 => 0xea,
            byte => byte,
        }));
        prg.extend([0x4c, 0x01, 0x08]);
        let made = Made { prg, ..Made::default() };
        made.goes_on("bytes", 20_000, places(seed + 100, 5, 20_000));
    }
}

#[test]
fn the_board_goes_on() {
    // Bits of I2C, a block that is sent, timers of both VIAs and of the sound chip, and keys that repeat.
    let text = format!(
        "  lda #$c0\n  sta $9f0e\n  sta $9f1e\n  lda #$40\n  sta $9f0b\n  lda #$10\n  sta $9f05\n  sta $9f19\n  lda #$1c\n  sta $9f1b\n
  sta $9f1a\n  lda #$14\n  sta $9f40\n  lda #7\n  sta $9f41\n  jsr setup\n  ldy #24\n  jsr load\n  ldy #30\n  jsr store\n
l: lda #$42\n  sta $32\n  lda #7\n  sta $33\n  jsr read\n  lda #$6f\n  sta $32\n  stz $33\n  jsr read\n  lda $9f04\n  sta $9f0a\n  bra l\n
{SD}{}",
        I2C.replace("send", "i2c_send")
    );
    let mut made = Made::of(&text);
    made.config.sd_card = Some(CardSource::Image(card()));
    made.input =
        Input::read("0 press A\n@300000 motion 900,-40,3 LEFT\n@400000 buttons 1 B\n1 press F1").unwrap();
    made.goes_on("board", 6_000_000, places(7, 25, 1_500_000).into_iter().chain([4_500_000]));
}

#[test]
fn the_kernal_goes_on() {
    let text = "  lda #1\n  ldx #80\n  ldy #60\n  jsr $ff68\nl: jsr $ffcf\n  jsr $ffd2\n  ldx #$40\n  jsr $ff6b\n  jsr $ff53\n  \
                lda #1\n  jsr $ff56\n  jsr $ff50\n  bra l";
    let mut made = Made::of(text);
    made.input = Input::typed("HELLO{LEFT}{LEFT:20}X{RETURN}12{RETURN}").unwrap();
    made.input = made.input.with(&Input::moved("100,20 LEFT:3 -300,5").unwrap());
    made.input = made.input.with(&Input::played(1, "B+RIGHT:3 A").unwrap());
    made.goes_on("keys", 12_000_000, places(8, 20, 12_000_000));
}

#[test]
fn files_go_on() {
    let text = format!(
        "{MACROS}  name \"big.bin,s,r\", 8, 2, 2\n  jsr $ffc0\n  command \"md:new\"\n  command \"s:text\"\n  name \"new/out,s,w\", 8, 3, 3\n  \
         jsr $ffc0\n  name \"$\", 8, 0, 4\n  jsr $ffc0\nl: ldx #2\n  jsr $ffc6\n  jsr $ffcf\n  pha\n  jsr $ffcc\n  ldx #3\n  jsr $ffc9\n  \
         pla\n  jsr $ffd2\n  jsr $ffcc\n  ldx #4\n  jsr $ffc6\n  jsr $ffcf\n  jsr $ffcc\n  jsr $ffd2\n  bra l"
    );
    let made = Made { disk: Some(disk()), ..Made::of(&text) };
    made.goes_on("files", 200_000, places(9, 20, 200_000));
    let mut machine = made.machine();
    machine.run(&Limits::cycles(200_000));
    assert_eq!(machine.changes().len(), 3, "{:?}", machine.changes());
}

/// A ROM whose handler counts, with a drive that it asks.
#[test]
fn a_rom_goes_on() {
    let mut rom = rom();
    // The handler: inc $0400, lda $9f27, sta $9f27, rti.
    rom[0x1000..0x100a].copy_from_slice(&[0xee, 0, 4, 0xad, 0x27, 0x9f, 0x8d, 0x27, 0x9f, 0x40]);
    rom[0x3ffe..0x4000].copy_from_slice(&[0x00, 0xd0]);
    let text = "  lda #1\n  sta $9f26\n  lda #3\n  sta 1\n  cli\n  lda #8\n  jsr $ffb1\n  lda #$f2\n  jsr $ff93\n  ldx #0\nn: lda name,x\n  \
                jsr $ffa8\n  inx\n  cpx #12\n  bne n\n  jsr $ffae\n  lda #8\n  jsr $ffb4\n  lda #$62\n  jsr $ff96\nl: jsr $ffa5\n  \
                sta $9f23\n  wai\n  bra l\nname: .byte \"big.bin,s,r \"";
    let mut made = Made { disk: Some(disk()), ..Made::of(&text.replace("sta 1\n", "sta $30\n")) };
    made.config.rom = Some(rom);
    made.config.ram_banks = 3;
    made.goes_on("rom", 1_000_000, places(10, 15, 1_000_000));
}

/// Of the options of a machine the state's count.
#[test]
fn banks_and_deviations_are_in_the_state() {
    let mut made = Made::of("l: inc $a000\n  inc 0\n  bra l");
    made.config = Config { ram_banks: 7, deviations: Profile::X16Emu.deviations(), ..Config::default() };
    let mut machine = made.machine();
    machine.run(&Limits::cycles(1000));
    let mut other = Made { config: Config::default(), ..made.clone() }.machine();
    other.load_state(&machine.save_state().unwrap()).unwrap();
    // The beginning of what was heard is not in it.
    machine.vera_mut().take_samples();
    assert!(other == machine);
    assert_eq!(other.vera().deviations(), Profile::X16Emu.deviations());
}

fn code(result: Result<impl Sized, gpuzoo_diag::Diagnostic>) -> Option<&'static str> {
    result.err().map(|problem| problem.code.id)
}

fn saved(made: &Made) -> Vec<u8> {
    let mut machine = made.machine();
    machine.run(&Limits::cycles(10_000));
    machine.save_state().unwrap()
}

#[test]
fn other_programs_roms_and_cards_are_refused() {
    let mut made = Made::of("l: inc $9f23\n  bra l");
    made.config.rom = Some(rom());
    made.config.sd_card = Some(CardSource::Image(card()));
    made.disk = Some(disk());
    let state = saved(&made);
    let refused = |other: &Made| {
        let mut machine = other.machine();
        let before = machine.clone();
        let problem = machine.load_state(&state).unwrap_err();
        assert!(machine == before, "it is as it was");
        (problem.code.id, problem.message)
    };
    let differs = |what: &str| ("V0341", format!("the state belongs to something else: {what} differs"));
    let mut other = made.clone();
    other.prg.push(0);
    assert_eq!(refused(&other), differs("the program"));
    let mut other = made.clone();
    other.prg[0] += 1;
    assert_eq!(refused(&other), differs("the program"), "it is elsewhere");
    let mut other = made.clone();
    other.config.rom.as_mut().unwrap()[0x3000] ^= 1;
    assert_eq!(refused(&other), differs("the ROM"));
    let mut other = made.clone();
    other.config.sd_card = Some(CardSource::Image(vec![0; 2048]));
    assert_eq!(refused(&other), differs("the SD card"));
    other.disk = None;
    assert_eq!(
        refused(&other),
        (
            "V0341",
            "the state belongs to something else: the SD card and the folder of device 8 differ".to_owned()
        )
    );
    let mut other = made.clone();
    other.prg.push(0);
    other.config.rom.as_mut().unwrap()[0x3000] ^= 1;
    assert_eq!(refused(&other).1, "the state belongs to something else: the program and the ROM differ");
    // Another folder is one that has changed.
    let other = Made { disk: Some(Disk::of([("A", vec![1])])), ..made.clone() };
    assert!(other.machine().load_state(&state).is_ok());
}

#[test]
fn what_was_not_drawn_or_heard_cannot_be_saved() {
    let made = Made::of("l: bra l");
    let mut plain = X16::new(Config::default()).unwrap();
    assert_eq!(code(plain.save_state()), Some("V0342"));
    plain.run(&Limits::cycles(100));
    plain.expect_state();
    assert_eq!(code(plain.save_state()), Some("V0342"), "what was heard before is not known");
    let mut machine = made.machine();
    assert!(machine.save_state().is_ok());
    machine.vera_mut().draw(Drawing::Lines);
    machine.vera_mut().draw(Drawing::Picture);
    assert_eq!(code(machine.save_state()), Some("V0342"));
    // One that goes on from a state can be saved again, if it draws all.
    let state = saved(&made);
    let mut machine = made.machine();
    machine.load_state(&state).unwrap();
    assert!(machine.save_state().unwrap() == state);
    let mut quick = X16::new(Config::default()).unwrap();
    quick.vera_mut().draw(Drawing::Nothing);
    quick.load_prg(&made.prg).unwrap();
    quick.load_state(&state).unwrap();
    assert_eq!(code(quick.save_state()), Some("V0342"));
}

/// A file with another byte, without some, or with more is refused, and the machine stays as it was.
#[test]
fn files_that_were_changed_are_refused() {
    let mut made = Made::of(MIDLINE);
    made.input = Input::typed("A").unwrap();
    made.disk = Some(disk());
    let state = saved(&made);
    let mut machine = made.machine();
    let before = machine.clone();
    let mut number = numbers(11);
    let mut below = |count: usize| number(count as u32) as usize;
    let mut seen = BTreeSet::new();
    for round in 0..4000 {
        let mut other = state.clone();
        match round % 4 {
            0 => {
                let at = if round < 400 { round / 4 } else { below(state.len()) };
                let at = at.min(state.len() - 1);
                other[at] ^= 1 << below(8);
            }
            1 => other.truncate(below(state.len())),
            2 => other.insert(below(state.len()), below(256) as u8),
            _ => {
                let (from, to) = (below(state.len() - 8), below(state.len() - 8));
                other.copy_within(from..from + 8, to);
            }
        }
        if other != state {
            seen.extend(code(machine.load_state(&other)));
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["V0339", "V0340"]);
    assert!(machine == before);
    for (bytes, expected) in
        [(&b""[..], "V0339"), (b"X16STATE", "V0339"), (b"\x01\x08\x60 and some more bytes", "V0339")]
    {
        assert_eq!(code(machine.load_state(bytes)), Some(expected));
    }
}

/// The file of a verb's state.
fn file(files: Files) -> Vec<u8> {
    files.into_iter().find(|(name, _)| *name == "save-state").map(|(_, bytes)| bytes).unwrap()
}

fn any() -> Program {
    Program::prg(&program(ANY).0.prg().unwrap())
}

fn cycles(cycles: u64) -> Arguments {
    Arguments::default().set("cycles", cycles)
}

/// What a run has at its end, whichever verb has brought it half the way.
#[test]
fn each_verb_saves_and_goes_on() {
    let program = any();
    let whole = program.run(&cycles(300_000)).unwrap();
    let half = cycles(123_456).with("save-state");
    let by_run = file(program.run(&half).unwrap().files);
    let by_check = file(program.check(&half.clone().with("run"), &Sources::default()).unwrap().files);
    assert!(by_run == by_check);
    let mut screen = program.screen(&half, &ScreenOptions::default()).unwrap();
    screen.advance();
    assert!(file(screen.files().unwrap()) == by_run, "the picture is finished behind it");
    let options = TraceOptions {
        skip: 1000,
        steps: u64::MAX,
        until: Some(30_000),
        only: Vec::new(),
        json: false,
        sources: &Sources::default(),
    };
    let mut steps = program.trace(&Arguments::default().with("save-state"), &options).unwrap();
    assert_eq!(steps.by_ref().filter(|step| step.starts_with(' ')).count(), 29_000);
    let by_trace = file(steps.files().unwrap());
    let mut session = program.session(&Arguments::default().with("save-state")).unwrap();
    // Forward and back again.
    assert_eq!((session.seek(40_000), session.seek(30_000)), (40_000, 30_000));
    assert!(file(session.files().unwrap()) == by_trace);
    for state in [by_run, by_trace] {
        let arguments = Arguments::default().set("load-state", state);
        let from = program.machine(&arguments).unwrap().cycles();
        let more = program.run(&arguments.set("cycles", 300_000 - from)).unwrap();
        assert_eq!(
            (&more.json["registers"], &more.json["state"]),
            (&whole.json["registers"], &whole.json["state"])
        );
        assert!(
            more.files.iter().find(|(name, _)| *name == "vram")
                == whole.files.iter().find(|(name, _)| *name == "vram")
        );
    }
}

/// `run` draws nothing, but what goes on from its state has the picture all the same.
#[test]
fn pictures_and_sound_go_on_from_a_run() {
    let program = any();
    let screen = |arguments: &Arguments, frame: Option<u32>| {
        let options = ScreenOptions { frame, wanted: Wanted::Both, ..ScreenOptions::default() };
        let mut screen = program.screen(arguments, &options).unwrap();
        (0..screen.count()).for_each(|_| screen.advance());
        (screen.image().unwrap(), screen.sound().unwrap().samples)
    };
    let (picture, sound) = screen(&Arguments::default(), Some(4));
    let three = Arguments::default().set("frames", 3);
    let state = file(program.run(&three.clone().with("save-state")).unwrap().files);
    let (_, before) = screen(&three, None);
    let (again, after) = screen(&Arguments::default().set("load-state", state.clone()), Some(1));
    assert!(again.into_bytes() == picture.into_bytes());
    assert!([before, after].concat() == sound);
    // In the middle of the next but one: what the beam has not reached is of the one before.
    let middle = file(
        program.run(&cycles(134_400 + 30_000).set("load-state", state).with("save-state")).unwrap().files,
    );
    let machine = program.machine(&Arguments::default().set("load-state", middle)).unwrap();
    let mut whole = program.machine(&Arguments::default()).unwrap();
    whole.run(&Limits::cycles(machine.cycles()));
    assert!(machine.vera().picture() == whole.vera().picture());
}

/// What is said of a machine that starts is refused, and a trace has no machine.
#[test]
fn a_state_does_not_start() {
    let program = any();
    let state = file(program.run(&cycles(1000).with("save-state")).unwrap().files);
    let from = Arguments::default().set("load-state", state.clone());
    for arguments in [
        from.clone().set("start", 0x0801),
        from.clone().set("ram-banks", 64),
        from.clone().set("date", "2026-01-01"),
        from.clone().set("random-memory", 0),
        from.clone().set("deviation", "E1"),
        Arguments::new("rtl").set("load-state", state.clone()),
    ] {
        assert_eq!(code(program.run(&arguments)), Some("G0108"), "{arguments:?}");
    }
    assert_eq!(
        code(program.run(&Arguments::default().set("load-state", b"no state".to_vec()))),
        Some("V0339")
    );
    let mut include = |_: &str| Err(String::new());
    let input = gpuzoo_machine::computer::Input {
        name: "t.trace",
        bytes: b"W 25 04\n",
        form: None,
        include: &mut include,
    };
    let (trace, _) = gpuzoo_x16::GPU.read(&mut Sources::default(), input, &Arguments::default());
    assert_eq!(code(trace.unwrap().run(&from)), Some("G0108"));
}

/// A user who does something does it from there on; else what was to come still comes.
#[test]
fn keys_go_on_or_begin_anew() {
    let text = "l: jsr $ffe4\n  beq l\n  jsr $ffd2\n  bra l";
    let program = Program::prg(&program(text).0.prg().unwrap());
    let frames = |frames: u64| Arguments::default().set("frames", frames);
    let saved = program.run(&frames(32).set("keys", "ABC").with("save-state")).unwrap();
    assert_eq!(saved.json["output"], "A");
    let from = |arguments: Arguments| arguments.set("load-state", file(saved.files.clone()));
    assert_eq!(program.run(&from(frames(40))).unwrap().json["output"], "ABC");
    assert_eq!(program.run(&from(frames(40)).set("keys", "X")).unwrap().json["output"], "AX");
}

/// Which memory was written before nobody knows.
#[test]
fn lints_begin_where_the_state_does() {
    let text = "  stz $3000\n  ldx #0\nw: dex\n  bne w\n  lda $3000\n  lda $3001\n  stp";
    let program = Program::prg(&program(text).0.prg().unwrap());
    let codes = |arguments: &Arguments| {
        let checked = program.check(&arguments.clone().with("run"), &Sources::default()).unwrap();
        checked.remarks.iter().map(|remark| remark.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(&Arguments::default()), ["V0409"]);
    let state = file(program.run(&cycles(100).with("save-state")).unwrap().files);
    assert!(codes(&Arguments::default().set("load-state", state)).is_empty());
}
