//! Where the values of a shader's run come from.
//!
//! The programs of shader units are straight lines. So a component of a register, at any point of a run, was computed from
//! exactly these instructions, inputs and constants: its [`Ancestry`]. And if it is zero, NaN or infinite, there is a place
//! where that began: its [`Cause`].
//!
//! Both are data over a [session](gpuzoo_machine::session::ShaderSession).
//!
//! A [`Debugger`] goes through the session of any machine, in both directions, and stops at [`Breakpoint`]s, which may ask for
//! an [`Expression`] to hold. Nothing here is shown to anybody.
#![forbid(unsafe_code)]

pub mod ancestry;
pub mod cause;
pub mod component;
pub mod debugger;
pub mod expression;
pub mod influence;
mod slot;

pub use ancestry::{Ancestry, Link, Node, Origin, Parent, Parents};
pub use cause::{Cause, Oddity};
pub use component::Component;
pub use debugger::{Breakpoint, Debugger, Halt};
pub use expression::{Expression, Quantity, Subject, Unclear};
pub use influence::{Influenced, influence};
