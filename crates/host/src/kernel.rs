//! A shader that is compiled for certain kinds of buffers, and runs over them.

use crate::{Buffer, Error, Host, Shader};
use std::borrow::Cow;
use wgpu::BufferUsages;

/// A shader that is ready to run.
#[derive(Debug)]
pub struct Kernel<'a> {
    host: &'a Host,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Host {
    /// Compiles `entry` of a shader for buffers of these kinds; their words do not matter yet.
    ///
    /// # Errors
    ///
    /// What the shader, the kinds of the buffers and the device do not agree on.
    pub fn kernel(&self, shader: &Shader, entry: &str, buffers: &[Buffer]) -> Result<Kernel<'_>, Error> {
        let module = self.guarded("the shader", || self.module(shader, entry))??;
        let layout = self.guarded("the layout of the buffers", || self.layout(buffers))?;
        let pipeline = self.guarded("the pipeline", || {
            let layouts =
                wgpu::PipelineLayoutDescriptor { bind_group_layouts: &[Some(&layout)], ..Default::default() };
            self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: Some(&self.device.create_pipeline_layout(&layouts)),
                module: &module,
                entry_point: Some(entry),
                // Shaders define what they read.
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            })
        })?;
        Ok(Kernel { host: self, pipeline, layout })
    }

    fn module(&self, shader: &Shader, entry: &str) -> Result<wgpu::ShaderModule, Error> {
        let source = match *shader {
            Shader::Wgsl(text) => wgpu::ShaderSource::Wgsl(Cow::Borrowed(text)),
            Shader::Module(module) => wgpu::ShaderSource::Naga(Cow::Owned(module.clone())),
            Shader::Spirv(words) => return self.passed_through(words, entry),
        };
        Ok(self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source }))
    }

    fn passed_through(&self, words: &[u32], entry: &str) -> Result<wgpu::ShaderModule, Error> {
        if !self.device.features().contains(wgpu::Features::PASSTHROUGH_SHADERS) {
            return Err(Error::new("the shader", "this device takes no SPIR-V as it is"));
        }
        let Some(workgroup_size) = local_size(words) else {
            return Err(Error::new("the shader", "these are not words of SPIR-V with a LocalSize"));
        };
        let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
            entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
                name: Cow::Borrowed(entry),
                workgroup_size,
            }]),
            spirv: Some(Cow::Borrowed(words)),
            ..Default::default()
        };
        // SAFETY: `Shader::Spirv` hands the duty to pass valid SPIR-V on to the caller; that buffers fit is checked by
        // the bindings' layout.
        #[allow(unsafe_code)]
        Ok(unsafe { self.device.create_shader_module_passthrough(descriptor) })
    }

    fn layout(&self, buffers: &[Buffer]) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match buffer {
                        Buffer::Uniform(_) => wgpu::BufferBindingType::Uniform,
                        Buffer::Read(_) => wgpu::BufferBindingType::Storage { read_only: true },
                        Buffer::ReadWrite(_) | Buffer::Write(_) => {
                            wgpu::BufferBindingType::Storage { read_only: false }
                        }
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        self.device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
    }

    /// A buffer on the device with these words.
    pub(crate) fn upload(&self, words: &[u32], usage: BufferUsages) -> Result<wgpu::Buffer, Error> {
        let size = (words.len() * 4) as u64;
        let buffer = self.guarded("a buffer", || {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.guarded("a buffer", || self.queue.write_buffer(&buffer, 0, &bytes))?;
        Ok(buffer)
    }

    /// The words of a buffer that was copied for reading.
    pub(crate) fn download(&self, buffer: &wgpu::Buffer) -> Result<Vec<u32>, Error> {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.guarded("reading a result", || {
            buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
                // If nobody listens any more, nobody misses it.
                let _ = sender.send(result);
            });
        })?;
        let failed = |error: &dyn std::fmt::Display| Error::new("reading a result", error);
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        let bytes = buffer.slice(..).get_mapped_range().map_err(|error| failed(&error))?;
        let (words, _) = bytes.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }
}

impl Kernel<'_> {
    /// Runs over so many workgroups, and returns the words of every buffer that can be written, in the order of the
    /// list. The buffers are of the kinds that the kernel was made for.
    ///
    /// # Errors
    ///
    /// What the buffers and the device do not agree on.
    pub fn run(&self, workgroups: [u32; 3], buffers: &[Buffer]) -> Result<Vec<Vec<u32>>, Error> {
        let host = self.host;
        let mut on_device = Vec::new();
        let mut results = Vec::new();
        for buffer in buffers {
            let out = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
            let (zeros, words, usage);
            (words, usage) = match *buffer {
                Buffer::Uniform(words) => (words, BufferUsages::UNIFORM),
                Buffer::Read(words) => (words, BufferUsages::STORAGE),
                Buffer::ReadWrite(words) => (words, out),
                Buffer::Write(count) => {
                    zeros = vec![0; count];
                    (zeros.as_slice(), out)
                }
            };
            on_device.push(host.upload(words, usage)?);
            if usage == out {
                let size = (words.len() * 4) as u64;
                let copy = host.guarded("a buffer for a result", || {
                    host.device.create_buffer(&wgpu::BufferDescriptor {
                        label: None,
                        size,
                        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
                        mapped_at_creation: false,
                    })
                })?;
                results.push((on_device.len() - 1, copy));
            }
        }
        host.guarded("the run", || {
            let entries: Vec<_> = (0..)
                .zip(&on_device)
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            let group = host.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &self.layout,
                entries: &entries,
            });
            let mut encoder = host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            let [x, y, z] = workgroups;
            pass.dispatch_workgroups(x, y, z);
            drop(pass);
            for (from, to) in &results {
                encoder.copy_buffer_to_buffer(&on_device[*from], 0, to, 0, to.size());
            }
            host.queue.submit([encoder.finish()]);
        })?;
        results.iter().map(|(_, buffer)| host.download(buffer)).collect()
    }
}

/// The operands of the LocalSize in a SPIR-V module: instruction 16, OpExecutionMode, with mode 17.
fn local_size(words: &[u32]) -> Option<(u32, u32, u32)> {
    const MAGIC: u32 = 0x0723_0203;
    const EXECUTION_MODE: u32 = 16;
    const LOCAL_SIZE: u32 = 17;
    let (header, mut rest) = words.split_at_checked(5)?;
    if header[0] != MAGIC {
        return None;
    }
    while let Some(first) = rest.first() {
        // The length comes with the number; a length of 0 would not end.
        let (instruction, after) = rest.split_at_checked((first >> 16).max(1) as usize)?;
        if let [_, _, LOCAL_SIZE, x, y, z] = *instruction
            && first & 0xffff == EXECUTION_MODE
        {
            return Some((x, y, z));
        }
        rest = after;
    }
    None
}
