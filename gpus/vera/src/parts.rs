//! The inside of VERA in parts that can be compared: everything except the deviations, the time, and the drawn picture.

use crate::{Item, STATE, Vera};

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A state of [`STATE`], and its values.
    State(&'static str, u8, [u32; 2]),
    /// What has no name there.
    Other(&'static str),
}

/// All states, as numbers, and what has none.
pub fn of(vera: &Vera) -> (Vec<u32>, Vec<u8>) {
    let isr = [vera.interrupts.status, vera.video.collisions];
    let shadows = vera.palette.bytes().iter().chain(vera.sprites.bytes()).chain(&vera.psg).chain(&isr);
    (states().map(|item| (item.get)(vera)).collect(), shadows.copied().collect())
}

/// What is kept: the rest is worked out of it, by rules, whenever it is asked for.
const WORKED_OUT: [&str; 3] = ["FX_POLY_FILL_L", "FX_POLY_FILL_H", "output"];

fn states() -> impl Iterator<Item = &'static Item> {
    STATE.iter().filter(|item| !item.is_of_time() && !WORKED_OUT.contains(&item.name))
}

/// The differences of two devices.
pub fn differing([one, other]: [&Vera; 2]) -> Vec<Part> {
    let states = states().filter_map(|item| {
        let values = [(item.get)(one), (item.get)(other)];
        (values[0] != values[1]).then_some(Part::State(item.name, item.bits, values))
    });
    let others = [
        ("a layer's registers", one.layers != other.layers),
        ("the palette", one.palette != other.palette),
        ("the sprites' attributes", one.sprites != other.sprites),
        ("the sound's voices", one.psg != other.psg),
        ("ISR", one.interrupts.status != other.interrupts.status),
        ("the sprites' collisions", one.video.collisions != other.video.collisions),
    ];
    states
        .chain(others.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| Part::Other(name)))
        .collect()
}

/// True if what changes without an access does not differ.
pub fn are_quiet([one, other]: [&Vera; 2]) -> bool {
    (one.interrupts.status, one.video.collisions) == (other.interrupts.status, other.video.collisions)
}
