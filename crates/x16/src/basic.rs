//! A ROM's BASIC: its program as LOAD leaves it, and the command that runs it.

use crate::asm::BASIC;
use crate::board::bus::Bus;
use crate::input::Input;
use crate::program::Loaded;
use crate::rules::{BASIC_PROGRAM, NO_BASIC};
use gpuzoo_diag::Diagnostic;

/// The command, and the frame after a program was loaded in which its first key comes.
const RUN: &str = "RUN{RETURN}";
/// Where BASIC's variables may be: below its programs.
const VARIABLES: std::ops::Range<u16> = 0x0002..0x0800;
/// What VARTAB, ARYTAB and STREND hold before a program is loaded: behind the two zeros of an empty one.
const EMPTY: u16 = BASIC + 2;

/// The problem of a BASIC program without a ROM that runs it.
pub(super) fn no_rom() -> Diagnostic {
    Diagnostic::error(&BASIC_PROGRAM, "the program is BASIC, and there is no ROM that runs it")
        .help("`--rom FILE` gives an image of the Commander's ROM, whose BASIC gets the command RUN")
        .help("`--start $0801` starts machine code that looks like BASIC, or `--start ADDRESS` what is behind the lines")
}

/// The pointers of a BASIC that waits at its prompt without a program: VARTAB, ARYTAB and STREND, one behind the other, then FRETOP.
fn pointers(bus: &Bus) -> Option<u16> {
    let is_empty = |at: &u16| (0..3).all(|index| bus.word(at + 2 * index) == EMPTY);
    let mut found = VARIABLES.filter(|at| is_empty(at));
    let first = found.next()?;
    // Whatever else looks the same is something that is not known.
    found.next().is_none().then_some(first)
}

/// Makes BASIC's program what was loaded: links lines and moves the pointers behind its end, as LOAD does.
///
/// # Errors
/// If the ROM has no BASIC that waits at its prompt, or the program does not fit below its strings.
pub(super) fn take(bus: &mut Bus, loaded: &Loaded) -> Result<(), Diagnostic> {
    let Some(variables) = pointers(bus) else {
        let message = "the ROM has no BASIC that waits for a program";
        return Err(Diagnostic::error(&NO_BASIC, message)
            .help("the Commander's BASIC is at its prompt 180 frames after power-on"));
    };
    let end = loaded.address.wrapping_add(loaded.length);
    if end > bus.word(variables + 6) {
        return Err(Diagnostic::error(
            &NO_BASIC,
            format!("the program ends at ${end:04X}, beyond BASIC's memory"),
        ));
    }
    for at in 0..3 {
        put(bus, variables + 2 * at, end);
    }
    link(bus, end);
    Ok(())
}

fn put(bus: &mut Bus, at: u16, word: u16) {
    let [low, high] = word.to_le_bytes();
    bus.poke(at, low);
    bus.poke(at + 1, high);
}

/// Links lines, each to what follows its zero.
fn link(bus: &mut Bus, end: u16) {
    let mut line = BASIC;
    while line + 4 < end && bus.word(line) > 0xff {
        let Some(zero) = (line + 4..end).find(|at| bus.peek(*at) == 0) else { return };
        put(bus, line, zero + 1);
        line = zero + 1;
    }
}

/// The keys that run it, from the first frame on, and what the user does then.
pub(super) fn with_run(input: &Input) -> Input {
    Input::typed_at(0, RUN).unwrap_or_default().with(input)
}
