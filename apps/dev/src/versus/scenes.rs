//! The scenes: each is described once, and both sides draw that. gpuzoo takes the vertices, indices and texels as they are
//! here; the program for llvmpipe finds the same bytes, and the GLSL of [`Scene::glsl`], in a folder.

/// What is drawn, and how fast it should be.
#[derive(Clone, Copy)]
pub struct Scene {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Columns and rows of the picture.
    pub size: (u32, u32),
    pub work: Work,
    /// The ratio to llvmpipe's speed, on one thread, that gpuzoo must reach.
    pub floor: f64,
    /// The ratio to aim at.
    pub aim: f64,
}

#[derive(Clone, Copy)]
pub enum Work {
    /// Grids over the whole picture on the Dreambox, with depth test and depth writes.
    Grid { triangles: u32, depths: Depths, fill: Fill, blended: bool },
    /// As many varyings as a draw may have, summed: squares over the whole picture in perspective, with depth test and depth
    /// writes, the later ones nearer. No machine has so many, so this is the rasterizer without one.
    Varyings { layers: u32 },
    /// A fragment program of Servaru on two triangles over the whole picture, seen at a slant, without a depth test.
    Servaru(Fragments),
}

/// The depths of a scene's grids.
#[derive(Clone, Copy, PartialEq)]
pub enum Depths {
    One,
    FrontToBack(u32),
    BackToFront(u32),
}

/// What a grid's pixels show.
#[derive(Clone, Copy, PartialEq)]
pub enum Fill {
    /// The vertices' colours.
    Colours,
    /// A texture times those.
    Texture { linear: bool },
}

#[derive(Clone, Copy, PartialEq)]
pub enum Fragments {
    Flat,
    Textured,
    Lit,
}

const fn grid(triangles: u32, depths: Depths, fill: Fill, blended: bool) -> Work {
    Work::Grid { triangles, depths, fill, blended }
}

const BILINEAR: Fill = Fill::Texture { linear: true };
const NEAREST: Fill = Fill::Texture { linear: false };
const HD: (u32, u32) = (1920, 1080);
const UHD: (u32, u32) = (3840, 2160);
const VGA: (u32, u32) = (640, 480);

const fn scene(name: &'static str, size: (u32, u32), work: Work, floor: f64, aim: f64) -> Scene {
    Scene { name, size, work, floor, aim }
}

#[rustfmt::skip]
pub const SCENES: [Scene; 13] = [
    scene("bilinear", HD, grid(10_000, Depths::One, BILINEAR, false), 1.0, 2.0),
    scene("bilinear-4k", UHD, grid(10_000, Depths::One, BILINEAR, false), 1.0, 2.0),
    scene("nearest", HD, grid(10_000, Depths::One, NEAREST, false), 1.2, 3.0),
    scene("colours", HD, grid(10_000, Depths::One, Fill::Colours, false), 1.2, 3.0),
    scene("blended", HD, grid(10_000, Depths::One, Fill::Colours, true), 1.2, 3.0),
    scene("blended-bilinear", HD, grid(10_000, Depths::One, BILINEAR, true), 1.0, 2.0),
    scene("back-to-front", HD, grid(100, Depths::BackToFront(64), Fill::Colours, false), 0.8, 1.2),
    scene("front-to-back", HD, grid(100, Depths::FrontToBack(64), Fill::Colours, false), 3.4, 6.0),
    scene("varyings", VGA, Work::Varyings { layers: 8 }, 0.8, 1.0),
    scene("small-triangles", VGA, grid(1_000_000, Depths::One, Fill::Colours, false), 2.0, 4.0),
    scene("servaru-flat", VGA, Work::Servaru(Fragments::Flat), 0.5, 1.0),
    scene("servaru-textured", VGA, Work::Servaru(Fragments::Textured), 0.7, 1.0),
    scene("servaru-lit", VGA, Work::Servaru(Fragments::Lit), 0.7, 1.0),
];

/// Varyings of [`Work::Varyings`].
pub const VARYINGS: usize = 16;

/// What a varying's four components are multiplied by, so that no two are alike and the sums stay below 2.
pub fn share(varying: usize) -> f32 {
    1.0 / VARYINGS as f32 + varying as f32 * 1e-3
}

/// What every picture is cleared to; no scene leaves a pixel of it.
pub const CLEARED: [u8; 4] = [0, 0, 0, 255];

/// Sides of the texture.
pub const TEXTURE: u32 = 256;

/// Noise, RGBA.
pub fn texels() -> Vec<u8> {
    (0..TEXTURE * TEXTURE).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect()
}

/// Vertices and the triangles that they make.
pub struct Mesh {
    /// Bytes from one vertex to the next.
    pub stride: u32,
    pub attributes: &'static [Attribute],
    /// Little-endian.
    pub vertices: Vec<u8>,
    pub indices: Vec<u32>,
}

/// Where a vertex has an input: its number, its offset in bytes, and what it is.
#[derive(Clone, Copy)]
pub struct Attribute {
    pub input: u16,
    pub offset: u32,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// So many floats.
    Floats(u32),
    /// Four bytes from 0 to 1.
    Unorm8,
}

const fn attribute(input: u16, offset: u32, kind: Kind) -> Attribute {
    Attribute { input, offset, kind }
}

/// How the texture is read.
#[derive(Clone, Copy, PartialEq)]
pub enum Filter {
    Nearest,
    Linear,
    /// Linear within the nearest level.
    Levels,
}

impl Scene {
    /// How often a pixel is covered.
    pub fn layers(&self) -> u32 {
        match self.work {
            Work::Grid { depths, .. } => depths.values().len() as u32,
            Work::Varyings { layers } => layers,
            Work::Servaru(_) => 1,
        }
    }

    /// Pixels that its triangles cover, hidden ones included.
    pub fn fragments(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1) * u64::from(self.layers())
    }

    /// True if what counts is triangles.
    pub fn counts_triangles(&self) -> bool {
        matches!(self.work, Work::Grid { triangles: 1_000_000.., .. })
    }

    /// What is drawn.
    pub fn mesh(&self) -> Mesh {
        match self.work {
            Work::Grid { triangles, depths, .. } => grids(triangles, &depths.values()),
            Work::Varyings { layers } => squares(layers),
            Work::Servaru(_) => slant(),
        }
    }

    /// How it reads the texture, if it does.
    pub fn filter(&self) -> Option<Filter> {
        match self.work {
            Work::Grid { fill: Fill::Texture { linear: true }, .. } => Some(Filter::Linear),
            Work::Grid { fill: Fill::Texture { linear: false }, .. } => Some(Filter::Nearest),
            Work::Servaru(Fragments::Textured | Fragments::Lit) => Some(Filter::Levels),
            _ => None,
        }
    }

    /// Whether fragments are tested against the depth that is there (less), and leave theirs.
    pub fn tests_depth(&self) -> bool {
        !matches!(self.work, Work::Servaru(_))
    }

    /// Whether colours are blended by their alpha.
    pub fn blends(&self) -> bool {
        matches!(self.work, Work::Grid { blended: true, .. })
    }
}

impl Depths {
    fn values(self) -> Vec<f32> {
        let layers = |count: u32| (1..=count).map(move |layer| layer as f32 / (count + 1) as f32);
        match self {
            Depths::One => vec![0.5],
            Depths::FrontToBack(count) => layers(count).collect(),
            Depths::BackToFront(count) => layers(count).rev().collect(),
        }
    }
}

/// A quarter of a texel, so that no pixel's centre is on the border between two, where each side would round as it likes.
const ASIDE: f32 = 0.25 / TEXTURE as f32;

/// Grids of about so many triangles over the whole picture, one for each depth: place, texture coordinates, colour.
fn grids(triangles: u32, depths: &[f32]) -> Mesh {
    let columns = ((f64::from(triangles) / 2.0 * 4.0 / 3.0).sqrt().round() as u32).max(1);
    let rows = (triangles / 2).div_ceil(columns).max(1);
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for (layer, depth) in (0..).zip(depths) {
        for row in 0..=rows {
            for column in 0..=columns {
                let [s, t] = [column as f32 / columns as f32, row as f32 / rows as f32];
                let floats = [s * 2.0 - 1.0, 1.0 - t * 2.0, *depth, s * 8.0 + ASIDE, t * 8.0 + ASIDE];
                vertices.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
                vertices.extend([(s * 255.0) as u8, (t * 255.0) as u8, 128, 255]);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let at = |x, y| (layer * (rows + 1) + row + y) * (columns + 1) + column + x;
                indices.extend([at(0, 0), at(1, 0), at(0, 1), at(0, 1), at(1, 0), at(1, 1)]);
            }
        }
    }
    const ATTRIBUTES: &[Attribute] = &[
        attribute(0, 0, Kind::Floats(3)),
        attribute(1, 12, Kind::Floats(2)),
        attribute(2, 20, Kind::Unorm8),
    ];
    Mesh { stride: 24, attributes: ATTRIBUTES, vertices, indices }
}

/// Squares over the whole picture, w from 1 at the left to 2 at the right, each nearer than the one before: place, and
/// (s, t), which the varyings are made of.
fn squares(layers: u32) -> Mesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for layer in 0..layers {
        let z = (layers - layer) as f32 / (layers + 1) as f32;
        for [s, t] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0f32]] {
            let w = 1.0 + s;
            let floats = [(s * 2.0 - 1.0) * w, (1.0 - t * 2.0) * w, z * w, w, s, t];
            vertices.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        }
        indices.extend([0, 1, 2, 2, 1, 3].map(|corner| layer * 4 + corner));
    }
    const ATTRIBUTES: &[Attribute] = &[attribute(0, 0, Kind::Floats(4)), attribute(1, 16, Kind::Floats(2))];
    Mesh { stride: 24, attributes: ATTRIBUTES, vertices, indices }
}

/// Two triangles over the whole picture, seen at a slant so that levels change: place, texture coordinates, normal.
fn slant() -> Mesh {
    let corner = |[x, y]: [f32; 2]| {
        let w = 1.5 + y;
        [[x * w, y * w, 0.5 * w, w], [x + 1.0, 2.0 - 2.0 * y, 0.0, 1.0], [x / 2.0, y / 2.0, 1.0, 0.0]]
    };
    let corners = [[-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]].map(corner);
    let vertices = corners.as_flattened().as_flattened().iter().flat_map(|float| float.to_le_bytes());
    const ATTRIBUTES: &[Attribute] = &[
        attribute(0, 0, Kind::Floats(4)),
        attribute(1, 16, Kind::Floats(4)),
        attribute(2, 32, Kind::Floats(4)),
    ];
    Mesh { stride: 48, attributes: ATTRIBUTES, vertices: vertices.collect(), indices: vec![0, 1, 2, 0, 2, 3] }
}
