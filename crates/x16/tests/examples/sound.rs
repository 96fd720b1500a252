//! What `tune.s` plays: the notes that its table says, on the sides that it says, and a drum for every other note.

use super::run::Example;
use gpuzoo_vera::{HEIGHT, LINE_CLOCKS, LINES, SAMPLES_PER_SECOND};
use gpuzoo_x16::Limits;

/// Hertz of the notes from C on, in equal temperament.
const NOTES: [f64; 8] = [261.63, 293.66, 329.63, 349.23, 392.0, 440.0, 493.88, 523.25];
/// Frames of a note, and clocks of a frame.
const FRAMES: usize = 12;
const CLOCKS: usize = LINES as usize * LINE_CLOCKS as usize;

/// The first sample of a frame of a note, counted from the VSYNC with which the note begins; for the first one it would have been before
/// power-on.
fn at(note: usize, frame: usize) -> usize {
    ((note * FRAMES + frame) * CLOCKS - (LINES as usize - HEIGHT) * LINE_CLOCKS as usize) / 512
}

/// The frequency on a side, by its rises through zero.
fn hertz(samples: &[[i32; 2]], side: usize) -> f64 {
    let rises: Vec<usize> =
        (1..samples.len()).filter(|at| samples[at - 1][side] < 0 && samples[*at][side] >= 0).collect();
    let (first, last) = (rises[0], rises[rises.len() - 1]);
    (rises.len() - 1) as f64 * SAMPLES_PER_SECOND / (last - first) as f64
}

/// The loudest on a side.
fn loudest(samples: &[[i32; 2]], side: usize) -> i32 {
    samples.iter().map(|sample| sample[side].abs()).max().unwrap_or(0)
}

#[test]
fn the_tune_is_that_of_its_table() {
    let example = Example::shipped("tune");
    let mut machine = example.machine();
    machine.vera_mut().listen();
    machine.run(&Limits::frames(300));
    (0..3).for_each(|_| machine.vera_mut().advance_frame());
    assert!(machine.findings().is_empty(), "{:?}", machine.findings());
    let samples = machine.vera_mut().take_samples();
    let byte = |table, index: usize| {
        let address = example.symbol(table) + index as u16;
        usize::from(example.program.byte(address).expect("a byte of the table"))
    };
    for note in 0..16 {
        // Of the first frame some is left for what the program does before.
        let played = &samples[at(note, 1)..at(note + 1, 0)];
        let (tune, bass) = (NOTES[byte("tune", note)], NOTES[byte("bass", note / 2)] / 4.0);
        assert!((hertz(played, 0) / tune - 1.0).abs() < 0.005, "note {note}: {}, {tune}", hertz(played, 0));
        let heard = hertz(&samples[at(note, 2)..at(note + 1, 0)], 1);
        assert!((heard / bass - 1.0).abs() < 0.01, "bass {note}: {heard}, {bass}");
        let (start, end) = (&samples[at(note, 1)..at(note, 2)], &samples[at(note, 11)..at(note + 1, 0)]);
        assert!(loudest(start, 0) > 3 * loudest(end, 0), "note {note} fades");
        let drum = loudest(&samples[at(note, 1) - 700..at(note, 1) - 100], 1);
        assert_eq!(drum > 5000, note % 2 == 0, "drum {note}: {drum}");
    }
    let behind = &samples[at(16, 1)..];
    assert!(!behind.is_empty() && behind.iter().all(|sample| *sample == [0; 2]));
}
