//! A scene that was read: programs, vertex buffers and textures are ready, what follows the time is not yet a number.

use crate::camera::Camera;
use crate::constants::Constants;
use crate::expr::Time;
use crate::given::Places;
use crate::load::{NO_SAMPLES, NO_SUCH_PIXEL, NO_SUCH_VIEW, check_size};
use crate::matrix::Matrix;
use crate::pattern;
use crate::transform::{Spaces, Transform};
use gpuzoo_diag::{Diagnostic, Span, has_errors, noted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lowered, Profile, Program, Stage};
use gpuzoo_machine::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::cache::Cache;
use gpuzoo_machine::draw::{Draw, DrawReport, VertexConstants};
use gpuzoo_machine::layout::Layout;
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::settings::Table;
use gpuzoo_machine::stimulus::Stimulus;
use gpuzoo_machine::{Gpu, ShaderUnit};
use gpuzoo_raster::{Image, Level, Note, Target, Texture, Topology, Touch, View};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The bytes that a pixel of a surface takes: colour and depth.
pub(crate) const TARGET_BYTES: u64 = 8;

/// Something to draw on: the screen or a `[target.NAME]`.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub size: (u32, u32),
    /// Where the size is said.
    pub span: Span,
    pub color: pattern::Color,
    pub depth: f32,
}

impl Surface {
    /// A cleared target.
    ///
    /// # Errors
    /// What is wrong is that there is no memory: other sizes were refused when the scene was read.
    pub fn target(&self) -> Result<Target, Diagnostic> {
        self.enlarged(1)
    }

    /// The same with sides so many times as long.
    fn enlarged(&self, side: u32) -> Result<Target, Diagnostic> {
        let (width, height) = (self.size.0.saturating_mul(side), self.size.1.saturating_mul(side));
        let target = Target::cleared(width, height, pattern::bytes(self.color), self.depth);
        target.map_err(|error| Refusal::from(error).at(self.span))
    }

    pub fn pixels(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1)
    }

    fn aspect(&self) -> f64 {
        f64::from(self.size.0) / f64::from(self.size.1)
    }
}

/// What a texture unit reads.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    Nothing,
    Texture(Arc<Texture>),
    /// What was drawn on a surface, by number.
    Surface(usize),
}

/// One draw of a scene.
#[derive(Clone, Debug)]
pub struct DrawCall {
    /// The vertex program.
    pub program: Arc<Program>,
    /// The fragment program, if the machine has such programs and the draw names one.
    pub fragment: Option<Arc<Program>>,
    /// The vertex buffer. Vertices with the same bytes are there once.
    pub vertices: Vec<u8>,
    /// The vertices by number, in the order of their use. The machine runs one for each; numbers of vertices that it
    /// tells are places here.
    pub indices: Vec<u32>,
    /// How the vertex buffer is read.
    pub layout: Layout,
    /// How vertices make primitives.
    pub topology: Topology,
    /// The machine's own settings.
    pub state: Table,
    pub(crate) constants: Constants,
    /// Those of the fragment program, if they are its own.
    pub(crate) fragment_constants: Option<Constants>,
    pub(crate) camera: Camera,
    pub(crate) model: Transform,
    pub(crate) units: Vec<Unit>,
    /// The number of the surface that it draws on; the screen is 0.
    pub surface: usize,
    pub(crate) places: Places,
}

impl DrawCall {
    /// Where the scene file says it.
    pub fn span(&self) -> Span {
        self.places.draw
    }

    /// True if it gives the vertex program this input.
    pub fn gives_input(&self, input: u16) -> bool {
        self.layout.attributes.iter().any(|attribute| attribute.input == input)
    }

    /// True if it, or the text of its program of a stage, gives this constant a value.
    pub fn gives_constant(&self, stage: Stage, constant: u16) -> bool {
        let (program, constants) = match (stage, &self.fragment) {
            (Stage::Fragment, Some(program)) => {
                (program, self.fragment_constants.as_ref().unwrap_or(&self.constants))
            }
            _ => (&self.program, &self.constants),
        };
        constants.gives(constant) || program.defined().any(|(own, _)| own == constant)
    }
}

/// A scene, ready to be drawn.
pub struct Scene {
    /// The machine.
    pub gpu: &'static dyn ShaderUnit,
    /// The machine's numeric profile.
    pub profile: Profile,
    pub(crate) frames: u32,
    pub(crate) fps: u32,
    /// The screen and the targets.
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) draws: Vec<DrawCall>,
    /// What was made of the programs, for all draws of all frames.
    pub(crate) cache: Cache,
    /// What reading the scene has used of, and drawing it will.
    pub(crate) budget: Budget,
}

/// How many samples a pixel of a picture is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Samples {
    /// One: what the machine draws.
    #[default]
    One,
    /// Two by two.
    Four,
    /// Four by four.
    Sixteen,
}

impl Samples {
    /// Samples beside each other.
    pub const fn side(self) -> u32 {
        match self {
            Samples::One => 1,
            Samples::Four => 2,
            Samples::Sixteen => 4,
        }
    }
}

/// A drawn frame.
#[derive(Debug)]
pub struct Frame {
    /// What the screen shows.
    pub image: Image,
    /// What each draw did.
    pub reports: Vec<DrawReport>,
    /// Warnings.
    pub problems: Vec<Diagnostic>,
}

/// A fragment that met a pixel, and how it came there.
#[derive(Clone, Debug)]
pub struct Picked<'a> {
    /// The number of its draw.
    pub draw: usize,
    /// The draw.
    pub call: &'a DrawCall,
    /// The fragment.
    pub touch: Touch,
    /// Its run of the fragment program, if there is one.
    pub fragment: Option<ShaderSession>,
    /// What that was run with, if it does not depend on more: see
    /// [`FragmentPrograms::stimulus`](gpuzoo_machine::FragmentPrograms::stimulus).
    pub stimulus: Option<Stimulus>,
    /// The runs of the vertex program for the three vertices of its triangle; of a line the second counts twice.
    pub vertices: [ShaderSession; 3],
}

impl Scene {
    /// Width and height of the picture.
    pub fn size(&self) -> (u32, u32) {
        self.surfaces.first().map_or((0, 0), |screen| screen.size)
    }

    /// What reading the scene has used of, and drawing it will.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Gives the picture another size. Cameras follow its aspect, unless they have their own.
    ///
    /// # Errors
    /// `R0314` for an impossible size, `R0703` for one that takes more memory than is left.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), Diagnostic> {
        check_size((width, height))?;
        if let Some(screen) = self.surfaces.first_mut() {
            let pixels = u64::from(width) * u64::from(height);
            let more = pixels.saturating_sub(screen.pixels()) * TARGET_BYTES;
            self.budget.spend(Resource::Memory, more).map_err(|refusal| refusal.problem())?;
            screen.size = (width, height);
        }
        Ok(())
    }

    /// How many frames the animation has; 1 for a scene that is not animated.
    pub fn frame_count(&self) -> u32 {
        self.frames
    }

    /// Frames a second.
    pub fn fps(&self) -> u32 {
        self.fps
    }

    /// The draws of each frame.
    pub fn draws(&self) -> &[DrawCall] {
        &self.draws
    }

    /// The moment of a frame: `t` is 0 at the first frame and would be 1 at the one after the last, so that what ends
    /// where it began runs in a circle.
    pub fn time(&self, frame: u32) -> Time {
        Time { frame: frame.into(), t: f64::from(frame) / f64::from(self.frames) }
    }

    /// The vertex program's constants for a draw in a frame, by number. What is not finite is reported.
    pub fn constants(&self, draw: &DrawCall, frame: u32, problems: &mut Vec<Diagnostic>) -> Vec<Vec4> {
        self.values(draw, &draw.program, &draw.constants, frame, problems)
    }

    /// The fragment program's constants for a draw in a frame, by number.
    pub fn fragment_constants(
        &self,
        draw: &DrawCall,
        frame: u32,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<Vec4> {
        let program = draw.fragment.as_ref().unwrap_or(&draw.program);
        let constants = draw.fragment_constants.as_ref().unwrap_or(&draw.constants);
        self.values(draw, program, constants, frame, problems)
    }

    fn values(
        &self,
        draw: &DrawCall,
        program: &Program,
        constants: &Constants,
        frame: u32,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<Vec4> {
        let time = self.time(frame);
        let aspect = self.surfaces.get(draw.surface).map_or(1.0, Surface::aspect);
        let nowhere =
            Spaces { model: Matrix::IDENTITY, view: Matrix::IDENTITY, projection: Matrix::IDENTITY };
        let spaces = Spaces {
            // The steps of a model name no other matrix.
            model: draw.model.at(&nowhere, time),
            view: draw.camera.view(time),
            projection: draw.camera.projection(time, aspect),
        };
        constants.at(program, &spaces, time, problems)
    }

    /// Draws a frame, from 0. Frames do not depend on each other, and one past the last is the first again.
    ///
    /// # Errors
    /// What the machine says about a draw's state. [`Loader::load`](crate::Loader::load) asks it too, so that a scene
    /// that was read without errors draws without errors.
    pub fn frame(&self, index: u32) -> Result<Frame, Vec<Diagnostic>> {
        self.frame_as(index, None)
    }

    /// Draws a frame and looks at one of its pixels: the picture, and every fragment that met the pixel, in their order.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame), and `R0322` if there is no such pixel.
    pub fn pick(&self, index: u32, x: u32, y: u32) -> Result<(Image, Vec<Picked<'_>>), Vec<Diagnostic>> {
        let (width, height) = self.size();
        if x >= width || y >= height {
            return Err(vec![no_such_pixel((x, y), (width, height))]);
        }
        let (mut picked, mut refused) = (Vec::new(), None);
        let watched = y as usize * width as usize + x as usize;
        let mut problems = Vec::new();
        let watch = |_| Some(watched);
        let (screen, _) = self.draw_all(index, Some(&watch), &mut problems, |number, draw, call, target| {
            let touches = target.notes_mut().map(|notes| std::mem::take(&mut notes.touches));
            let isa = self.gpu.isa();
            let (lowering, constants) = self.gpu.vertex_stage(target, call);
            let lowered = lowering(call.vertex);
            let mut inputs = vec![[0; 4]; lowered.function.input_count()];
            let touches = touches.unwrap_or_default();
            // In their order, since a vertex may find what those before it wrote.
            let corners: BTreeSet<usize> = touches.iter().flat_map(|touch| touch.corners).collect();
            let layout = self.gpu.complete_layout(draw.layout.clone());
            let fetch = |vertex, inputs: &mut [Vec4]| {
                let Some(index) = draw.indices.get(vertex) else { return };
                layout.fetch(&draw.vertices, *index as usize, inputs);
            };
            let mut constants = VertexConstants::new(&lowered.function, &constants);
            let traced = corners.into_iter().map(|vertex| {
                fetch(vertex, &mut inputs);
                let (lowering, inputs) = (lowering.clone(), inputs.clone());
                let constants = constants.before(vertex, fetch).to_vec();
                let run = move |program: &Program| Dataflow::run(lowering(program), &inputs, &constants);
                (vertex, ShaderSession::new(isa, call.vertex, run))
            });
            let traced: BTreeMap<usize, ShaderSession> = traced.collect();
            for touch in touches {
                let vertices = touch.corners.map(|vertex| traced.get(&vertex).cloned().unwrap_or_default());
                let programs = self.gpu.fragment_programs();
                let fragment = programs.map_or(Ok(None), |own| own.session(target, call, &touch));
                let fragment = fragment.unwrap_or_else(|refusal| {
                    refused = Some(refusal);
                    None
                });
                let stimulus = programs.and_then(|own| own.stimulus(call, &touch));
                picked.push(Picked { draw: number, call: draw, touch, fragment, stimulus, vertices });
            }
        });
        problems.extend(refused.map(|refusal| refusal.problem()));
        match screen {
            Some(screen) if !has_errors(&problems) => Ok((screen.into_image(), picked)),
            _ => Err(problems),
        }
    }

    /// Draws a frame and shows each draw as the machine got it, with its number, once it is done.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame).
    pub fn visit(
        &self,
        index: u32,
        mut visit: impl FnMut(usize, &DrawCall, &Draw, &Target),
    ) -> Result<(), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        self.draw_all(index, None, &mut problems, |number, draw, call, target| {
            visit(number, draw, call, target);
        });
        if has_errors(&problems) { Err(problems) } else { Ok(()) }
    }

    /// The screen as it is before the first draw.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn cleared(&self) -> Result<Target, Diagnostic> {
        match self.surfaces.first() {
            Some(screen) => screen.target(),
            None => Target::new(1, 1).map_err(|error| Refusal::from(error).problem()),
        }
    }

    /// As [`frame`](Scene::frame), but the image is a view of the screen: depths, overdraw and so on.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame), and `R0320` if the machine does not have what the view shows.
    pub fn frame_as(&self, index: u32, view: Option<View>) -> Result<Frame, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let (screen, reports) =
            self.draw_all(index, view.and(Some(&|_| None)), &mut problems, |_, _, _, _| {});
        let image = screen.and_then(|screen| match view {
            None => Some(screen.into_image()),
            Some(view) => {
                let picture = view.picture(&screen).map_err(|error| Refusal::from(error).problem());
                let picture = picture.and_then(|picture| picture.ok_or_else(|| no_such_view(self.gpu)));
                picture.map_err(|problem| problems.push(problem)).ok()
            }
        });
        match image {
            Some(image) if !has_errors(&problems) => Ok(Frame { image, reports, problems }),
            _ => Err(problems),
        }
    }

    /// Draws a frame with several samples for each pixel of the screen: as a larger picture, of which each pixel is the mean of
    /// [`Samples::side`] × as many. No machine does that; it is for pictures that people look at.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame), `R0314` if the larger picture is too large, and `R0326` if a draw has positions in pixels.
    pub fn frame_sampled(&self, index: u32, samples: Samples) -> Result<Frame, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let (width, height) = self.size();
        let in_pixels = |draw: &&DrawCall| draw.surface == 0 && self.gpu.positions_are_pixels(&draw.state);
        if let (true, Some(draw)) = (samples != Samples::One, self.draws.iter().find(in_pixels)) {
            let message = "a pixel of this picture has one sample: the draw's positions are in pixels";
            return Err(vec![Diagnostic::error(&NO_SAMPLES, message).label(draw.span(), "")]);
        }
        check_size((width.saturating_mul(samples.side()), height.saturating_mul(samples.side()))).map_err(
            |problem| vec![problem.note("that is the picture before its samples are put together")],
        )?;
        let (screen, reports) = self.draw_sampled(index, samples, None, &mut problems, |_, _, _, _| {});
        let image = screen.map(Target::into_image).map(|image| match samples {
            Samples::One => Ok(image),
            _ => image.mean(samples.side()).map_err(|error| Refusal::from(error).problem()),
        });
        match image.transpose() {
            Ok(Some(image)) if !has_errors(&problems) => Ok(Frame { image, reports, problems }),
            Ok(_) => Err(problems),
            Err(problem) => Err(vec![problem]),
        }
    }

    /// Draws a frame and keeps what lies behind its colours: the target has notes, from which any [`View`] can be made.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame).
    pub fn noted_frame(&self, index: u32) -> Result<(Target, Vec<DrawReport>), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let (screen, reports) = self.draw_all(index, Some(&|_| None), &mut problems, |_, _, _, _| {});
        match screen {
            Some(screen) if !has_errors(&problems) => Ok((screen, reports)),
            _ => Err(problems),
        }
    }

    /// Draws all draws of a frame. `notes` says whether to take notes on the screen, and which pixel a draw watches there;
    /// `after` is called for each draw when it is done; other targets than the screen have no notes.
    pub(crate) fn draw_all<'a>(
        &'a self,
        index: u32,
        notes: Option<&dyn Fn(usize) -> Option<usize>>,
        problems: &mut Vec<Diagnostic>,
        after: impl FnMut(usize, &'a DrawCall, &Draw, &mut Target),
    ) -> (Option<Target>, Vec<DrawReport>) {
        self.draw_sampled(index, Samples::One, notes, problems, after)
    }

    /// As [`draw_all`](Scene::draw_all), on a screen that has a pixel for each sample.
    fn draw_sampled<'a>(
        &'a self,
        index: u32,
        samples: Samples,
        notes: Option<&dyn Fn(usize) -> Option<usize>>,
        problems: &mut Vec<Diagnostic>,
        mut after: impl FnMut(usize, &'a DrawCall, &Draw, &mut Target),
    ) -> (Option<Target>, Vec<DrawReport>) {
        let mut reports: Vec<DrawReport> = Vec::new();
        let Some(mut targets) = noted(self.targets(notes.is_some(), samples), problems) else {
            return (None, reports);
        };
        for (number, draw) in self.draws.iter().enumerate() {
            let constants = self.constants(draw, index % self.frames, problems);
            let fragment_constants = match draw.fragment {
                Some(_) => self.fragment_constants(draw, index % self.frames, problems),
                None => Vec::new(),
            };
            let textures =
                draw.units.iter().map(|unit| texture(unit, &targets)).collect::<Result<Vec<_>, _>>();
            let textures = textures.map_err(|refusal| refusal.at(draw.span()));
            let Some(textures) = noted(textures, problems) else { return (None, reports) };
            let Some(target) = targets.get_mut(draw.surface) else { continue };
            if let (Some(watched), Some(notes)) = (notes, target.notes_mut()) {
                notes.watched = watched(number);
            }
            let carried = reports.last().map(|report| report.outputs.as_slice()).unwrap_or_default();
            let call = self.call(draw, &constants, &textures);
            let call = Draw { carried, fragment_constants: &fragment_constants, ..call };
            let spent = self.costs(draw).into_iter().try_for_each(|(of, much)| self.budget.spend(of, much));
            let report = spent.and_then(|()| self.gpu.draw(target, &call, problems));
            let report = report.map_err(|refusal| refusal.at(draw.span()));
            let Some(report) = noted(report, problems) else { return (None, reports) };
            after(number, draw, &call, target);
            reports.push(report);
        }
        (targets.into_iter().next(), reports)
    }

    /// What a draw uses of the budget in each frame, besides the pixels that it covers.
    fn costs(&self, draw: &DrawCall) -> [(Resource, u64); 4] {
        let uses = draw.indices.len();
        // What was drawn on a target is copied for a draw that reads it.
        let read = draw.units.iter().filter_map(|unit| match unit {
            Unit::Surface(number) => self.surfaces.get(*number).map(Surface::pixels),
            _ => None,
        });
        [
            (Resource::Draws, 1),
            (Resource::Pixels, read.sum()),
            (Resource::Vertices, uses as u64),
            (Resource::Primitives, draw.topology.count(uses) as u64),
        ]
    }

    /// Whether so many frames can be drawn, as far as that is known before: an error now rather than after an hour.
    ///
    /// # Errors
    /// `R0703` at what takes too much.
    pub fn ask(&self, frames: u32) -> Result<(), Diagnostic> {
        let surfaces = self.surfaces.iter().map(|surface| (surface.span, Resource::Pixels, surface.pixels()));
        let draws = self.draws.iter().flat_map(|draw| {
            self.costs(draw).into_iter().map(move |(resource, amount)| (draw.span(), resource, amount))
        });
        let mut sums = [0u64; Resource::ALL.len()];
        for (span, resource, amount) in surfaces.chain(draws) {
            let sum = &mut sums[resource as usize];
            *sum = sum.saturating_add(amount.saturating_mul(frames.into()));
            self.budget.ask(resource, *sum).map_err(|refusal| refusal.at(span))?;
        }
        Ok(())
    }

    /// Uses what it takes to work out the constants of a draw in one more frame.
    ///
    /// # Errors
    /// `R0703` at the draw.
    pub fn spend_draw(&self, draw: &DrawCall) -> Result<(), Diagnostic> {
        self.budget.spend(Resource::Draws, 1).map_err(|refusal| refusal.at(draw.span()))
    }

    /// The targets of a frame, cleared.
    fn targets(&self, with_notes: bool, samples: Samples) -> Result<Vec<Target>, Diagnostic> {
        let side = |number: usize| if number == 0 { samples.side() } else { 1 };
        for (number, surface) in self.surfaces.iter().enumerate() {
            let (side, refused) = (u64::from(side(number)), |refusal: Refusal| refusal.at(surface.span));
            self.budget.spend(Resource::Pixels, surface.pixels() * side * side).map_err(refused)?;
            // What the scene asked for when it was read was for one sample.
            let more = surface.pixels() * (side * side - 1) * TARGET_BYTES;
            self.budget.ask(Resource::Memory, more).map_err(refused)?;
        }
        let surfaces = self.surfaces.iter().enumerate();
        let targets = surfaces.map(|(number, surface)| surface.enlarged(side(number)));
        let mut targets = targets.collect::<Result<Vec<_>, _>>()?;
        if let (true, Some(screen), Some(surface)) = (with_notes, targets.first_mut(), self.surfaces.first())
        {
            let room = self.budget.ask(Resource::Memory, surface.pixels() * size_of::<Note>() as u64);
            let noted = room.and_then(|()| screen.take_notes().map_err(Refusal::from));
            noted.map_err(|refusal| refusal.at(surface.span))?;
        }
        Ok(targets)
    }

    /// What the machine gets.
    pub(crate) fn call<'a>(
        &'a self,
        draw: &'a DrawCall,
        constants: &'a [Vec4],
        textures: &'a [Option<Arc<Texture>>],
    ) -> Draw<'a> {
        Draw {
            vertex: &draw.program,
            fragment: draw.fragment.as_deref(),
            profile: self.profile,
            vertices: &draw.vertices,
            layout: &draw.layout,
            indices: Some(&draw.indices),
            topology: draw.topology,
            constants,
            fragment_constants: constants,
            carried: &[],
            textures,
            state: &draw.state,
            cache: &self.cache,
            budget: &self.budget,
        }
    }

    /// What a draw runs for every vertex, and the constants that the machine sets itself; the others are 0.
    pub(crate) fn vertex_stage(&self, draw: &DrawCall, target: &Target) -> (Lowered, Vec<Vec4>) {
        let (constants, textures) = (vec![[0; 4]; draw.constants.count()], vec![None; draw.units.len()]);
        let (lowering, constants) = self.gpu.vertex_stage(target, &self.call(draw, &constants, &textures));
        (lowering(&draw.program), constants)
    }

    /// Lets the machine read the state of every draw, without drawing a vertex.
    pub(crate) fn check_state(&self, problems: &mut Vec<Diagnostic>) {
        let mut targets: Vec<Option<Target>> = self.surfaces.iter().map(|_| None).collect();
        for draw in &self.draws {
            let (Some(surface), Some(target)) =
                (self.surfaces.get(draw.surface), targets.get_mut(draw.surface))
            else {
                continue;
            };
            let target = match target {
                Some(target) => target,
                None => match noted(surface.target(), problems) {
                    Some(made) => target.insert(made),
                    None => return,
                },
            };
            let (constants, textures) = (vec![[0; 4]; draw.constants.count()], vec![None; draw.units.len()]);
            let call = Draw { vertices: &[], indices: Some(&[]), ..self.call(draw, &constants, &textures) };
            let drawn = self.gpu.draw(target, &call, problems);
            noted(drawn.map_err(|refusal| refusal.at(draw.span())), problems);
        }
    }
}

/// The problem of a pixel that a picture of this size does not have.
pub fn no_such_pixel((x, y): (u32, u32), (width, height): (u32, u32)) -> Diagnostic {
    let problem = Diagnostic::error(&NO_SUCH_PIXEL, format!("there is no pixel ({x}, {y})"));
    problem.help(format!("the picture is {width} × {height}, counted from 0"))
}

/// The problem of a view that shows what a machine does not have.
pub fn no_such_view(gpu: &dyn Gpu) -> Diagnostic {
    let message = format!("{} does not have what this view shows", gpu.about().name);
    Diagnostic::error(&NO_SUCH_VIEW, message)
}

/// What a unit reads. What was drawn is copied, and that was asked of the budget when the scene was read.
fn texture(unit: &Unit, targets: &[Target]) -> Result<Option<Arc<Texture>>, Refusal> {
    Ok(match unit {
        Unit::Nothing => None,
        Unit::Texture(texture) => Some(texture.clone()),
        Unit::Surface(number) => match targets.get(*number) {
            None => None,
            Some(target) => Some(Arc::new(Texture::from(Level::from(target.color().copy()?)))),
        },
    })
}
