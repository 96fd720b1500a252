//! Pictures: shaders that draw on a canvas of bytes with a depth for each pixel, without a window.

use crate::{Error, Host};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use wgpu::{BufferUsages, TextureFormat, TextureUsages};

pub use wgpu::{
    AddressMode, BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction, Face, FilterMode,
    FrontFace, MipmapFilterMode, PrimitiveTopology,
};

/// Something to draw on: red, green, blue and alpha as bytes, and depths as floats from 0 to 1.
#[derive(Debug)]
pub struct Canvas<'h> {
    host: &'h Host,
    color: wgpu::Texture,
    depth: wgpu::Texture,
    size: [u32; 2],
}

/// A texture on the device.
#[derive(Debug)]
pub struct Picture {
    view: wgpu::TextureView,
}

/// The texels of a level.
#[derive(Clone, Copy, Debug)]
pub enum Texels<'a> {
    /// Bytes, each worth so many 255ths.
    Bytes(&'a [[u8; 4]]),
    /// Numbers as they are.
    Floats(&'a [[f32; 4]]),
}

/// What a shader reads at a binding.
#[derive(Debug)]
pub enum Resource<'a> {
    /// `var<uniform>`, with these words.
    Uniform(&'a [u32]),
    /// `var<storage, read>`, with these words.
    Storage(&'a [u32]),
    /// `texture_2d<f32>`
    Texture(&'a Picture),
    /// `sampler`: within a level, between levels, beyond the borders of columns and rows.
    Sampler(FilterMode, MipmapFilterMode, [AddressMode; 2]),
}

impl Resource<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Resource::Uniform(_) => "uniform",
            Resource::Storage(_) => "storage",
            Resource::Texture(_) => "texture",
            Resource::Sampler(..) => "sampler",
        }
    }
}

/// How triangles and lines are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawState {
    /// What indices make.
    pub topology: PrimitiveTopology,
    /// The front of a triangle, as the viewer sees the picture.
    pub front: FrontFace,
    /// Which triangles are dropped.
    pub cull: Option<Face>,
    /// Depths beyond 0 and 1 are brought there, and cut nothing off.
    pub unclipped_depth: bool,
    /// How a fragment's depth must compare with the stored one, and whether it is stored then.
    pub depth: (CompareFunction, bool),
    /// How colours meet those that are there.
    pub blend: Option<BlendState>,
    /// Which of red, green, blue and alpha are written.
    pub mask: [bool; 4],
}

/// One draw.
#[derive(Debug)]
pub struct Paint<'a> {
    /// A module in WGSL whose entry point is `vertex_main`.
    pub vertex: &'a str,
    /// One whose entry point is `fragment_main`.
    pub fragment: &'a str,
    /// What they read: of group 0 and of group 1, each with its binding.
    pub groups: [&'a [(u32, Resource<'a>)]; 2],
    /// How it is drawn.
    pub state: &'a DrawState,
    /// x, y, width, height, depth from and to.
    pub viewport: [f32; 6],
    /// Nothing is drawn outside: x, y, width, height, within the canvas.
    pub scissor: [u32; 4],
    /// The vertices in the order of their use.
    pub indices: &'a [u32],
}

/// Pipelines that were made, for draws that come again.
#[derive(Debug, Default)]
pub struct Pipelines {
    known: RefCell<HashMap<String, (wgpu::RenderPipeline, [wgpu::BindGroupLayout; 2])>>,
}

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

impl Host {
    /// The longest side of a canvas or a texture.
    pub fn longest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// True if [`DrawState::unclipped_depth`] can be asked for.
    pub fn has_unclipped_depth(&self) -> bool {
        self.device.features().contains(wgpu::Features::DEPTH_CLIP_CONTROL)
    }

    /// True if [`Texels::Floats`] can be filtered.
    pub fn filters_floats(&self) -> bool {
        self.device.features().contains(wgpu::Features::FLOAT32_FILTERABLE)
    }

    /// A canvas of one colour and one depth.
    ///
    /// # Errors
    ///
    /// What the device refuses: a size, a depth outside of 0 to 1.
    pub fn canvas(&self, size: [u32; 2], color: [u8; 4], depth: f32) -> Result<Canvas<'_>, Error> {
        let texture = |format, usage| {
            self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent(size),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let made = self.guarded("a canvas", || {
            (texture(COLOR, TextureUsages::COPY_SRC), texture(DEPTH, TextureUsages::empty()))
        })?;
        let canvas = Canvas { host: self, color: made.0, depth: made.1, size };
        let [r, g, b, a] = color.map(|byte| f64::from(byte) / 255.0);
        let clear = (wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }), wgpu::LoadOp::Clear(depth));
        self.guarded("a canvas", || canvas.pass(clear, |_| {}))?;
        Ok(canvas)
    }

    /// A texture of levels, the largest first: width, height, texels of each, all of one kind.
    ///
    /// # Errors
    ///
    /// What the device refuses.
    pub fn picture(&self, levels: &[(u32, u32, Texels)]) -> Result<Picture, Error> {
        let Some((width, height, first)) = levels.first() else {
            return Err(Error::new("a texture", "it has no levels"));
        };
        let (format, bytes) = match first {
            Texels::Bytes(_) => (TextureFormat::Rgba8Unorm, 4),
            Texels::Floats(_) => (TextureFormat::Rgba32Float, 16),
        };
        self.guarded("a texture", || {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent([*width, *height]),
                mip_level_count: levels.len() as u32,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
                view_formats: &[],
            });
            for (mip_level, (width, height, texels)) in (0..).zip(levels) {
                let floats: Vec<u8>;
                let data = match texels {
                    Texels::Bytes(texels) => texels.as_flattened(),
                    Texels::Floats(texels) => {
                        floats =
                            texels.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
                        &floats
                    }
                };
                let to = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * bytes),
                    rows_per_image: None,
                };
                self.queue.write_texture(to, data, layout, extent([*width, *height]));
            }
            Picture { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
        })
    }

    fn group_layout(&self, group: &[(u32, Resource)]) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = group
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupLayoutEntry {
                binding: *binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: match resource {
                    Resource::Uniform(_) => buffer(wgpu::BufferBindingType::Uniform),
                    Resource::Storage(_) => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
                    Resource::Texture(_) => wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                    Resource::Sampler(..) => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                },
                count: None,
            })
            .collect();
        self.device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
    }

    fn group(
        &self,
        layout: &wgpu::BindGroupLayout,
        group: &[(u32, Resource)],
    ) -> Result<wgpu::BindGroup, Error> {
        enum Made<'a> {
            Buffer(wgpu::Buffer),
            Sampler(wgpu::Sampler),
            View(&'a wgpu::TextureView),
        }
        let mut made = Vec::new();
        for (_, resource) in group {
            made.push(match resource {
                Resource::Uniform(words) => Made::Buffer(self.upload(words, BufferUsages::UNIFORM)?),
                Resource::Storage(words) => Made::Buffer(self.upload(words, BufferUsages::STORAGE)?),
                Resource::Texture(picture) => Made::View(&picture.view),
                Resource::Sampler(filter, mips, [u, v]) => {
                    let sampler = wgpu::SamplerDescriptor {
                        address_mode_u: *u,
                        address_mode_v: *v,
                        mag_filter: *filter,
                        min_filter: *filter,
                        mipmap_filter: *mips,
                        ..Default::default()
                    };
                    Made::Sampler(self.guarded("a sampler", || self.device.create_sampler(&sampler))?)
                }
            });
        }
        let entries: Vec<_> = group
            .iter()
            .zip(&made)
            .map(|((binding, _), made)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: match made {
                    Made::Buffer(buffer) => buffer.as_entire_binding(),
                    Made::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
                    Made::View(view) => wgpu::BindingResource::TextureView(view),
                },
            })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        self.guarded("what the shaders read", || self.device.create_bind_group(&descriptor))
    }

    fn pipeline(&self, paint: &Paint) -> Result<(wgpu::RenderPipeline, [wgpu::BindGroupLayout; 2]), Error> {
        let layouts =
            self.guarded("what the shaders read", || paint.groups.map(|group| self.group_layout(group)))?;
        let module = |text: &str| {
            let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(text));
            self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
        };
        let vertex = self.guarded("the vertex shader", || module(paint.vertex))?;
        let fragment = self.guarded("the fragment shader", || module(paint.fragment))?;
        let DrawState { topology, front, cull, unclipped_depth, depth, blend, mask } = paint.state.clone();
        let channels = [
            wgpu::ColorWrites::RED,
            wgpu::ColorWrites::GREEN,
            wgpu::ColorWrites::BLUE,
            wgpu::ColorWrites::ALPHA,
        ];
        let write_mask =
            channels.into_iter().zip(mask).filter(|(_, on)| *on).map(|(channel, _)| channel).collect();
        let made = self.guarded("the pipeline", || {
            let [first, second] = layouts.each_ref().map(Some);
            let layout =
                wgpu::PipelineLayoutDescriptor { bind_group_layouts: &[first, second], ..Default::default() };
            self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&self.device.create_pipeline_layout(&layout)),
                vertex: wgpu::VertexState {
                    module: &vertex,
                    entry_point: Some("vertex_main"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState {
                    topology,
                    front_face: front,
                    cull_mode: cull,
                    unclipped_depth,
                    ..Default::default()
                },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(depth.1),
                    depth_compare: Some(depth.0),
                    stencil: wgpu::StencilState::default(),
                    bias: wgpu::DepthBiasState::default(),
                }),
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &fragment,
                    entry_point: Some("fragment_main"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState { format: COLOR, blend, write_mask })],
                }),
                multiview_mask: None,
                cache: None,
            })
        })?;
        Ok((made, layouts))
    }
}

impl Canvas<'_> {
    fn pass(
        &self,
        load: (wgpu::LoadOp<wgpu::Color>, wgpu::LoadOp<f32>),
        draw: impl FnOnce(&mut wgpu::RenderPass),
    ) {
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let (color, depth) = (view(&self.color), view(&self.depth));
        let store = wgpu::StoreOp::Store;
        let mut encoder = self.host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: load.0, store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations { load: load.1, store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        draw(&mut pass);
        drop(pass);
        self.host.queue.submit([encoder.finish()]);
    }

    /// Width and height.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Draws. A pipeline that `pipelines` has is not made again.
    ///
    /// # Errors
    ///
    /// What the shaders, what they read and the device do not agree on.
    pub fn paint(&self, paint: &Paint, pipelines: &Pipelines) -> Result<(), Error> {
        let host = self.host;
        let kinds = paint.groups.map(|group| {
            let kind = |(binding, resource): &(u32, Resource)| (*binding, resource.kind());
            group.iter().map(kind).collect::<Vec<_>>()
        });
        let key = format!("{}\n{}\n{:?}\n{kinds:?}", paint.vertex, paint.fragment, paint.state);
        let known = pipelines.known.borrow().get(&key).cloned();
        let (pipeline, layouts) = match known {
            Some(known) => known,
            None => {
                let made = host.pipeline(paint)?;
                pipelines.known.borrow_mut().insert(key, made.clone());
                made
            }
        };
        let groups = [0, 1].map(|at: usize| host.group(&layouts[at], paint.groups[at]));
        let [first, second] = groups;
        let (first, second) = (first?, second?);
        let indices = host.upload(paint.indices, BufferUsages::INDEX)?;
        host.guarded("the draw", || {
            self.pass((wgpu::LoadOp::Load, wgpu::LoadOp::Load), |pass| {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &first, &[]);
                pass.set_bind_group(1, &second, &[]);
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                let [x, y, width, height, near, far] = paint.viewport;
                pass.set_viewport(x, y, width, height, near, far);
                let [x, y, width, height] = paint.scissor;
                pass.set_scissor_rect(x, y, width, height);
                pass.draw_indexed(0..paint.indices.len() as u32, 0, 0..1);
            });
        })
    }

    /// Its colours, row by row from the top.
    ///
    /// # Errors
    ///
    /// What the device refuses.
    pub fn pixels(&self) -> Result<Vec<[u8; 4]>, Error> {
        let [width, height] = self.size;
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let host = self.host;
        let buffer = host.guarded("reading a canvas", || {
            let buffer = host.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(row) * u64::from(height),
                usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: Some(height),
            };
            encoder.copy_texture_to_buffer(
                self.color.as_image_copy(),
                wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
                extent(self.size),
            );
            host.queue.submit([encoder.finish()]);
            buffer
        })?;
        let words = host.download(&buffer)?;
        let rows = words.chunks_exact((row / 4) as usize);
        Ok(rows.flat_map(|row| &row[..width as usize]).map(|word| word.to_le_bytes()).collect())
    }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

fn buffer(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}
