//! glTF 2.0 files, `.glb` and `.gltf`: the triangles or lines of a file's scene, each mesh at the place of its node, as
//! one mesh. Vertex colours are multiplied by the material's base colour. Textures, skins and animations are not read;
//! joints and weights are there as attributes.

mod data;

use super::{
    BAD_GLTF, MATERIAL, MAX_INDICES, MAX_VERTICES, Mesh, MeshError, UNSUPPORTED, direction, mesh_bytes,
    position,
};
use crate::matrix::{Matrix, Vector, cross, dot};
use data::Data;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::scene::Node;
use gltf::json::validation::Checked;
use gltf::json::{self, Root};
use gpuzoo_diag::{Diagnostic, Severity, Span, counted};
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Topology;
use std::io;

/// Reads a file. `place` is the place that problems get, `read` reads the files that the file names, and all of it counts
/// on a budget.
///
/// # Errors
/// What is wrong with the file. Besides the mesh there may be warnings about parts that were left out.
pub fn parse(
    bytes: &[u8],
    place: Span,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    budget: &Budget,
) -> Result<(Mesh, Vec<Diagnostic>), Diagnostic> {
    let broken = |message: String| Diagnostic::error(&BAD_GLTF, message).label(place, "");
    let (text, binary) = data::split(bytes).map_err(broken)?;
    budget.ask(Resource::Memory, tree_bytes(text)).map_err(|refusal| refusal.at(place))?;
    let root: Root = json::deserialize::from_slice(text).map_err(|error| broken(error.to_string()))?;
    if let Some(name) = root.extensions_required.iter().find(|name| COMPRESSIONS.contains(&name.as_str())) {
        let problem = Diagnostic::error(&UNSUPPORTED, format!("the file needs `{name}`")).label(place, "");
        return Err(problem.help("save it without compression"));
    }
    let problem = |failure: Failure| match failure {
        Failure::Broken(message) => broken(message),
        Failure::Mesh(error) => Diagnostic::error(error.code(), error.to_string()).label(place, ""),
        Failure::Refused(refusal) => refusal.at(place),
    };
    let buffers = data::buffers(&root, binary, read, budget).map_err(problem)?;
    let mut merged = Merged {
        data: Data { root: &root, buffers, budget },
        parts: Vec::new(),
        vertices: 0,
        indices: 0,
        skipped: 0,
    };
    let result = merged.scene();
    let skipped = merged.skipped;
    let mesh = result.and_then(|()| merged.finish()).map_err(problem)?;
    let mut warnings = Vec::new();
    if skipped > 0 {
        let message =
            format!("left out: {}, of points, or of lines next to triangles", counted(skipped, "primitive"));
        warnings.push(Diagnostic::warning(&UNSUPPORTED, message).label(place, ""));
    }
    warnings.extend(texture(&root).map(|note| note.label(place, "")));
    Ok((mesh, warnings))
}

/// A note about the first texture of the materials.
fn texture(root: &Root) -> Option<Diagnostic> {
    let mut materials = root.materials.iter().map(|material| &material.pbr_metallic_roughness);
    let texture = materials.find_map(|material| material.base_color_texture.as_ref())?;
    let note =
        Diagnostic::new(Severity::Note, &MATERIAL, "the base colour texture of its material is not read");
    let image = root.textures.get(texture.index.value()).map(|texture| texture.source.value());
    let uri =
        image.and_then(|image| root.images.get(image)?.uri.as_ref()).filter(|uri| !uri.starts_with("data:"));
    Some(match uri {
        Some(uri) => note.help(format!(
            "give it to the draw: `[texture.NAME]` with `file = \"{uri}\"`, and `textures = [\"NAME\"]`"
        )),
        None => note.help("it is inside the file: save it as PNG or JPEG, and give that as `[texture.NAME]`"),
    })
}

/// Extensions without which the vertices cannot be read.
const COMPRESSIONS: [&str; 2] = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];

/// The most memory that the parts of a JSON text take once they are read: each object becomes a structure of some hundred
/// bytes, each item of a list at most a few words.
fn tree_bytes(text: &[u8]) -> u64 {
    let part = |byte: &u8| match byte {
        b'{' => 512,
        b',' => 64,
        _ => 1,
    };
    text.iter().map(part).sum()
}

enum Failure {
    Broken(String),
    Mesh(MeshError),
    Refused(Refusal),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Broken(message)
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Failure {
        Failure::Mesh(error)
    }
}

struct Merged<'a> {
    data: Data<'a>,
    parts: Vec<Mesh>,
    vertices: usize,
    indices: usize,
    skipped: usize,
}

impl Merged<'_> {
    /// All nodes of the file's scene. Each node is visited once at most: a file whose nodes are their own grandchildren
    /// is not a tree, and is read as far as it is one.
    fn scene(&mut self) -> Result<(), Failure> {
        let root = self.data.root;
        let scene = root.scenes.get(root.scene.map_or(0, |scene| scene.value()));
        let Some(scene) = scene else {
            // A library of meshes.
            return (0..root.meshes.len()).try_for_each(|mesh| self.mesh(mesh, Matrix::IDENTITY));
        };
        let mut seen = vec![false; root.nodes.len()];
        let mut open: Vec<(usize, Matrix)> =
            scene.nodes.iter().rev().map(|node| (node.value(), Matrix::IDENTITY)).collect();
        while let Some((index, parent)) = open.pop() {
            self.data.budget.spend(Resource::Nodes, 1)?;
            let node = root.nodes.get(index).ok_or_else(|| format!("there is no node {index}"))?;
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let matrix = parent * local(node);
            if let Some(mesh) = node.mesh {
                self.mesh(mesh.value(), matrix)?;
            }
            open.extend(node.children.iter().flatten().rev().map(|child| (child.value(), matrix)));
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, matrix: Matrix) -> Result<(), Failure> {
        let root = self.data.root;
        let mesh = root.meshes.get(index).ok_or_else(|| format!("there is no mesh {index}"))?;
        mesh.primitives.iter().try_for_each(|primitive| self.primitive(primitive, matrix))
    }

    fn primitive(&mut self, primitive: &Primitive, matrix: Matrix) -> Result<(), Failure> {
        let Checked::Valid(mode) = primitive.mode else {
            return Err("a primitive has an unknown mode".to_owned().into());
        };
        let budget = self.data.budget;
        budget.spend(Resource::Nodes, 1)?;
        // What is not drawn need not be read.
        if mode == Mode::Points {
            self.skipped += 1;
            return Ok(());
        }
        let attribute = |semantic: Semantic, components: &[usize]| {
            let accessor = primitive.attributes.get(&Checked::Valid(semantic));
            accessor.map(|&accessor| self.data.attribute(accessor, components)).transpose()
        };
        let Some(mut positions) = attribute(Semantic::Positions, &[3])? else { return Ok(()) };
        let order = match primitive.indices {
            Some(accessor) => self.data.indices(accessor)?,
            None => memory::collect(positions.len(), 0..positions.len() as u32)?,
        };
        let (indices, topology) = listed(mode, &order, mirrors(&matrix), budget)?;
        self.vertices += positions.len();
        self.indices += indices.len();
        if self.vertices > MAX_VERTICES || self.indices > MAX_INDICES {
            return Err(MeshError::TooLarge { vertices: self.vertices, indices: self.indices }.into());
        }
        budget.spend(Resource::Vertices, positions.len() as u64)?;
        budget.spend(
            Resource::Memory,
            mesh_bytes(positions.len() as u64, MOST_ATTRIBUTES, indices.len() as u64),
        )?;
        for place in &mut positions {
            *place = position(matrix.point(xyz(place)));
        }
        let mut mesh = Mesh::new(positions, indices, topology)?;
        if let Some(mut normals) = attribute(Semantic::Normals, &[3])? {
            let matrix = matrix.normal();
            for normal in &mut normals {
                *normal = direction(matrix.direction(xyz(normal)), xyz(normal));
            }
            mesh = mesh.with("normal", normals)?;
        }
        if let Some(mut tangents) = attribute(Semantic::Tangents, &[4])? {
            for tangent in &mut tangents {
                let [x, y, z, _] = direction(matrix.direction(xyz(tangent)), xyz(tangent));
                *tangent = [x, y, z, tangent[3]];
            }
            mesh = mesh.with("tangent", tangents)?;
        }
        let color = self.base_color(primitive);
        let colors = attribute(Semantic::Colors(0), &[3, 4])?;
        let mut colors = colors.map_or_else(|| memory::filled([1.0; 4], mesh.vertex_count()), Ok)?;
        for one in &mut colors {
            *one = [0, 1, 2, 3].map(|component| one[component] * color[component]);
        }
        mesh = mesh.with("color", colors)?;
        for (name, semantic, components) in [
            ("texcoord", Semantic::TexCoords(0), 2),
            ("joints", Semantic::Joints(0), 4),
            ("weights", Semantic::Weights(0), 4),
        ] {
            if let Some(values) = attribute(semantic, &[components])? {
                mesh = mesh.with(name, values)?;
            }
        }
        self.parts.push(mesh.complete()?);
        Ok(())
    }

    fn base_color(&self, primitive: &Primitive) -> [f32; 4] {
        let material = primitive.material.and_then(|material| self.data.root.materials.get(material.value()));
        material.map_or([1.0; 4], |material| material.pbr_metallic_roughness.base_color_factor.0)
    }

    /// All parts as one. An attribute that only some of them have is zero in the others. If there are triangles, lines
    /// are left out.
    fn finish(mut self) -> Result<Mesh, Failure> {
        // All of it once more.
        let (vertices, order) = (self.vertices as u64, self.indices as u64);
        self.data.budget.ask(Resource::Memory, mesh_bytes(vertices, MOST_ATTRIBUTES, order))?;
        let has_triangles = self.parts.iter().any(|part| !part.topology.is_lines());
        self.parts.retain(|part| !has_triangles || !part.topology.is_lines());
        let mut names: Vec<String> = Vec::new();
        for name in self.parts.iter().flat_map(Mesh::names) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let mut indices = memory::room(self.parts.iter().map(|part| part.indices.len()).sum())?;
        let mut first = 0;
        for part in &self.parts {
            indices.extend(part.indices.iter().map(|index| index + first));
            first += part.vertices as u32;
        }
        let values = |name: &str| -> Result<Vec<[f32; 4]>, Refusal> {
            let mut all = memory::room(first as usize)?;
            for part in &self.parts {
                match part.attribute(name) {
                    Some(values) => all.extend(values.iter()),
                    None => all.resize(all.len() + part.vertices, [0.0; 4]),
                }
            }
            Ok(all)
        };
        let topology = if has_triangles { Topology::TriangleList } else { Topology::LineList };
        let mut mesh = Mesh::new(values("position")?, indices, topology)?;
        for name in names.iter().filter(|name| *name != "position") {
            mesh = mesh.with(name, values(name)?)?;
        }
        Ok(mesh)
    }
}

fn xyz(&[x, y, z, _]: &[f32; 4]) -> Vector {
    [x, y, z].map(f64::from)
}

/// True if a matrix turns left hands into right hands, and so fronts into backs.
fn mirrors(matrix: &Matrix) -> bool {
    let [x, y, z] = [0, 1, 2].map(|i| [0, 1, 2].map(|component| matrix.0[i][component]));
    dot(cross(x, y), z) < 0.0
}

/// A node's own matrix.
fn local(node: &Node) -> Matrix {
    if let Some(m) = node.matrix {
        return Matrix([0, 1, 2, 3].map(|column| [0, 1, 2, 3].map(|row| f64::from(m[column * 4 + row]))));
    }
    let translation = Matrix::translate(node.translation.unwrap_or_default().map(f64::from));
    let [x, y, z, w] = node.rotation.unwrap_or_default().0.map(f64::from);
    let rotation = Matrix([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w), 0.0],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w), 0.0],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y), 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]);
    translation * rotation * Matrix::scale(node.scale.unwrap_or([1.0; 3]).map(f64::from))
}

/// The attributes that a primitive has at most.
const MOST_ATTRIBUTES: u64 = 7;

/// Primitives of any mode as a list; of points there are none.
fn listed(
    mode: Mode,
    order: &[u32],
    mirrored: bool,
    budget: &Budget,
) -> Result<(Vec<u32>, Topology), Refusal> {
    // Of a strip, a fan or a loop each vertex becomes three at most.
    let most = match mode {
        Mode::Points => 0,
        Mode::Lines | Mode::Triangles => order.len(),
        Mode::LineStrip | Mode::LineLoop => order.len() * 2,
        Mode::TriangleStrip | Mode::TriangleFan => order.len() * 3,
    };
    let mut indices = budget.room(most)?;
    match mode {
        Mode::Points => {}
        Mode::Lines | Mode::Triangles => indices.extend_from_slice(order),
        Mode::LineStrip | Mode::LineLoop => {
            indices.extend(order.windows(2).flatten());
            let closing = order.last().into_iter().chain(order.first());
            indices.extend(closing.filter(|_| mode == Mode::LineLoop));
        }
        Mode::TriangleStrip => {
            let turned = |(i, corners): (usize, &[u32])| match i % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[0], corners[2], corners[1]],
            };
            indices.extend(order.windows(3).enumerate().flat_map(turned));
        }
        Mode::TriangleFan => {
            if let [first, rest @ ..] = order {
                indices.extend(rest.windows(2).flat_map(|pair| [*first, pair[0], pair[1]]));
            }
        }
    }
    if matches!(mode, Mode::Lines | Mode::LineStrip | Mode::LineLoop) {
        return Ok((indices, Topology::LineList));
    }
    if mirrored {
        for [_, b, c] in indices.as_chunks_mut::<3>().0 {
            std::mem::swap(b, c);
        }
    }
    Ok((indices, Topology::TriangleList))
}

#[cfg(test)]
mod tests;
