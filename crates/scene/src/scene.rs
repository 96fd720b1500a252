//! A scene that was read: programs, vertex buffers and textures are ready, what follows the time is not yet a number.

use crate::camera::Camera;
use crate::constants::Constants;
use crate::expr::Time;
use crate::matrix::Matrix;
use crate::pattern;
use crate::size::check_size;
use crate::transform::{Spaces, Transform};
use gpuzoo_diag::{Diagnostic, Span, noted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lowered, Profile, Program, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_raster::{Target, Texture, Topology};
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
    pub fn enlarged(&self, side: u32) -> Result<Target, Diagnostic> {
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

/// Spans of a draw's members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub draw: Span,
    pub input: Span,
    /// Spans of the layout's attributes.
    pub inputs: Vec<Span>,
    pub constants: Option<Span>,
    /// Span of the list of textures, if there is one.
    pub textures: Option<Span>,
    /// Spans of the units' textures.
    pub units: Vec<Span>,
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
    pub(crate) turn: [f64; 2],
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

    /// Turns the eyes of all cameras around what they look at: so many degrees around the way up, to the right of who looks, and so many
    /// upwards, from where the scene has them. An eye gets nearly to the pole and not over it; what is not finite turns nothing.
    pub fn turn(&mut self, around: f64, over: f64) {
        self.turn = [around, over].map(|angle| if angle.is_finite() { angle % 360.0 } else { 0.0 });
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
        Time::of(frame, self.frames)
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
            view: draw.camera.view(time, self.turn),
            projection: draw.camera.projection(time, aspect),
        };
        constants.at(program, &spaces, time, problems)
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
