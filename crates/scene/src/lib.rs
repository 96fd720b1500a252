//! Scenes: what `gpuzoo render` reads, and how it becomes pictures.
//!
//! A scene is a TOML file. It says for which machine it is, which programs, meshes and textures there are, and what is
//! drawn with them. What belongs to one machine alone is in a draw's `state`, which goes to the machine as it is;
//! so this crate does not know any machine by name. Files are read through a function of the caller, so that a scene
//! can come from a disk, a web page or a test.
//!
//! ```
//! use gpuzoo_diag::Sources;
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
//! let mut loader = Loader { read: &read, gpus: &[&gpuzoo_dreambox::GPU], sources: &mut sources, texts: Texts::default() };
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
//! Names of files count from the folder of the scene file. Numbers marked *t* may be [expressions](expr) of the time in
//! quotes, such as `"360*t"`. A colour is `[red, green, blue]` or `[red, green, blue, alpha]` from 0 to 1, or
//! `"#rrggbb"`, `"#rrggbbaa"`, `"#rgb"` or `"#rgba"`.
//!
//! | setting | meaning | without it |
//! |---|---|---|
//! | `gpu` | the machine | an error |
//! | `profile` | the machine's numeric profile | its first one |
//! | `size` | width and height of the picture | the machine's screen |
//! | `clear` | `{ color, depth }` | opaque black, 1 |
//! | `animation` | `{ frames, fps }`; t is 0 at the first frame and would be 1 after the last | one frame, t = 0 |
//! | `[camera]` | the camera of all draws | see below |
//! | `[program.NAME]` | `file` or `source`; `dialect` on machines that have several. It is assembled for what its draws say of `positions`, where the machine asks for that | |
//! | `[mesh.NAME]` | see below | |
//! | `[texture.NAME]` | see below | |
//! | `[target.NAME]` | `size` and `clear` of a picture to draw on, which later draws use as a texture | |
//! | `[[draw]]` | what is drawn, in this order | |
//!
//! **A camera** has `eye` (*t*, `[0, 0, 5]`), `target` (*t*, the origin), `up` (*t*, `[0, 1, 0]`), `fov` (*t*, degrees
//! from bottom to top, 45) or `orthographic` (*t*, the height of what is seen), `near` (*t*, 0.1), `far` (*t*, 100),
//! and `aspect` (*t*, the picture's).
//!
//! **A mesh** is one of: a `file`, glTF, GLB or OBJ; a `shape`; or lists, of which `position` is one.
//! - Shapes: `teapot` (`divisions`), `torus_knot` (`p`, `q`, `radius`, `tube`, `columns`, `rows`), `torus` (`radius`,
//!   `tube`, `columns`, `rows`), `sphere` (`radius`, `columns`, `rows`), `cube` (`size`, `divisions`), `plane` (`size`,
//!   `columns`, `rows`), `heightfield` (`size`, `height`, `cells`, `seed`, `columns`, `rows`).
//! - Lists: `position`, `normal`, `texcoord`, `color`, `tangent`, `joints`, `weights`, each of vectors of one to four
//!   numbers; `indices`; `topology`: `"triangles"`, `"triangle_strip"`, `"lines"` or `"line_strip"`.
//! - `fit = 2` centres it and makes its longest side 2 long. `repeat = [4, 4]` repeats the texture. `color` paints it,
//!   or shows its `"position"` or `"normal"`.
//!
//! Every mesh has the attributes `position`, `normal`, `texcoord` and `color`; what is missing is computed, zero, or
//! white. Space is right-handed with +y up, fronts are counter-clockwise, and texture coordinates begin at the top
//! left.
//!
//! **A texture** is one of: a picture `file`, PNG or JPEG; `raw` bytes, with `size` and `format`; or a `pattern`
//! (`checker`, `bricks`, `uv` with `cells`; `noise` with `cells` and `seed`; `gradient`, `glow`, `solid`) of `color`
//! and `color2`. `size` is that of the pattern (64 × 64) or brings the picture to it. `format` is one of the machine's;
//! the texture then has only the colours that the format can hold.
//!
//! **A draw** has
//! - `program` and `mesh`: names. `fragment`: the fragment program's, for machines that have them.
//! - `input`: what each input gets. `in0 = "position"`, or `in0 = { attribute = "position", format = "Float3", offset =
//!   0 }`, or `in3 = { value = [0, 0, 0, 1], format = … }` for what the mesh has not. Inputs lie in a vertex one after
//!   the other unless an `offset` says otherwise; `stride` is the size of a vertex.
//! - `constants`, by the names or the numbers that the program's text has for them: `c0 = 3` (all four components), `c0 = [1, 0, 0, "t"]`, `c0 = "#ff8000"`, `c0 = [[…], […]]` (as many
//!   constants as vectors), `c0 = { matrix = … }` (four constants, a column each),
//!   `c0 = { direction = [1, 1, 0], space = "view" }` (given in the world, of length 1, in the space of the `world`,
//!   the `view` or the `model`), and `{ point = …, space = … }`.
//! - `fragment_constants`: those of the fragment program, if they differ from the vertex program's.
//! - `model`: steps from the model's space to the world, done in their order:
//!   `[{ scale = 2 }, { rotate = "360*t", axis = [0, 1, 0] }, { translate = [0, 1, 0] }]`.
//! - `textures`: names of textures and targets, for unit 0, 1, …; `"none"` leaves a unit empty.
//! - `state`: the machine's own settings. `target`: where to draw, if not on the screen. `camera`: another one.
//!   `wireframe = true`: the edges of the triangles as lines.
//!
//! **A matrix** is `"model_view_projection"`, `"model_view"`, `"view_projection"`, `"model"`, `"view"`, `"projection"`,
//! `"normal"` (of the model and the view), `"world_normal"` (of the model), `"identity"`, or a table with one of
//! `translate`, `scale`, `rotate` (and `axis`), `columns`, `product` (the last is done first), `inverse` and
//! `transpose`.
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
mod given;
mod input;
mod load;
mod lost;
pub mod matrix;
pub mod mesh;
pub mod output;
pub mod pattern;
mod picture;
mod programs;
mod scene;
pub mod starter;
mod texture;
pub mod toml;
mod transform;
mod weld;

use gpuzoo_diag::Code;

pub use input::MAX_BUFFER;
pub use load::{Loader, MAX_FRAMES, NO_SUCH_PIXEL, NO_SUCH_VIEW};
pub use picture::picture;
pub use programs::Texts;
pub use scene::{DrawCall, Frame, Picked, Scene, no_such_view};

/// Every code of this crate.
pub static CODES: &[&[&Code]] = &[
    toml::CODES,
    fields::CODES,
    transform::CODES,
    constants::CODES,
    given::CODES,
    input::CODES,
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
