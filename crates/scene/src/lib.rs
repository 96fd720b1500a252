//! Scenes: what `gpuzoo render` reads, and how it becomes pictures.
//!
//! A scene is a TOML file. It says for which machine it is, which programs, meshes and textures there are, and what is
//! drawn with them. What belongs to one machine alone is in a draw's `state`, which goes to the machine as it is;
//! so this crate does not know any machine by name. Files are read through a function of the caller, so that a scene
//! can come from a disk, a web page or a test.
//!
//! ```
//! use gpuzoo_diag::Sources;
//! use gpuzoo_machine::limits::budget::Budget;
//! use gpuzoo_scene::{Loader, Texts, output};
//! use std::path::Path;
//!
//! let text = r##"
//! gpu = "dreambox"
//! size = [64, 64]
//! clear = { color = "#000080" }
//!
//! [program.copy]
//! source = "ld r0 0 st pos r0 ld r1 1 st col r1 sub r1 r1 st tex r1 st ocol r1"
//!
//! [mesh.triangle]
//! position = [[-1, -1], [1, -1], [-1, 1]]
//! color = [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
//!
//! [[draw]]
//! program = "copy"
//! mesh = "triangle"
//! input = { in0 = "position", in1 = { attribute = "color", format = "Float4" } }
//! "##;
//! let mut sources = Sources::default();
//! let read = |_: &Path| Ok(text.as_bytes().to_vec());
//! let mut loader = Loader {
//!     read: &read,
//!     gpus: &[&gpuzoo_dreambox::GPU],
//!     sources: &mut sources,
//!     texts: Texts::default(),
//!     budget: Budget::default(),
//!     kept: None,
//! };
//! let (scene, problems) = loader.load(Path::new("triangle.toml"));
//! assert!(problems.is_empty());
//!
//! let frame = scene.unwrap().frame(0).unwrap();
//! assert_eq!(frame.image.get(0, 63), Some([255, 0, 0, 255]));
//! assert_eq!(frame.image.get(63, 0), Some([0, 0, 128, 255]));
//! let png = output::png(&frame.image, false)?;
//! # assert!(!png.is_empty());
//! # Ok::<(), output::OutputError>(())
//! ```
//!
//! # The file
//!
//! [`keys::SECTIONS`] has every table and setting, with what it takes, its default and an example; `gpuzoo explain scene`,
//! `gpuzoo list scene` and `docs/reference/scene.md` show them. What belongs to one machine is in
//! [`About::settings`](gpuzoo_machine::About::settings).
//!
//! # The same everywhere
//!
//! Angles, noise, meshes and matrices are computed without the platform's mathematical functions, so that a scene gives
//! the same picture to the bit on every machine.
//!
//! # Limits
//!
//! Sides of pictures and textures up to 16384, 64 Mi pixels; [`mesh::MAX_VERTICES`] vertices and [`mesh::MAX_INDICES`]
//! indices in a mesh; [`MAX_BUFFER`] bytes in a vertex buffer; [`MAX_FRAMES`] frames; scene, program and OBJ files of
//! [`gpuzoo_diag::MAX_SOURCE_BYTES`].
#![forbid(unsafe_code)]

mod angle;
mod camera;
mod constants;
pub mod expr;
mod fields;
mod frame;
mod given;
mod input;
mod kept;
pub mod keys;
mod load;
mod lost;
pub mod matrix;
pub mod mesh;
mod order;
pub mod output;
pub mod pattern;
mod picked;
mod picture;
mod plan;
mod programs;
mod reading;
mod scene;
mod size;
pub mod starter;
mod texture;
pub mod toml;
mod transform;
mod weld;

use gpuzoo_diag::Code;

pub use frame::{Frame, Samples, no_such_view};
pub use input::MAX_BUFFER;
pub use kept::Kept;
pub use load::{MAX_FRAMES, NO_SUCH_PIXEL, NO_SUCH_VIEW};
pub use picked::{Picked, no_such_pixel};
pub use picture::{Unreadable, picture};
pub use plan::Planned;
pub use reading::{Loader, Texts};
pub use scene::{DrawCall, Scene};
pub use size::check_size;

/// Every code of this crate.
pub static CODES: &[&[&Code]] = &[
    toml::CODES,
    fields::CODES,
    camera::CODES,
    transform::CODES,
    constants::CODES,
    given::CODES,
    order::CODES,
    input::CODES,
    reading::CODES,
    size::CODES,
    programs::CODES,
    load::CODES,
    mesh::CODES,
    mesh::read::CODES,
    texture::CODES,
    expr::CODES,
];

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
