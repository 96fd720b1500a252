//! What the host has opened, by number.

use crate::request::{Problem, Request};
#[cfg(feature = "vera")]
use gpuzoo::machines::{vera::Vera, x16::X16};
use gpuzoo::{Kernel, Program};
use std::collections::BTreeMap;

/// A program that was opened, and its last kernel, with what it was compiled for.
pub struct Opened {
    pub program: Program,
    pub kernel: Option<(String, Kernel)>,
}

/// Something that lives until the host closes it.
pub enum Object {
    Program(Box<Opened>),
    /// The device without a machine around it.
    #[cfg(feature = "vera")]
    Vera(Box<Vera>),
    /// A whole machine.
    #[cfg(feature = "vera")]
    X16(Box<X16>),
}

/// The objects; a number is never that of two.
#[derive(Default)]
pub struct Objects {
    next: u32,
    open: BTreeMap<u32, Object>,
}

impl Objects {
    /// Keeps an object; its number.
    pub fn open(&mut self, object: Object) -> u32 {
        self.next += 1;
        self.open.insert(self.next, object);
        self.next
    }

    /// Drops an object. One that is closed already is nothing to drop.
    pub fn close(&mut self, number: u32) {
        self.open.remove(&number);
    }

    pub fn program(&mut self, number: u32) -> Option<&mut Opened> {
        match self.open.get_mut(&number)? {
            Object::Program(program) => Some(program),
            #[cfg(feature = "vera")]
            _ => None,
        }
    }

    #[cfg(feature = "vera")]
    pub fn x16(&mut self, number: u32) -> Option<&mut X16> {
        match self.open.get_mut(&number)? {
            Object::X16(machine) => Some(machine),
            _ => None,
        }
    }

    /// The device, or that of a machine.
    #[cfg(feature = "vera")]
    pub fn vera(&mut self, number: u32) -> Option<&mut Vera> {
        match self.open.get_mut(&number)? {
            Object::Vera(vera) => Some(vera),
            Object::X16(machine) => Some(machine.vera_mut()),
            Object::Program(_) => None,
        }
    }
}

/// The number of an object in a request.
pub fn number(request: Request) -> Result<u32, Problem> {
    request.number("id")?.ok_or_else(|| "the request has no `id`".into())
}

/// Why there is no object of a number.
pub fn closed() -> Problem {
    "the object is closed, or is another one's".into()
}
