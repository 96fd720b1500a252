//! Drawing: frames of a scene, with views of what lies behind their colours and with several samples a pixel.

use crate::load::{NO_SAMPLES, NO_SUCH_VIEW};
use crate::scene::{DrawCall, Scene, Surface, TARGET_BYTES, Unit};
use crate::size::check_size;
use gpuzoo_diag::{Diagnostic, has_errors, noted};
use gpuzoo_machine::Gpu;
use gpuzoo_machine::limits::budget::{Refusal, Resource};
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_raster::{Image, Level, Note, Target, Texture, View};
use std::sync::Arc;

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

impl Scene {
    /// Draws a frame, from 0. Frames do not depend on each other, and one past the last is the first again.
    ///
    /// # Errors
    /// What the machine says about a draw's state. [`Loader::load`](crate::Loader::load) asks it too, so that a scene
    /// that was read without errors draws without errors.
    pub fn frame(&self, index: u32) -> Result<Frame, Vec<Diagnostic>> {
        self.frame_as(index, None)
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
            return Err(vec![
                Diagnostic::error(&NO_SAMPLES, message).label(draw.span(), "").help("leave `--samples` out"),
            ]);
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
