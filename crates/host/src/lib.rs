//! Shaders on the host's GPU without a window: compute shaders from words to words, and pictures ([`canvas`]).
//!
//! Any Vulkan device will do, a driver that computes on the CPU (as Mesa's lavapipe) included. What goes wrong is an
//! [`Error`], never a panic: a shader that does not validate, a buffer that is too large, a device that is lost.
//!
//! ```
//! use gpuzoo_host::{Buffer, Host, Shader};
//!
//! let text = "
//!     @group(0) @binding(0) var<storage, read> numbers: array<u32>;
//!     @group(0) @binding(1) var<storage, read_write> squares: array<u32>;
//!     @compute @workgroup_size(64)
//!     fn main(@builtin(global_invocation_id) id: vec3<u32>) {
//!         if id.x < arrayLength(&squares) { squares[id.x] = numbers[id.x] * numbers[id.x]; }
//!     }";
//! match Host::open() {
//!     Ok(host) => {
//!         let buffers = [Buffer::Read(&[3, 5]), Buffer::Write(2)];
//!         assert_eq!(host.compute(&Shader::Wgsl(text), "main", [1, 1, 1], &buffers)?, [[9, 25]]);
//!     }
//!     Err(none) => eprintln!("skipped: {none}"),
//! }
//! # Ok::<(), gpuzoo_host::Error>(())
//! ```

pub mod canvas;
mod kernel;

pub use kernel::Kernel;
pub use wgpu::naga;

use std::fmt;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A GPU, or a driver that stands for one.
#[derive(Debug)]
pub struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: wgpu::AdapterInfo,
}

/// There is no GPU that can be used; with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDevice(String);

impl fmt::Display for NoDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no Vulkan device ({}); a driver that needs no GPU is Mesa's lavapipe", self.0)
    }
}

impl std::error::Error for NoDevice {}

/// What the device or its driver refused, in their words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    doing: &'static str,
    message: String,
}

impl Error {
    fn new(doing: &'static str, message: impl fmt::Display) -> Error {
        Error { doing, message: message.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.doing, self.message)
    }
}

impl std::error::Error for Error {}

/// A compute shader.
#[derive(Clone, Debug)]
pub enum Shader<'a> {
    /// A text in WGSL.
    Wgsl(&'a str),
    /// A module, which is validated first.
    Module(&'a naga::Module),
    /// SPIR-V for the driver as it is. Only the words' outline is looked at: whether they are valid is for
    /// `spirv-val` to say, and a driver may do anything with words that are not.
    Spirv(&'a [u32]),
}

/// What a shader reads or writes at a binding of group 0; the binding is its place in the list.
#[derive(Clone, Copy, Debug)]
pub enum Buffer<'a> {
    /// `var<uniform>`, with these words.
    Uniform(&'a [u32]),
    /// `var<storage, read>`, with these words.
    Read(&'a [u32]),
    /// `var<storage, read_write>`, with these words; what they are afterwards is among the results.
    ReadWrite(&'a [u32]),
    /// `var<storage, read_write>`, so many words that are zero at first; a result, too.
    Write(usize),
}

impl Host {
    /// The first device that Vulkan offers, one that computes on the CPU if there is no other.
    ///
    /// # Errors
    ///
    /// [`NoDevice`] where there is no Vulkan driver, or none that opens.
    pub fn open() -> Result<Host, NoDevice> {
        let mut instance = wgpu::InstanceDescriptor::new_without_display_handle();
        instance.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(instance);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let reason = |error: &dyn fmt::Display| NoDevice(error.to_string());
        let adapter = ready(instance.request_adapter(&options)).map_err(|error| reason(&error))?;
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features()
                & (wgpu::Features::PASSTHROUGH_SHADERS
                    | wgpu::Features::DEPTH_CLIP_CONTROL
                    | wgpu::Features::FLOAT32_FILTERABLE),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = ready(adapter.request_device(&descriptor)).map_err(|error| reason(&error))?;
        Ok(Host { device, queue, adapter: adapter.get_info() })
    }

    /// The device and its driver, as they call themselves.
    pub fn name(&self) -> String {
        let wgpu::AdapterInfo { name, driver, driver_info, .. } = &self.adapter;
        format!("{name}, {driver} {driver_info}")
    }

    /// True for a driver that computes on the CPU.
    pub fn is_cpu(&self) -> bool {
        self.adapter.device_type == wgpu::DeviceType::Cpu
    }

    /// How many words a buffer of a shader may have.
    pub fn most_words(&self) -> usize {
        let limits = self.device.limits();
        usize::try_from(limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 4)
            .unwrap_or(usize::MAX)
    }

    /// Runs `entry` of the shader over so many workgroups, and returns the words of every buffer that can be written,
    /// in the order of the list. [`Host::kernel`] is for a shader that runs more than once.
    ///
    /// # Errors
    ///
    /// What the shader, the buffers and the device do not agree on.
    pub fn compute(
        &self,
        shader: &Shader,
        entry: &str,
        workgroups: [u32; 3],
        buffers: &[Buffer],
    ) -> Result<Vec<Vec<u32>>, Error> {
        self.kernel(shader, entry, buffers)?.run(workgroups, buffers)
    }

    /// Runs `f`; errors of the device in it are returned, while wgpu would panic.
    fn guarded<T>(&self, doing: &'static str, f: impl FnOnce() -> T) -> Result<T, Error> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Validation, OutOfMemory, Internal].map(|filter| self.device.push_error_scope(filter));
        let result = f();
        // Inner scopes first.
        let errors = scopes.into_iter().rev().filter_map(|scope| ready(scope.pop()));
        match errors.last() {
            Some(error) => Err(Error::new(doing, error)),
            None => Ok(result),
        }
    }
}

/// The result of a future that has no need to wait: those of wgpu outside of browsers.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
        std::thread::yield_now();
    }
}
