//! The host's GPU in place of gpuzoo's engine, in builds that have it.

use super::data::Ready;
use super::refuse;
use crate::args::{Backend, Which};
use crate::session::{Session, Stop};
#[cfg(not(feature = "wgpu"))]
use gpuzoo::codes::NOT_BUILT_IN;
#[cfg(not(feature = "wgpu"))]
use gpuzoo::diag::Diagnostic;
use gpuzoo::ir::Vec4;
use gpuzoo::run::{Block, Kernel, Stream, Vertices};
use gpuzoo::translate::Fidelity;
use std::ops::ControlFlow;

/// The host's GPU, and whose numbers it computes with.
pub struct Device {
    #[cfg(feature = "wgpu")]
    pub device: gpuzoo::host::Device,
    #[cfg(feature = "wgpu")]
    pub fidelity: Fidelity,
}

impl Device {
    /// The one that the arguments ask for; none if they do not.
    ///
    /// # Errors
    /// `G0350` in builds without it, `G0351` where there is none.
    pub fn of(args: &Backend) -> Result<Option<Device>, Stop> {
        if args.backend == Which::Gpuzoo {
            refuse(&[(args.fidelity.is_some(), "--fidelity")], "is for `--backend wgpu`: gpuzoo is exact")?;
            return Ok(None);
        }
        let fidelity = args.fidelity.unwrap_or_default();
        Device::open(fidelity).map(Some)
    }

    #[cfg(feature = "wgpu")]
    fn open(fidelity: Fidelity) -> Result<Device, Stop> {
        Ok(Device { device: gpuzoo::host::Device::open()?, fidelity })
    }

    #[cfg(not(feature = "wgpu"))]
    fn open(_: Fidelity) -> Result<Device, Stop> {
        let message = "this gpuzoo is built without `--backend wgpu`";
        let problem = Diagnostic::error(&NOT_BUILT_IN, message);
        Err(problem.help("with it: `cargo install --path apps/cli --features wgpu`").into())
    }
}

/// What runs a program's vertices.
pub enum Runner<'k> {
    /// gpuzoo's engine.
    Engine(Stream<'k>),
    /// The host's GPU, with the constants, and how many vertices it has run.
    #[cfg(feature = "wgpu")]
    Device(Box<gpuzoo::host::DeviceKernel<'k>>, Vec<Vec4>, usize),
}

impl<'k> Runner<'k> {
    /// Begins a run of a kernel, whose outputs it gives.
    pub fn begin(
        device: Option<&'k Device>,
        kernel: &'k Kernel,
        ready: &Ready,
        session: &mut Session,
    ) -> Result<Runner<'k>, Stop> {
        let constants: &[Vec4] = &ready.constants.values;
        match device {
            None => Ok(Runner::Engine(kernel.begin(constants))),
            #[cfg(feature = "wgpu")]
            Some(Device { device, fidelity }) => {
                let on_device = device.kernel_in(&ready.program, &ready.run_state(), *fidelity);
                let on_device = on_device.map_err(|problems| {
                    session.report(problems);
                    Stop::Reported
                })?;
                Ok(Runner::Device(Box::new(on_device.only(kernel.output_names())), constants.to_vec(), 0))
            }
            #[cfg(not(feature = "wgpu"))]
            // There is none in this build, as [`Device::of`] has said.
            Some(_) => session.require(Vec::new()).map(|()| Runner::Engine(kernel.begin(constants))),
        }
    }

    /// Runs the vertices of a piece.
    pub fn blocks(
        &mut self,
        vertices: &Vertices,
        each: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), Stop> {
        match self {
            Runner::Engine(stream) => stream.blocks(vertices, each),
            #[cfg(feature = "wgpu")]
            Runner::Device(kernel, constants, before) => {
                kernel.run(vertices, *before, constants, each)?;
                *before += vertices.count();
            }
        }
        Ok(())
    }

    /// How many vertices were run.
    pub fn count(&self) -> usize {
        match self {
            Runner::Engine(stream) => stream.count(),
            #[cfg(feature = "wgpu")]
            Runner::Device(_, _, count) => *count,
        }
    }

    /// The run of gpuzoo's engine, which knows what happened besides the outputs; none on the host's GPU, which does not.
    pub fn stream(self) -> Option<Stream<'k>> {
        match self {
            Runner::Engine(stream) => Some(stream),
            #[cfg(feature = "wgpu")]
            Runner::Device(..) => None,
        }
    }
}
