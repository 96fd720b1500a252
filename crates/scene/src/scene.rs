//! A scene that was read: programs, vertex buffers and textures are ready, what follows the time is not yet a number.

use crate::camera::Camera;
use crate::constants::Constants;
use crate::expr::Time;
use crate::matrix::Matrix;
use crate::pattern;
use crate::transform::{Spaces, Transform};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program;
use gpuzoo_machine::Gpu;
use gpuzoo_machine::draw::{Draw, DrawReport};
use gpuzoo_machine::layout::Layout;
use gpuzoo_machine::settings::Table;
use gpuzoo_raster::{Image, Level, Target, Texture, Topology};
use std::sync::Arc;

/// Something to draw on: the screen or a `[target.NAME]`.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub size: (u32, u32),
    pub color: pattern::Color,
    pub depth: f32,
}

impl Surface {
    /// A cleared target. None for a size that was refused when the scene was read.
    pub fn target(&self) -> Option<Target> {
        let mut target = Target::new(self.size.0, self.size.1).ok()?;
        target.clear(pattern::bytes(self.color), self.depth);
        Some(target)
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
    /// The vertex buffer, in which every vertex is as often as it is used.
    pub vertices: Vec<u8>,
    /// How the vertex buffer is read.
    pub layout: Layout,
    /// How vertices make primitives.
    pub topology: Topology,
    /// The machine's own settings.
    pub state: Table,
    pub(crate) constants: Constants,
    pub(crate) camera: Camera,
    pub(crate) model: Transform,
    pub(crate) units: Vec<Unit>,
    /// The number of the surface that it draws on; the screen is 0.
    pub(crate) surface: usize,
}

/// A scene, ready to be drawn.
pub struct Scene {
    /// The machine.
    pub gpu: &'static dyn Gpu,
    /// The machine's numeric profile.
    pub profile: &'static str,
    pub(crate) frames: u32,
    pub(crate) fps: u32,
    /// The screen and the targets.
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) draws: Vec<DrawCall>,
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

impl Scene {
    /// Width and height of the picture.
    pub fn size(&self) -> (u32, u32) {
        self.surfaces.first().map_or((0, 0), |screen| screen.size)
    }

    /// How many frames the animation has; 1 for a scene that stands still.
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

    /// The machine's constants for a draw in a frame, by number. What is not finite is reported.
    pub fn uniforms(&self, draw: &DrawCall, frame: u32, problems: &mut Vec<Diagnostic>) -> Vec<Vec4> {
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
        draw.constants.at(&spaces, time, problems)
    }

    /// Draws a frame, from 0. Frames do not depend on each other, and one past the last is the first again.
    ///
    /// # Errors
    /// What the machine says about a draw's state. [`Loader::load`](crate::Loader::load) asks it too, so that a scene that
    /// was read without errors draws without errors.
    pub fn frame(&self, index: u32) -> Result<Frame, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let mut reports = Vec::new();
        let mut targets: Vec<Option<Target>> = self.surfaces.iter().map(Surface::target).collect();
        for draw in &self.draws {
            let uniforms = self.uniforms(draw, index % self.frames, &mut problems);
            let textures: Vec<_> = draw.units.iter().map(|unit| texture(unit, &targets)).collect();
            let Some(Some(target)) = targets.get_mut(draw.surface) else { continue };
            let call = self.call(draw, &draw.vertices, &uniforms, &textures);
            reports.push(self.gpu.draw(target, &call, &mut problems));
        }
        let screen = targets.into_iter().next().flatten().map(Target::into_image);
        match screen {
            Some(image) if !has_errors(&problems) => Ok(Frame { image, reports, problems }),
            _ => Err(problems),
        }
    }

    /// What the machine gets.
    fn call<'a>(
        &'a self,
        draw: &'a DrawCall,
        vertices: &'a [u8],
        uniforms: &'a [Vec4],
        textures: &'a [Option<Arc<Texture>>],
    ) -> Draw<'a> {
        Draw {
            vertex: &draw.program,
            fragment: None,
            profile: self.profile,
            vertices,
            layout: &draw.layout,
            indices: None,
            topology: draw.topology,
            uniforms,
            textures,
            state: &draw.state,
        }
    }

    /// Lets the machine read the state of every draw, without drawing a vertex.
    pub(crate) fn check_state(&self, problems: &mut Vec<Diagnostic>) {
        let mut targets: Vec<Option<Target>> = self.surfaces.iter().map(Surface::target).collect();
        for draw in &self.draws {
            let Some(Some(target)) = targets.get_mut(draw.surface) else { continue };
            let (uniforms, textures) = (vec![[0; 4]; draw.constants.count()], vec![None; draw.units.len()]);
            self.gpu.draw(target, &self.call(draw, &[], &uniforms, &textures), problems);
        }
    }
}

fn texture(unit: &Unit, targets: &[Option<Target>]) -> Option<Arc<Texture>> {
    match unit {
        Unit::Nothing => None,
        Unit::Texture(texture) => Some(texture.clone()),
        Unit::Surface(number) => {
            let target = targets.get(*number)?.as_ref()?;
            Some(Arc::new(Texture::from(Level::from(target.color()))))
        }
    }
}
