//! The crates of the machines, each behind the feature of its name.

#[cfg(feature = "dreambox")]
pub use gpuzoo_dreambox as dreambox;
#[cfg(feature = "nv2a")]
pub use gpuzoo_nv2a as nv2a;
#[cfg(feature = "picogpu")]
pub use gpuzoo_picogpu as picogpu;
#[cfg(feature = "servaru")]
pub use gpuzoo_servaru as servaru;
#[cfg(feature = "vera")]
pub use gpuzoo_vera as vera;
#[cfg(feature = "vera")]
pub use gpuzoo_x16 as x16;
