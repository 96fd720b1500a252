//! Frames for others to draw: each draw as the machine would get it.

use crate::scene::{DrawCall, Scene, Surface, Unit};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_raster::Target;
use std::sync::Arc;

/// A draw that is to be done.
pub struct Planned<'a> {
    /// As the scene has it.
    pub draw: &'a DrawCall,
    /// As the machine gets it, but for textures that are pictures of this frame.
    pub call: Draw<'a>,
    /// For each texture unit the surface whose picture it reads, if it reads one.
    pub reads: Vec<Option<usize>>,
}

impl Scene {
    /// The surfaces of a frame before its first draw; the screen is 0.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn surfaces(&self) -> Result<Vec<Target>, Diagnostic> {
        self.surfaces.iter().map(Surface::target).collect()
    }

    /// Shows each draw of a frame in order, and draws nothing. It counts on the scene's budget as drawing does, but for the
    /// pixels.
    ///
    /// # Errors
    /// Constants that are not finite, what the budget refuses, and what `each` says.
    pub fn plan(
        &self,
        index: u32,
        mut each: impl FnMut(&Planned) -> Result<(), Vec<Diagnostic>>,
    ) -> Result<(), Vec<Diagnostic>> {
        for draw in &self.draws {
            self.spend_draw(draw).map_err(|problem| vec![problem])?;
            let mut problems = Vec::new();
            let constants = self.constants(draw, index % self.frame_count(), &mut problems);
            let fragment_constants = match draw.fragment {
                Some(_) => self.fragment_constants(draw, index % self.frame_count(), &mut problems),
                None => Vec::new(),
            };
            if has_errors(&problems) {
                return Err(problems);
            }
            let own = |unit: &Unit| {
                if let Unit::Texture(texture) = unit { Some(Arc::clone(texture)) } else { None }
            };
            let textures: Vec<_> = draw.units.iter().map(own).collect();
            let read = |unit: &Unit| if let Unit::Surface(number) = unit { Some(*number) } else { None };
            let reads = draw.units.iter().map(read).collect();
            let call = self.call(draw, &constants, &textures);
            each(&Planned { draw, call: Draw { fragment_constants: &fragment_constants, ..call }, reads })?;
        }
        Ok(())
    }
}
