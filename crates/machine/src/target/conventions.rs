//! Where compiled programs find what they take and leave what they give.

use gpuzoo_isa::{Reg, Stage};
use std::ops::Range;

/// What a program takes or gives, as shading languages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Port {
    /// A vertex's position as the program leaves it; a fragment's place in pixels.
    Position,
    /// An attribute, a varying or a colour, by number: `@location(n)`.
    Location(u16),
    /// The size of a point.
    PointSize,
    /// The depth of a fragment.
    Depth,
}

/// How a program reads a texture, at coordinates x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Filtered, at the level of detail that its coordinates have.
    Filtered,
    /// The same with w added to the level.
    Biased,
    /// One texel by its number, of the level w.
    Texel,
}

/// No machine has as many locations.
pub const LOCATIONS: u16 = 32;

/// How vertex programs leave positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    /// In clip space.
    #[default]
    Clip,
    /// In pixels, divided by w, which is left beside them.
    Pixels,
    /// In pixels, not yet divided by w.
    PixelsTimesW,
}

/// The registers that a compiler may count on.
pub trait Conventions: Sync {
    /// The stages for which the machine has programs.
    fn stages(&self) -> &'static [Stage];

    /// The register that holds an input when a program begins. None if there is no such input.
    fn input(&self, stage: Stage, port: Port) -> Option<Reg>;

    /// The register that holds an output when a program has run. None if there is no such output.
    fn output(&self, stage: Stage, port: Port) -> Option<Reg>;

    /// What the pipeline takes an output of the IR for, by its number. None for one that it does not take.
    fn port(&self, stage: Stage, number: u16) -> Option<Port> {
        let all = [Port::Position, Port::PointSize, Port::Depth].into_iter();
        let mut all = all.chain((0..LOCATIONS).map(Port::Location));
        all.find(|port| self.output(stage, *port).is_some_and(|reg| reg.index == number))
    }

    /// The constants that a program may use for its uniforms and literals, if it does not say otherwise; it takes them from the
    /// first on.
    fn constants(&self, stage: Stage) -> Range<u16>;

    /// The number of an IR sample that reads the texture of a unit. None if the machine cannot read it so.
    fn sample(&self, sampling: Sampling, unit: u8) -> Option<u8> {
        let _ = (sampling, unit);
        None
    }

    /// How vertex programs leave positions.
    fn positions(&self) -> Positions {
        Positions::Clip
    }

    /// The constants with the scale and the offset that lead from clip space to pixels, where programs go there themselves.
    fn viewport(&self) -> Option<[Reg; 2]> {
        None
    }
}
