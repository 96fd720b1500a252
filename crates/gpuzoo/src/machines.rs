//! The machines that come with gpuzoo, and their crates, each behind the feature of its name.

use gpuzoo_machine::Gpu;

/// The one list of the machines. A line has the name, the type of the function of that name, the static that describes the machine,
/// its feature, and the crates that [`machines`](self) re-exports.
macro_rules! machines {
    ($($(#[$about:meta])* $name:ident: $front:ident = $gpu:path, $feature:literal { $($inner:ident as $outer:ident),* })*) => {
        /// The machines, as far as the features of the build have them.
        pub static GPUS: &[&dyn Gpu] = &[$(#[cfg(feature = $feature)] &$gpu,)*];

        $($(#[cfg(feature = $feature)] pub use $inner as $outer;)*)*

        /// A function for each machine.
        pub(crate) mod named {
            $(
                $(#[$about])*
                #[cfg(feature = $feature)]
                pub fn $name() -> crate::$front {
                    crate::$front::new(&$gpu)
                }
            )*
        }
    };
}

machines! {
    /// The Dreambox's Vertex Unit.
    dreambox: Machine = gpuzoo_dreambox::GPU, "dreambox" { gpuzoo_dreambox as dreambox }
    /// The vertex shader of the original Xbox.
    nv2a: Machine = gpuzoo_nv2a::GPU, "nv2a" { gpuzoo_nv2a as nv2a }
    /// PicoGpu's shader units.
    picogpu: Machine = gpuzoo_picogpu::GPU, "picogpu" { gpuzoo_picogpu as picogpu }
    /// Servaru-I.
    servaru: Machine = gpuzoo_servaru::GPU, "servaru" { gpuzoo_servaru as servaru }
    /// The Commander X16, whose 65C02 drives VERA.
    vera: Computer = gpuzoo_x16::GPU, "vera" { gpuzoo_vera as vera, gpuzoo_x16 as x16 }
}
