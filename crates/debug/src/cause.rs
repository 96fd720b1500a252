//! Where a zero, a NaN or an infinity began.

use crate::ancestry::{Writes, held, written};
use crate::slot::{Boundary, Computation};
use gpuzoo_ir as ir;
use gpuzoo_isa::{Mask, Reg};
use gpuzoo_machine::session::{Dataflow, ShaderSession};

/// What is odd about a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// It is 0 or -0.
    Zero,
    /// It is not a number.
    NotANumber,
    /// It is infinite.
    Infinite,
}

impl Oddity {
    /// What is odd about these bits as a float.
    ///
    /// ```
    /// use gpuzoo_debug::Oddity;
    /// assert_eq!(Oddity::of(0x8000_0000), Some(Oddity::Zero));
    /// assert_eq!(Oddity::of(0x7f80_0000), Some(Oddity::Infinite));
    /// assert_eq!(Oddity::of(0x3f80_0000), None);
    /// ```
    pub fn of(bits: u32) -> Option<Oddity> {
        let value = f32::from_bits(bits);
        match () {
            () if value == 0.0 => Some(Oddity::Zero),
            () if value.is_nan() => Some(Oddity::NotANumber),
            () if value.is_infinite() => Some(Oddity::Infinite),
            () => None,
        }
    }

    /// What is odd about these bits by their type: of an integer only that it is 0.
    ///
    /// ```
    /// use gpuzoo_debug::Oddity;
    /// assert_eq!(Oddity::typed(u32::MAX, true), None);
    /// assert_eq!(Oddity::typed(u32::MAX, false), Some(Oddity::NotANumber));
    /// ```
    pub fn typed(bits: u32, is_integer: bool) -> Option<Oddity> {
        match is_integer {
            true => (bits == 0).then_some(Oddity::Zero),
            false => Oddity::of(bits),
        }
    }
}

/// A component that is odd because one before it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The step that wrote it; none for what was there before the first, and for what was poked.
    pub step: Option<usize>,
    /// True if it was poked.
    pub poked: bool,
    /// The register.
    pub reg: Reg,
    /// Its component.
    pub component: u8,
    /// Its bits.
    pub bits: u32,
    /// True if they are an integer; else they are a float.
    pub is_integer: bool,
}

/// From a component of a register, as it is before step `position`, back to where what is odd about it arose: each is odd
/// because the next is, and in the last it arises, from values that are not. Of a component that is not odd it is the
/// component alone.
///
/// Where several values of an instruction are odd, the one counts without which the result would not be: zeros are tried
/// as 1.
pub fn cause(session: &ShaderSession, reg: Reg, component: u8, position: usize) -> Vec<Cause> {
    let flow = session.dataflow();
    let writes = Writes::of(flow, session.steps().len());
    let mut chain = Vec::new();
    let mut next = Some((reg, component, position, None));
    while let Some((reg, component, position, value)) = next.take() {
        let writer = writes.before(position, reg, Mask(1 << component)).into_keys().next();
        let step = writer.and_then(|(writer, _)| writer.step());
        let own = step.and_then(|step| written(flow, step, reg));
        let value = own.map(|(_, value)| value).or(value).or_else(|| held(flow, writer?.0, reg));
        let poked = writer.is_some_and(|(writer, _)| writer.poked().is_some());
        let bits = value.map_or(0, |value| flow.value(value)[usize::from(component & 3)]);
        let is_integer = value.is_some_and(|value| flow.integers(value).has(component & 3));
        chain.push(Cause { step, poked, reg, component, bits, is_integer });
        let oddity = Oddity::typed(bits, is_integer);
        if let (Some(step), Some((slot, written)), Some(oddity)) = (step, own, oddity) {
            let before = because(flow, slot, written, component, oddity);
            next = before.map(|(reg, component, value)| (reg, component, flow.first_step(step), Some(value)));
        }
    }
    chain
}

/// The component that was read and without whose oddity the written one would not be odd.
fn because(
    flow: &Dataflow,
    slot: usize,
    written: ir::Value,
    component: u8,
    oddity: Oddity,
) -> Option<(Reg, u8, ir::Value)> {
    let own = Computation::of(flow, slot, written, Mask(1 << component));
    let candidate = |boundary: &Boundary| {
        let Boundary { value, reg, components } = *boundary;
        let odd = (0..4).filter(move |at| {
            let is_integer = flow.integers(value).has(*at);
            components.has(*at)
                && Oddity::typed(flow.value(value)[usize::from(*at)], is_integer) == Some(oddity)
        });
        odd.filter_map(move |at| Some((reg?, at, value))).collect::<Vec<_>>()
    };
    let candidates: Vec<(Reg, u8, ir::Value)> = own.boundaries.iter().flat_map(candidate).collect();
    let changes = |ones: &[(Reg, u8, ir::Value)]| {
        let ones: Vec<_> = ones.iter().map(|(_, at, value)| (*value, Mask(1 << at))).collect();
        let bits = own.with_ones(flow, written, &ones)[usize::from(component & 3)];
        Oddity::typed(bits, flow.integers(written).has(component & 3)) != Some(oddity)
    };
    let alone = candidates.iter().find(|one| changes(std::slice::from_ref(*one)));
    alone.or_else(|| candidates.first().filter(|_| changes(&candidates))).copied()
}
