//! Meshes: named attributes for every vertex, and the order in which vertices make primitives.
//!
//! A mesh comes from a file ([`gltf`], [`obj`]) or a generator ([`shapes`], [`teapot`]). Space is right-handed with +y
//! up, front sides are counter-clockwise, and texture coordinates begin at the top left, whatever the file's
//! conventions.

mod attribute;
pub mod gltf;
pub mod obj;
pub(crate) mod read;
pub mod shapes;
pub mod teapot;

use crate::matrix::{Vector, cross, normalize, sub};
pub use attribute::Attribute;
use gpuzoo_diag::counted;
use gpuzoo_machine::limits::budget::{OUT_OF_MEMORY, Refusal};
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Topology;
use std::collections::HashSet;
use std::fmt;

gpuzoo_diag::codes! {
    TOO_LARGE = "R0401", "mesh too large",
        "A mesh has at most 16,777,216 vertices and 67,108,864 indices, and its vertex buffer at most 1 GiB.";
    EMPTY = "R0402", "mesh without vertices",
        "There is nothing to draw. A glTF file may hold only cameras or animations, an OBJ file only materials.";
    BAD_INDEX = "R0403", "index of no vertex",
        "An index names a vertex that the mesh does not have.";
    NOT_FINITE = "R0404", "positions that are not finite",
        "Some positions are NaN or infinite. Primitives with such corners are not drawn.";
    BAD_OBJ = "R0405", "not an OBJ file",
        "A line of an OBJ file cannot be read: `v`, `vt` and `vn` are followed by numbers, `f` and `l` by vertices \
         such as `3`, `3/1`, `3//2` or `3/1/2`, which count from 1, or from -1 backwards.";
    BAD_GLTF = "R0406", "not a glTF file",
        "The file is not glTF 2.0: it is cut off, its JSON is broken, or something in it reaches beyond its buffers.";
    UNSUPPORTED = "R0407", "glTF feature that is not read",
        "Meshes are read with their attributes and the places of their nodes. Compressed meshes and primitives other \
         than triangles and lines are not.";
    MATERIAL = "R0409", "material that is not read",
        "Of a mesh file its vertices are read. Textures and materials are the scene's: a picture is given as \
         `[texture.NAME]` and named in the draw's `textures`, a colour as the mesh's `color` or a constant.";
    BAD_LENGTH = "R0408", "attribute of another length",
        "Every attribute of a mesh has one value for each vertex.";
}

/// The most vertices of a mesh.
pub const MAX_VERTICES: usize = 1 << 24;

/// The most indices of a mesh.
pub const MAX_INDICES: usize = 1 << 26;

/// The bytes that a mesh takes.
fn mesh_bytes(vertices: u64, attributes: u64, indices: u64) -> u64 {
    let of_vertices = vertices.saturating_mul(attributes * size_of::<[f32; 4]>() as u64);
    of_vertices.saturating_add(indices.saturating_mul(size_of::<u32>() as u64))
}

/// A mesh. Indices are below the number of vertices, and every attribute has a value for each vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    attributes: Vec<(String, Attribute)>,
    vertices: usize,
    indices: Vec<u32>,
    topology: Topology,
}

/// Why lists do not make a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshError {
    /// No vertices.
    Empty,
    /// More than [`MAX_VERTICES`] or [`MAX_INDICES`].
    TooLarge {
        /// Vertices asked for.
        vertices: usize,
        /// Indices asked for.
        indices: usize,
    },
    /// An index that is not a vertex.
    Index {
        /// The index.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// An attribute with another number of values than vertices.
    Length {
        /// The attribute.
        name: String,
        /// How many vertices there are.
        vertices: usize,
        /// How many values the attribute has.
        found: usize,
    },
    /// There is no memory for it.
    Refused(Refusal),
}

impl From<Refusal> for MeshError {
    fn from(refusal: Refusal) -> MeshError {
        MeshError::Refused(refusal)
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::Empty => write!(f, "the mesh has no vertices"),
            MeshError::TooLarge { vertices, indices } => {
                write!(
                    f,
                    "{vertices} vertices with {indices} indices are more than {MAX_VERTICES} and {MAX_INDICES}"
                )
            }
            MeshError::Index { index, vertices } => {
                write!(f, "an index is {index}, of {}", counted(vertices, "vertex"))
            }
            MeshError::Length { name, vertices, found } => {
                write!(f, "`{name}` has {} for {}", counted(found, "value"), counted(vertices, "vertex"))
            }
            MeshError::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for MeshError {}

impl MeshError {
    /// The kind of problem that it is.
    pub fn code(&self) -> &'static gpuzoo_diag::Code {
        match self {
            MeshError::Empty => &EMPTY,
            MeshError::TooLarge { .. } => &TOO_LARGE,
            MeshError::Index { .. } => &BAD_INDEX,
            MeshError::Length { .. } => &BAD_LENGTH,
            MeshError::Refused(_) => &OUT_OF_MEMORY,
        }
    }
}

/// Within the limits, and not empty.
pub(crate) fn check_size(vertices: usize, indices: usize) -> Result<(), MeshError> {
    if vertices == 0 {
        return Err(MeshError::Empty);
    }
    let within = vertices <= MAX_VERTICES && indices <= MAX_INDICES;
    if within { Ok(()) } else { Err(MeshError::TooLarge { vertices, indices }) }
}

impl Mesh {
    /// A mesh of an attribute `position` for each vertex.
    ///
    /// # Errors
    /// [`MeshError`] if it is empty or too large, an index is not a vertex, or there is no memory for it.
    ///
    /// ```
    /// use gpuzoo_raster::Topology;
    /// use gpuzoo_scene::mesh::Mesh;
    ///
    /// let corners = vec![[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(corners, vec![0, 1, 2], Topology::TriangleList)?.complete()?;
    /// // Counter-clockwise seen from +z.
    /// assert_eq!(mesh.attribute("normal").unwrap().get(0), [0.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), gpuzoo_scene::mesh::MeshError>(())
    /// ```
    pub fn new(positions: Vec<[f32; 4]>, indices: Vec<u32>, topology: Topology) -> Result<Mesh, MeshError> {
        let vertices = positions.len();
        check_size(vertices, indices.len())?;
        if let Some(&index) = indices.iter().find(|&&index| index as usize >= vertices) {
            return Err(MeshError::Index { index, vertices });
        }
        let positions = Attribute::new(&positions)?;
        Ok(Mesh { attributes: vec![("position".into(), positions)], vertices, indices, topology })
    }

    /// Adds an attribute or replaces it.
    ///
    /// # Errors
    /// [`MeshError::Length`] if there is not one value for each vertex, [`MeshError::Refused`] if there is no memory for
    /// them.
    pub fn with(mut self, name: &str, values: Vec<[f32; 4]>) -> Result<Mesh, MeshError> {
        let (vertices, found) = (self.vertices, values.len());
        if found != vertices {
            return Err(MeshError::Length { name: name.into(), vertices, found });
        }
        self.set(name, Attribute::new(&values)?);
        Ok(self)
    }

    /// Gives all vertices the same value of an attribute.
    pub fn with_same(mut self, name: &str, value: [f32; 4]) -> Mesh {
        self.set(name, Attribute::same(value, self.vertices));
        self
    }

    fn set(&mut self, name: &str, values: Attribute) {
        match self.attributes.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = values,
            None => self.attributes.push((name.into(), values)),
        }
    }

    /// The values of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, values)| values)
    }

    /// The names of the attributes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|(name, _)| name.as_str())
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// The vertices in the order of their use.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// How the indexed vertices make primitives.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// How many positions are not finite.
    pub fn bad_positions(&self) -> usize {
        let bad = |position: &[f32; 4]| position.iter().any(|component| !component.is_finite());
        self.positions().iter().filter(bad).count()
    }

    fn positions(&self) -> &Attribute {
        &self.attributes[0].1
    }

    /// Adds what every mesh has, where it is missing: `normal` (the mean of the faces around, by their area),
    /// `texcoord` zero, `color` white.
    ///
    /// # Errors
    /// [`MeshError::Refused`] if there is no memory for them.
    pub fn complete(mut self) -> Result<Mesh, MeshError> {
        if self.attribute("normal").is_none() {
            let normals = Attribute::new(&self.face_normals()?)?;
            self.set("normal", normals);
        }
        for (name, value) in [("texcoord", [0.0, 0.0, 0.0, 1.0]), ("color", [1.0; 4])] {
            if self.attribute(name).is_none() {
                self.set(name, Attribute::same(value, self.vertices));
            }
        }
        Ok(self)
    }

    /// The sum of the cross products of all faces around each vertex, which are as long as the faces are large.
    fn face_normals(&self) -> Result<Vec<[f32; 4]>, Refusal> {
        let mut sums = memory::filled([0.0; 3], self.vertices)?;
        let position = |index: u32| -> Vector {
            let [x, y, z, _] = self.positions().get(index as usize).map(f64::from);
            [x, y, z]
        };
        if !self.topology.is_lines() {
            for [a, b, c] in self.triangles() {
                let face = cross(sub(position(b), position(a)), sub(position(c), position(a)));
                for corner in [a, b, c] {
                    let sum = &mut sums[corner as usize];
                    *sum = [0, 1, 2].map(|i| sum[i] + face[i]);
                }
            }
        }
        memory::collect(self.vertices, sums.into_iter().map(|sum| direction(sum, [0.0, 0.0, 1.0])))
    }

    /// The corners of all triangles.
    fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let strip = self.topology == Topology::TriangleStrip;
        (0..self.topology.count(self.indices.len())).map(move |i| {
            let [a, b, c] =
                if strip { [i, i + 1 + i % 2, i + 2 - i % 2] } else { [3 * i, 3 * i + 1, 3 * i + 2] };
            [self.indices[a], self.indices[b], self.indices[c]]
        })
    }

    /// The edges of its triangles as a list of lines, each edge once. Lines stay as they are.
    ///
    /// # Errors
    /// [`MeshError::Refused`] if there is no memory for them.
    pub fn edges(&self) -> Result<Mesh, MeshError> {
        let attributes = self.attributes.iter().map(|(name, values)| Ok((name.clone(), values.copied()?)));
        let attributes = attributes.collect::<Result<_, Refusal>>()?;
        let (indices, topology) = if self.topology.is_lines() {
            (memory::collect(self.indices.len(), self.indices.iter().copied())?, self.topology)
        } else {
            (self.edge_list()?, Topology::LineList)
        };
        Ok(Mesh { attributes, vertices: self.vertices, indices, topology })
    }

    /// The ends of each edge of the triangles.
    fn edge_list(&self) -> Result<Vec<u32>, Refusal> {
        // Three of each triangle at most.
        let most = self.topology.count(self.indices.len()) * 3;
        let mut seen = HashSet::new();
        seen.try_reserve(most).map_err(|_| memory::refused::<(u32, u32)>(most))?;
        let mut edges = memory::room(most * 2)?;
        for [a, b, c] in self.triangles() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if seen.insert((from.min(to), from.max(to))) {
                    edges.extend([from, to]);
                }
            }
        }
        Ok(edges)
    }

    /// Repeats the texture: multiplies texture coordinates.
    pub fn repeat(mut self, [across, down]: [f64; 2]) -> Mesh {
        if let Some((_, values)) = self.attributes.iter_mut().find(|(name, _)| name == "texcoord") {
            let by = [across as f32, down as f32, 1.0, 1.0];
            values.change(|at, component| component * by[at]);
        }
        self
    }

    /// Moves its middle to the origin and makes its longest side `size` long. What is not finite is left out of
    /// account.
    pub fn fit(mut self, size: f64) -> Mesh {
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for position in self.positions().iter() {
            for (bound, component) in bounds.iter_mut().zip(position) {
                if component.is_finite() {
                    *bound = [bound[0].min(component.into()), bound[1].max(component.into())];
                }
            }
        }
        let longest = bounds.iter().fold(0.0f64, |longest, [low, high]| longest.max(high - low));
        let scale = if longest > 0.0 { size / longest } else { 1.0 };
        self.attributes[0].1.change(|at, component| match bounds.get(at) {
            Some([low, high]) => ((f64::from(component) - (low + high) / 2.0) * scale) as f32,
            None => component,
        });
        self
    }
}

/// A normal as an attribute: of length 1, or the replacement if it has no direction.
pub(crate) fn direction(v: Vector, replacement: Vector) -> [f32; 4] {
    let unit = normalize(v);
    let [x, y, z] = if unit.iter().all(|component| component.is_finite()) { unit } else { replacement };
    [x as f32, y as f32, z as f32, 0.0]
}

/// A position as an attribute.
pub(crate) fn position([x, y, z]: Vector) -> [f32; 4] {
    [x as f32, y as f32, z as f32, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(topology: Topology, indices: Vec<u32>) -> Mesh {
        let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]].map(|[x, y]| [x, y, 0.0, 1.0]);
        Mesh::new(corners.to_vec(), indices, topology).unwrap()
    }

    #[test]
    fn what_is_missing_is_added() {
        let mesh = square(Topology::TriangleList, vec![0, 1, 2, 2, 1, 3]).complete().unwrap();
        assert_eq!(mesh.names().collect::<Vec<_>>(), ["position", "normal", "texcoord", "color"]);
        assert_eq!(mesh.attribute("normal"), Some(&Attribute::same([0.0, 0.0, 1.0, 0.0], 4)));
        assert_eq!(mesh.attribute("color"), Some(&Attribute::same([1.0; 4], 4)));
        assert_eq!(mesh.attribute("texcoord"), Some(&Attribute::same([0.0, 0.0, 0.0, 1.0], 4)));
        // As a strip, and turned around.
        let strip = square(Topology::TriangleStrip, vec![0, 1, 2, 3]).complete().unwrap();
        assert_eq!(strip.attribute("normal"), Some(&Attribute::same([0.0, 0.0, 1.0, 0.0], 4)));
        let back = square(Topology::TriangleList, vec![0, 2, 1]).complete().unwrap();
        assert_eq!(back.attribute("normal").unwrap().get(0), [0.0, 0.0, -1.0, 0.0]);
    }

    #[test]
    fn normals_weigh_faces_by_area() {
        // Around vertex 0: a face of area 3/2 in the xy plane and one of 4/2 in the xz plane, facing +z and -y.
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]].map(position);
        let mesh = Mesh::new(corners.to_vec(), vec![0, 1, 2, 0, 1, 3], Topology::TriangleList)
            .unwrap()
            .complete()
            .unwrap();
        assert_eq!(mesh.attribute("normal").unwrap().get(0), [0.0, -0.8, 0.6, 0.0]);
    }

    #[test]
    fn edges_are_drawn_once() {
        let mesh = square(Topology::TriangleList, vec![0, 1, 2, 2, 1, 3]).edges().unwrap();
        assert_eq!(mesh.topology(), Topology::LineList);
        assert_eq!(mesh.indices(), [0, 1, 1, 2, 2, 0, 1, 3, 3, 2]);
        assert_eq!(mesh.clone().edges().unwrap(), mesh);
    }

    #[test]
    fn fitting_and_repeating() {
        let mesh = square(Topology::TriangleList, vec![0, 1, 2]).fit(1.0);
        assert_eq!(mesh.attribute("position").unwrap().get(3), [0.5, 0.5, 0.0, 1.0]);
        assert_eq!(mesh.attribute("position").unwrap().get(0), [-0.5, -0.5, 0.0, 1.0]);
        let corner =
            square(Topology::TriangleList, vec![]).with("texcoord", vec![[0.5, 1.0, 0.0, 1.0]; 4]).unwrap();
        assert_eq!(corner.repeat([4.0, 3.0]).attribute("texcoord").unwrap().get(0), [2.0, 3.0, 0.0, 1.0]);
        // A point has no size, and NaN no place.
        let odd =
            Mesh::new(vec![[f32::NAN; 4], [5.0, 5.0, 5.0, 1.0]], vec![], Topology::TriangleList).unwrap();
        assert_eq!(odd.bad_positions(), 1);
        let odd = odd.fit(2.0);
        assert_eq!(odd.attribute("position").unwrap().get(1), [0.0, 0.0, 0.0, 1.0]);
        let nothing = Mesh::new(vec![[f32::NAN; 4]; 3], vec![0, 1, 2], Topology::TriangleList).unwrap();
        assert_eq!(nothing.fit(2.0).complete().unwrap().bad_positions(), 3);
    }

    #[test]
    fn limits() {
        assert_eq!(Mesh::new(vec![], vec![], Topology::TriangleList), Err(MeshError::Empty));
        let index = Mesh::new(vec![[0.0; 4]; 2], vec![0, 2], Topology::LineList);
        assert_eq!(index, Err(MeshError::Index { index: 2, vertices: 2 }));
        assert!(check_size(MAX_VERTICES, MAX_INDICES).is_ok());
        assert!(matches!(check_size(MAX_VERTICES + 1, 0), Err(MeshError::TooLarge { .. })));
        assert!(matches!(check_size(1, MAX_INDICES + 1), Err(MeshError::TooLarge { .. })));
        let length = square(Topology::TriangleList, vec![]).with("color", vec![]);
        assert!(matches!(length, Err(MeshError::Length { vertices: 4, found: 0, .. })));
    }
}
