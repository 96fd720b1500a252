//! Frames of scenes on the host's rasterizer.

use super::shaders::{self, Translated};
use super::{Device, failed, lines, state};
use crate::codes::HOST_PICTURE;
use crate::film::{Failure, Film, Format};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_host::canvas::{Canvas, Paint, Picture, Pipelines, Resource, Texels as HostTexels};
use gpuzoo_isa::Program as Code;
use gpuzoo_machine::RunState;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw, refused};
use gpuzoo_raster::{Image, Level, MipFilter, Placement, Rect, Target, Texels, Texture};
use gpuzoo_scene::{Planned, Scene};
use gpuzoo_translate::{Fidelity, Shape, Target as Language, TranslateOptions, translate};
use serde::Serialize;
use std::fmt::Write;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that differ by no more than this look the same.
pub const TOLERANCE: u8 = 8;

/// Draws frames of scenes.
#[derive(Debug)]
pub struct Painter<'d> {
    device: &'d Device,
    fidelity: Fidelity,
    pipelines: Pipelines,
}

/// A frame that the host drew.
#[derive(Debug)]
pub struct Painted {
    /// What the screen shows.
    pub image: Image,
    /// What comes out otherwise than on the machine, whatever the host is.
    pub unlike: Vec<&'static str>,
}

/// How two pictures of one size differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// How many pixels they have.
    pub pixels: usize,
    /// How many of them have a byte that differs by more than [`TOLERANCE`].
    pub differing: usize,
    /// How many have a byte that differs at all.
    pub unequal: usize,
    /// The most that a byte differs by.
    pub most: u8,
}

impl Difference {
    /// Of two pictures; pixels that one of them lacks do not count.
    pub fn of(a: &Image, b: &Image) -> Difference {
        let mut difference = Difference::default();
        for (a, b) in a.pixels().iter().zip(b.pixels()) {
            let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            difference.pixels += 1;
            difference.differing += usize::from(most > TOLERANCE);
            difference.unequal += usize::from(most > 0);
            difference.most = difference.most.max(most);
        }
        difference
    }
}

impl Device {
    /// What draws frames of scenes, with programs that compute with these numbers. It keeps what was compiled for a frame.
    pub fn painter(&self, fidelity: Fidelity) -> Painter<'_> {
        Painter { device: self, fidelity, pipelines: Pipelines::default() }
    }
}

impl Painter<'_> {
    /// Draws a frame of a scene.
    ///
    /// # Errors
    /// What the scene says; `R0801` for what the host does not do as the machine does; `T0101` to `T0106` for a program that
    /// has no translation; `G0352` if the device fails.
    pub fn frame(&self, scene: &Scene, index: u32) -> Result<Painted, Vec<Diagnostic>> {
        let targets = scene.surfaces().map_err(|problem| vec![problem])?;
        let mut canvases: Vec<Option<(Canvas, DepthBits)>> = targets.iter().map(|_| None).collect();
        let mut unlike = Vec::new();
        scene.plan(index, |planned| {
            let surface = planned.draw.surface;
            let (Some(target), span) = (targets.get(surface), planned.draw.span()) else { return Ok(()) };
            let mut draw = scene.gpu.host_draw(target, &planned.call)?;
            for sentence in draw.unlike.drain(..) {
                if !unlike.contains(&sentence) {
                    unlike.push(sentence);
                }
            }
            let textures = self.textures(planned, &draw, &canvases, &targets)?;
            let at = |problem: Diagnostic| vec![problem.at(span)];
            let canvas = match canvases.get_mut(surface) {
                Some(Some((canvas, depth))) if *depth == draw.depth => canvas,
                Some(slot @ None) => {
                    let made = canvas(self.device, target, draw.depth, span)?;
                    &slot.insert((made, draw.depth)).0
                }
                _ => return Err(vec![refused("picture whose draws keep depths in two ways", span)]),
            };
            let parts = self.translated(scene, planned, &draw)?;
            self.paint(canvas, planned, &draw, parts, &textures).map_err(|problems| match problems {
                Problem::Refused(problem) => vec![problem],
                Problem::Failed(error) => at(failed(&error)),
            })
        })?;
        let screen = match canvases.into_iter().next().flatten() {
            Some((canvas, _)) => pixels(&canvas, targets.first())?,
            // Nothing was drawn.
            None => targets.into_iter().next().map(Target::into_image).ok_or_else(Vec::new)?,
        };
        Ok(Painted { image: screen, unlike })
    }

    /// The draw's programs as functions.
    fn translated(
        &self,
        scene: &Scene,
        planned: &Planned,
        draw: &HostDraw,
    ) -> Result<(Translated, Option<Translated>), Vec<Diagnostic>> {
        let run_state = RunState { profile: planned.call.profile, modes: draw.modes, start: &draw.start };
        let options = TranslateOptions {
            to: Some(Language::Wgsl),
            shape: Some(Shape::Function),
            fidelity: self.fidelity,
            ..TranslateOptions::default()
        };
        let function = |code: &Code| {
            let program = gpuzoo_translate::Program::of(scene.gpu, code, &run_state)?;
            let at = |problem: Diagnostic| vec![problem.at(code.span)];
            program.refuse_state("a draw on the host's GPU").map_err(at)?;
            let translation = translate(&program, &options).map_err(at)?;
            let text = translation.text().unwrap_or_default().to_owned();
            Ok::<_, Vec<Diagnostic>>(Translated { program, text, fidelity: self.fidelity })
        };
        let fragment = match (&draw.fragments, planned.call.fragment) {
            (Fragments::Program { .. }, Some(fragment)) => Some(function(fragment)?),
            _ => None,
        };
        Ok((function(planned.call.vertex)?, fragment))
    }

    /// What each unit of a draw reads.
    fn textures(
        &self,
        planned: &Planned,
        draw: &HostDraw,
        canvases: &[Option<(Canvas, DepthBits)>],
        targets: &[Target],
    ) -> Result<Vec<Picture>, Vec<Diagnostic>> {
        let span = planned.draw.span();
        let units = draw.units.iter().enumerate().map(|(number, unit)| {
            let read = planned.reads.get(number).copied().flatten();
            let texture = match read {
                Some(surface) => {
                    let image = match canvases.get(surface) {
                        Some(Some((canvas, _))) => pixels(canvas, targets.get(surface))?,
                        _ => match targets.get(surface) {
                            Some(target) => {
                                target.color().copy().map_err(|error| vec![Refusal::from(error).at(span)])?
                            }
                            None => return Err(vec![refused("such picture to read", span)]),
                        },
                    };
                    Arc::new(Texture::from(Level::from(image)))
                }
                None => match planned.call.textures.get(number).cloned().flatten() {
                    Some(texture) => texture,
                    None => {
                        let level = Level::new(1, 1, Texels::Rgba8(vec![[unit.nothing; 4]]));
                        Arc::new(Texture::from(level.map_err(|error| vec![Refusal::from(error).at(span)])?))
                    }
                },
            };
            let texture = match (unit.mips, texture.levels()) {
                (MipFilter::Base, _) | (_, [_, _, ..]) => texture,
                _ => Arc::new(texture.with_mipmaps().map_err(|error| vec![Refusal::from(error).at(span)])?),
            };
            self.upload(&texture, unit.mips, span)
        });
        units.collect()
    }

    fn upload(&self, texture: &Texture, mips: MipFilter, span: Span) -> Result<Picture, Vec<Diagnostic>> {
        let host = &self.device.host;
        let count = if mips == MipFilter::Base { 1 } else { texture.levels().len() };
        let levels = &texture.levels()[..count.min(texture.levels().len())];
        let floats = levels.iter().any(|level| matches!(level.texels(), Texels::Float(_)));
        if floats && !host.filters_floats() {
            return Err(vec![refused("filter for textures of this format", span)]);
        }
        if texture.base().width().max(texture.base().height()) > host.longest_side() {
            return Err(vec![refused("textures of this size", span)]);
        }
        let levels = levels.iter().map(|level| {
            let texels = match level.texels() {
                Texels::Rgba8(texels) => HostTexels::Bytes(texels),
                Texels::Float(texels) => HostTexels::Floats(texels),
            };
            (level.width(), level.height(), texels)
        });
        let levels: Vec<_> = levels.collect();
        host.picture(&levels).map_err(|error| vec![failed(&error).at(span)])
    }

    fn paint(
        &self,
        canvas: &Canvas,
        planned: &Planned,
        draw: &HostDraw,
        (vertex, fragment): (Translated, Option<Translated>),
        textures: &[Picture],
    ) -> Result<(), Problem> {
        let (call, span) = (&planned.call, planned.draw.span());
        let host = &self.device.host;
        let size = canvas.size();
        let viewport = match draw.rules.placement {
            Placement::Clip { .. } => draw.state.viewport.rect,
            Placement::Divided | Placement::Screen => Rect::sized(size[0], size[1]),
        };
        let bounds = state::within(viewport, [0, 0, size[0], size[1]]);
        let scissor = match draw.state.scissor {
            None => bounds,
            Some(rect) => bounds.and_then(|bounds| state::within(rect, bounds)),
        };
        let Some(scissor) = scissor else { return Ok(()) };
        let state = state::state(draw, call.topology, host.has_unclipped_depth(), span)?;
        let (rows, indices) = vertices(planned, draw, &vertex);
        if indices.is_empty() {
            return Ok(());
        }
        if rows.len() > host.most_words() || indices.len() > host.most_words() {
            return Err(refused("room for so many vertices", span).into());
        }
        let mut constants = draw.constants.clone();
        constants.resize(vertex.program.constants.max(1), [0; 4]);
        let mut own = call.fragment_constants.to_vec();
        own.resize(fragment.as_ref().map_or(1, |fragment| fragment.program.constants.max(1)), [0; 4]);
        let first = [(0, Resource::Uniform(constants.as_flattened())), (1, Resource::Storage(&rows))];
        let mut second = vec![(0, Resource::Uniform(own.as_flattened()))];
        for ((number, unit), texture) in (0..).zip(&draw.units).zip(textures) {
            second.push((8 + 2 * number, Resource::Texture(texture)));
            second.push((9 + 2 * number, state::sampler(unit)));
        }
        let [near, far] = draw.state.viewport.depth;
        let depth = [near, far].map(|depth| depth.max(0.0).min(1.0));
        if depth != [near, far] {
            return Err(refused("depths of this range", span).into());
        }
        let Rect { x, y, width, height } = viewport;
        let [x, y, width, height] = [x as f32, y as f32, width as f32, height as f32];
        let lines = call.topology.is_lines();
        let paint = Paint {
            vertex: &shaders::vertex(&vertex, draw, size, lines.then_some([x, y, width, height])),
            fragment: &shaders::fragment(fragment.as_ref(), draw, lines),
            groups: [&first, &second],
            state: &state,
            viewport: [x, y, width, height, depth[0], depth[1]],
            scissor,
            indices: &indices,
        };
        Ok(canvas.paint(&paint, &self.pipelines)?)
    }
}

/// Why a draw was not done.
enum Problem {
    Refused(Diagnostic),
    Failed(gpuzoo_host::Error),
}

impl From<Diagnostic> for Problem {
    fn from(problem: Diagnostic) -> Problem {
        Problem::Refused(problem)
    }
}

impl From<gpuzoo_host::Error> for Problem {
    fn from(error: gpuzoo_host::Error) -> Problem {
        Problem::Failed(error)
    }
}

fn canvas<'d>(
    device: &'d Device,
    target: &Target,
    bits: DepthBits,
    span: Span,
) -> Result<Canvas<'d>, Vec<Diagnostic>> {
    let size = [target.width(), target.height()];
    if size[0].max(size[1]) > device.host.longest_side() {
        return Err(vec![refused("pictures of this size", span)]);
    }
    let color = target.color().get(0, 0).unwrap_or_default();
    let depth = target.depth().get(0, 0).unwrap_or_default();
    let kept = match bits {
        DepthBits::Whole => depth,
        DepthBits::Shifted => f32::from_bits(depth.max(0.0).to_bits() >> 1),
    };
    if !(0.0..=1.0).contains(&kept) {
        return Err(vec![refused("depths beyond 0 and 1 (`clear`)", span)]);
    }
    device.host.canvas(size, color, kept).map_err(|error| vec![failed(&error).at(span)])
}

fn pixels(canvas: &Canvas, target: Option<&Target>) -> Result<Image, Vec<Diagnostic>> {
    let pixels = canvas.pixels().map_err(|error| vec![failed(&error)])?;
    let (width, height) = target.map_or((0, 0), |target| (target.width(), target.height()));
    Image::from_pixels(width, height, pixels).map_err(|error| vec![Refusal::from(error).problem()])
}

/// The inputs of each vertex, and the vertices of all primitives. Where fragments get their triangle's corners, and of lines, no
/// vertex is shared. A primitive with a vertex that the buffer does not have is left out.
fn vertices(planned: &Planned, draw: &HostDraw, program: &Translated) -> (Vec<u32>, Vec<u32>) {
    let call = &planned.call;
    let count = draw.layout.vertex_count(call.vertices.len());
    let uses = call.vertex_count();
    let number = |place: usize| match call.indices {
        None => Some(place),
        Some(indices) => indices.get(place).map(|index| *index as usize),
    };
    let corners = if call.topology.is_lines() { 2 } else { 3 };
    let mut indices: Vec<u32> = Vec::new();
    for primitive in 0..call.topology.count(uses) {
        let own = call.topology.corners(primitive);
        let own: Option<Vec<usize>> = own[..corners].iter().map(|place| number(*place)).collect();
        if let Some(own) = own.filter(|own| own.iter().all(|vertex| *vertex < count)) {
            indices.extend(own.into_iter().map(|vertex| vertex as u32));
        }
    }
    let inputs = &program.program.inputs;
    let mut fetched =
        vec![[0; 4]; inputs.iter().map(|input| usize::from(input.number) + 1).max().unwrap_or(0)];
    let mut rows = Vec::new();
    let mut row = |vertex: usize| {
        draw.layout.fetch(call.vertices, vertex, &mut fetched);
        rows.extend(inputs.iter().flat_map(|input| fetched[usize::from(input.number)]));
    };
    if call.topology.is_lines() {
        indices.iter().for_each(|vertex| row(*vertex as usize));
        indices = (0..indices.len() as u32 / 2 * lines::VERTICES).collect();
    } else if shaders::corners(draw).is_some() {
        indices.iter().for_each(|vertex| row(*vertex as usize));
        indices = (0..indices.len() as u32).collect();
    } else {
        (0..count).for_each(row);
    }
    // A buffer has at least one element.
    rows.resize(rows.len().max(4), 0);
    (rows, indices)
}

/// What was rendered.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rendered {
    /// How each frame differs from gpuzoo's, if that was asked for.
    pub differences: Vec<Difference>,
    /// Notes.
    pub remarks: Vec<Diagnostic>,
}

/// Renders frames on the host into a file, as [`render`](crate::render::render) does. `compare` draws each with gpuzoo, too.
///
/// # Errors
/// As for [`Painter::frame`], `G0215` if the format cannot hold the picture, and what `to` says.
pub fn render(
    painter: &Painter,
    scene: &Scene,
    frames: Range<u32>,
    format: Format,
    compare: bool,
    to: &mut dyn io::Write,
    mut progress: impl FnMut(u32),
) -> Result<Rendered, Failure> {
    let (count, fps) = (frames.len() as u32, scene.fps());
    scene.ask(count)?;
    let mut film = Film::new(format, scene.size(), count, fps, scene.budget(), to)?;
    let (mut rendered, mut unlike) = (Rendered::default(), Vec::new());
    for (done, index) in frames.enumerate() {
        let painted = painter.frame(scene, index)?;
        for sentence in painted.unlike {
            if !unlike.contains(&sentence) {
                unlike.push(sentence);
            }
        }
        if compare {
            let own = scene.frame(index)?;
            rendered.differences.push(Difference::of(&painted.image, &own.image));
        }
        progress(done as u32 + 1);
        film.frame(painted.image)?;
    }
    film.finish()?;
    let note = Diagnostic::new(Severity::Note, &HOST_PICTURE, format!("drawn by {}", painter.device.name()));
    let note = unlike.into_iter().fold(note, Diagnostic::note);
    rendered
        .remarks
        .push(note.help("`--stats` says how far that is from gpuzoo's picture, which is the machine's"));
    Ok(rendered)
}

impl Rendered {
    /// A line for each frame.
    pub fn statistics(&self) -> String {
        let mut text = String::new();
        for (number, difference) in self.differences.iter().enumerate() {
            let Difference { pixels, differing, unequal, most } = difference;
            let _ = writeln!(
                text,
                "frame {number}: {differing} of {pixels} pixels differ from gpuzoo's by more than {TOLERANCE} of 255, {unequal} at all, the most is {most}"
            );
        }
        text
    }

    /// The same for scripts: a list of frames.
    pub fn json(&self) -> Vec<FrameDifference> {
        let frame = |difference: &Difference| {
            let Difference { pixels, differing, unequal, most } = *difference;
            FrameDifference { pixels, differing, tolerance: TOLERANCE, unequal, most }
        };
        self.differences.iter().map(frame).collect()
    }
}

/// The difference of a frame from gpuzoo's, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FrameDifference {
    /// The number of pixels.
    pub pixels: usize,
    /// The number of pixels with a byte that differs by more than `tolerance`.
    pub differing: usize,
    /// [`TOLERANCE`], of 255.
    pub tolerance: u8,
    /// The number of pixels with a byte that differs at all.
    pub unequal: usize,
    /// The most that a byte differs by.
    pub most: u8,
}
