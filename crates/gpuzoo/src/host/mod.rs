//! Programs on the host's GPU, translated: batches of runs, and pictures.
//!
//! ```
//! use gpuzoo::host::Device;
//! use gpuzoo::run::{Column, Vertices};
//! use gpuzoo::translate::Fidelity;
//! use std::ops::ControlFlow;
//! let program = gpuzoo::nv2a().assemble("double.vsh", "add oPos, v0, v0")?;
//! match Device::open() {
//!     Ok(device) => {
//!         let kernel = device.kernel(&program, "hw", Fidelity::Exact)?;
//!         let three = Column { input: 0, values: vec![0x40400000; 4].into(), stride: 4, components: 4 };
//!         let vertices = Vertices::Columns { count: 1, columns: vec![three] };
//!         kernel.run(&vertices, 0, &[], |block| {
//!             assert_eq!(block.outputs().next(), Some(&[[0x40c00000; 4]][..]));
//!             ControlFlow::Continue(())
//!         })?;
//!     }
//!     Err(none) => eprintln!("skipped: {}", none.message),
//! }
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

#[cfg(feature = "render")]
mod lines;
#[cfg(feature = "render")]
pub mod render;
mod run;
#[cfg(feature = "render")]
mod shaders;
#[cfg(feature = "render")]
mod state;

pub use run::DeviceKernel;

use crate::codes::{DEVICE_FAILED, NO_DEVICE};
use gpuzoo_diag::Diagnostic;
use gpuzoo_host::Host;

/// The host's GPU, or a driver that computes on the processor.
#[derive(Debug)]
pub struct Device {
    host: Host,
}

impl Device {
    /// The first device that Vulkan has.
    ///
    /// # Errors
    /// `G0351` where there is none.
    pub fn open() -> Result<Device, Diagnostic> {
        let host = Host::open().map_err(|none| {
            Diagnostic::error(&NO_DEVICE, none.to_string())
                .help("on Debian and Ubuntu: `apt install mesa-vulkan-drivers libvulkan1`")
        })?;
        Ok(Device { host })
    }

    /// The device and its driver, as they call themselves.
    pub fn name(&self) -> String {
        self.host.name()
    }
}

/// What the device did not take.
fn failed(error: &gpuzoo_host::Error) -> Diagnostic {
    Diagnostic::error(&DEVICE_FAILED, error.to_string())
        .help("without `--backend wgpu` gpuzoo does it itself")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_host::Shader;

    #[test]
    fn what_the_device_refuses_has_a_code() {
        let Ok(device) = Device::open() else { return };
        let problem =
            device.host.compute(&Shader::Wgsl("fn"), "main", [1; 3], &[]).map_err(|error| failed(&error));
        assert_eq!(problem.unwrap_err().code.id, "G0352");
    }
}
