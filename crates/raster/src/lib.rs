//! From vertices to pixels: clipping, coverage, interpolation, textures, depth test and blending.
//!
//! The crate does not know any GPU by name. What differs between them comes in as values ([`Rules`]): where in a pixel
//! its sample is, on which grid corners lie, to whom the samples on an edge belong, whether depth is cut or clamped,
//! how colours become bytes. What a program sets between draws is in [`State`]. What happens to a fragment is a
//! [`FragmentStage`].
//!
//! ```
//! use gpuzoo_raster::*;
//!
//! let positions = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [-1.0, 1.0, 0.5, 1.0]];
//! let colors = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]];
//! let vertices = Vertices::new(&positions, &colors, 1)?;
//!
//! let mut target = Target::new(64, 64)?;
//! target.clear([0, 0, 0, 255], 1.0);
//! let stage = PerFragment(|fragment: Fragment<'_>| Some(fragment.varying(0)));
//! let triangles = Primitives::all(Topology::TriangleList);
//! let stats = draw(&mut target, &Rules::default(), &State::sized(64, 64), vertices, triangles, &stage);
//!
//! // The long side runs through the centres of 64 pixels, which belong to what is on its other side.
//! assert_eq!(stats.written, 64 * 63 / 2);
//! assert_eq!(target.color().get(63, 0), Some([0, 0, 0, 255]));
//! // Pixel (21, 42) is 21.5/64 green and blue, which leaves 21/64 of red.
//! assert_eq!(target.color().get(21, 42), Some([84, 86, 86, 255]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a triangle is drawn
//!
//! 1. **Assembly.** [`Primitives`] names three of the [`Vertices`]. Their positions are what the vertex stage gave; a
//!    triangle with a position that is not finite is dropped and counted.
//! 2. **Clipping** cuts off what is behind the eye, what the rules say of near, far and the sides, and always what is
//!    more than [`GUARD_BAND`] pixels away. Most triangles are whole and skip it.
//! 3. **Projection.** Division by w, viewport, and snapping to the sub-pixel grid. From here on positions are integers.
//! 4. **Facing.** The sign of the area on the grid says which side shows; culling looks at it, and triangles without
//!    area are dropped unless the rules keep them.
//! 5. **Coverage.** Divisions of integers give the first and the last column inside of each row. No sample is
//!    ever decided by a rounded number, so triangles that share an edge neither overlap nor leave a gap.
//! 6. **Interpolation** gives each sample its barycentric coordinates, and by them its depth, 1/w and varyings,
//!    perspective-correct or linear.
//! 7. **Shading** takes up to 256 fragments at a time, as a structure of arrays. If the stage's depth is the
//!    interpolated one, fragments that are hidden already are masked out, and 16 beside each other that are all hidden do
//!    not get this far (early-Z); where a block of pixels hides all of them, none is looked at (Hi-Z). If the stage kills
//!    no fragments either, depths are stored here, and the test is done.
//! 8. **Merging.** Depth test, if it is not done, then the stage's verdict, blending, rounding, writing: run after run of
//!    fragments beside each other, in the order of the primitives.
//!
//! Steps 5 to 8 work on 16 fragments at a time, in loops that are compiled for several instruction sets
//! ([`gpuzoo_simd`]).
//!
//! A line goes the same way. Its pixels are those whose diamond it leaves, so that strips draw their joints once.
//!
//! # Coordinates
//!
//! Pixel (0, 0) is the top-left one, y goes down, and pixel (x, y) is the square from (x, y) to (x+1, y+1). Clip space
//! is the view volume -w ≤ x, y ≤ w, with +y up or down and the near plane at z = 0 or z = -w as the rules say.
//! Clockwise and counter-clockwise are what the viewer of the picture sees. In textures (0, 0) is the top-left corner
//! as well.
//!
//! # The same picture everywhere
//!
//! The target is cut into bands of rows, and each band is drawn by one thread, all primitives in order. What a pixel
//! gets depends on its primitives alone: not on the band, the batch, the number of threads, or the instruction set, and
//! neither do [`Stats`]. Arithmetic is IEEE addition, multiplication and division, without the platform's mathematical
//! functions and without fusing but for a product that is exact in any way, so that pictures are the same to the bit on
//! every machine.
//!
//! # Textures
//!
//! A [`Format`] decodes bytes to a [`Level`], levels make a [`Texture`], and a [`Sampler`] reads it. Formats whose
//! values are not multiples of 1/255 are kept as floats, so that nothing is rounded on the way. Smaller levels are made
//! by [`Texture::with_mipmaps`] and chosen by a [`MipFilter`].
//!
//! # Limits
//!
//! Sides of images, depth buffers and textures up to [`MAX_SIDE`], each up to [`MAX_BYTES`]; [`MAX_VARYINGS`] varyings;
//! [`MAX_SUB_PIXEL_BITS`] bits below the pixel. Rectangles may lie anywhere, positions may be any bits.
#![forbid(unsafe_code)]

mod band;
mod batch;
mod bins;
mod blend;
mod clip;
mod codec;
mod coverage;
mod depth;
mod draw;
mod faces;
mod fragment;
mod hi_z;
mod image;
mod interpolate;
mod line;
mod merge;
mod mip;
mod notes;
mod pass;
mod places;
mod projection;
mod rop;
mod round;
mod rules;
mod sample;
mod sampler;
mod scan;
mod setup;
mod shape;
mod size;
mod spans;
mod state;
mod stats;
mod texture;
mod threads;
mod topology;
mod unorm;
mod view;

pub use batch::{BATCH, FragmentBatch};
pub use blend::{Blend, BlendChannels, Equation, Factor};
pub use codec::{CodecError, Format};
pub use coverage::{GUARD_BAND, MAX_SUB_PIXEL_BITS};
pub use depth::{Compare, DepthTest};
pub use draw::{Limits, TooManyPixels, draw, draw_within};
pub use fragment::{Fragment, FragmentStage, PerFragment, Shaded};
pub use image::{DepthBuffer, Image, Target};
pub use mip::MipFilter;
pub use notes::{Fate, Invocation, Note, Notes, Touch};
pub use rop::{Rop, RopChannels, RopEquation, RopFormat};
pub use rules::{
    ClipRules, ColorRounding, DepthRules, Fill, Interpolation, NearPlane, Placement, Rounding, Rules, Sample,
    Sides, Snap, Unordered, ZeroArea,
};
pub use sampler::{Filter, Sampler, Wrap};
pub use size::{MAX_BYTES, MAX_SIDE, SizeError};
pub use spans::Spans;
pub use state::{Cull, Rect, State, Viewport, Winding};
pub use stats::Stats;
pub use texture::{Level, LevelsError, Texels, Texture};
pub use topology::{MAX_VARYINGS, Primitives, Topology, Vertices, VerticesError};
pub use unorm::{from_unorm8, to_unorm8};
pub use view::View;

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
