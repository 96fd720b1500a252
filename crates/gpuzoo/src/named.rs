//! The machines by their names.
#![allow(unused_imports, reason = "a build may have none of them")]

use crate::{Computer, Machine};

/// The Dreambox's Vertex Unit.
#[cfg(feature = "dreambox")]
pub fn dreambox() -> Machine {
    Machine::new(&gpuzoo_dreambox::GPU)
}

/// The vertex shader of the original Xbox.
#[cfg(feature = "nv2a")]
pub fn nv2a() -> Machine {
    Machine::new(&gpuzoo_nv2a::GPU)
}

/// PicoGpu's shader units.
#[cfg(feature = "picogpu")]
pub fn picogpu() -> Machine {
    Machine::new(&gpuzoo_picogpu::GPU)
}

/// Servaru-I.
#[cfg(feature = "servaru")]
pub fn servaru() -> Machine {
    Machine::new(&gpuzoo_servaru::GPU)
}

/// The Commander X16, whose 65C02 drives VERA.
#[cfg(feature = "vera")]
pub fn vera() -> Computer {
    Computer::new(&gpuzoo_x16::GPU)
}
