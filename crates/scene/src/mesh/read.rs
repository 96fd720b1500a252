//! Meshes as a scene writes them.

use super::{
    BAD_INDEX, BAD_OBJ, Mesh, MeshError, NOT_FINITE, check_size, gltf, mesh_bytes, obj, shapes, teapot,
};
use crate::fields::{Fields, color};
use gpuzoo_diag::{Diagnostic, MAX_SOURCE_BYTES, Sources, Span, counted};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::limits::memory;
use gpuzoo_machine::options::settings::{Setting, Table, Value, choose, number, wrong_type};
use gpuzoo_raster::Topology;
use std::io;
use std::path::Path;

gpuzoo_diag::codes! {
    NO_MESH = "R0410", "mesh of nothing",
        "A mesh is made of one thing: a `file` (glTF, GLB or OBJ), a `shape`, or its own lists with at least \
         `position`.";
}

/// What reading a mesh needs besides its table.
pub(crate) struct Context<'a> {
    /// The scene file.
    pub file: &'a gpuzoo_diag::File,
    /// Where the scene file lies.
    pub folder: &'a Path,
    /// Reads a file.
    pub read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
    /// Texts that errors point into.
    pub sources: &'a mut Sources,
    /// What it may use.
    pub budget: &'a Budget,
    /// Reports a file that cannot be read.
    pub cannot_read: &'a dyn Fn(&Path, &io::Error, Span) -> Diagnostic,
}

/// Attributes that a mesh can list, with the components that are filled in.
const ATTRIBUTES: [(&str, [f32; 4]); 7] = [
    ("position", [0.0, 0.0, 0.0, 1.0]),
    ("normal", [0.0; 4]),
    ("texcoord", [0.0, 0.0, 0.0, 1.0]),
    ("color", [0.0, 0.0, 0.0, 1.0]),
    ("tangent", [0.0, 0.0, 0.0, 1.0]),
    ("joints", [0.0; 4]),
    ("weights", [0.0; 4]),
];

const TOPOLOGIES: [(&str, Topology); 4] = [
    ("triangles", Topology::TriangleList),
    ("triangle_strip", Topology::TriangleStrip),
    ("lines", Topology::LineList),
    ("line_strip", Topology::LineStrip),
];

#[derive(Clone, Copy)]
enum Shape {
    Teapot,
    TorusKnot,
    Torus,
    Sphere,
    Cube,
    Plane,
    Heightfield,
}

const SHAPES: [(&str, Shape); 7] = [
    ("teapot", Shape::Teapot),
    ("torus_knot", Shape::TorusKnot),
    ("torus", Shape::Torus),
    ("sphere", Shape::Sphere),
    ("cube", Shape::Cube),
    ("plane", Shape::Plane),
    ("heightfield", Shape::Heightfield),
];

/// Reads a table `[mesh.NAME]`.
pub(crate) fn read(table: &Table, context: &mut Context, problems: &mut Vec<Diagnostic>) -> Option<Mesh> {
    let file = context.file;
    let mut fields = Fields::new(table, file, problems);
    let (name, shape) = (fields.text("file"), fields.choice("shape", &SHAPES));
    let (file_span, has_shape) = (fields.span("file"), fields.setting("shape").is_some());
    let inline = fields.setting("position").is_some();
    if [name.is_some(), has_shape, inline].into_iter().filter(|is| *is).count() != 1 {
        let problem = Diagnostic::error(&NO_MESH, "a mesh is made of one of `file`, `shape` and `position`");
        fields.report(problem.label(table.span, ""));
        return None;
    }
    let (fit, repeat) = (fields.positive("fit"), fields.positives("repeat"));
    // A mesh that lists its own colours is not painted.
    let paint = if inline { None } else { fields.setting("color") };
    let mesh = if inline {
        let mesh = listed(&mut fields);
        fields.finish();
        if let Ok(Some(mesh)) = &mesh {
            let (vertices, indices) = (mesh.vertex_count() as u64, mesh.indices().len() as u64);
            spend(context.budget, vertices, indices, table.span, problems)?;
        }
        mesh
    } else if let Some(name) = name {
        fields.finish();
        Ok(Some(from_file(name, file_span, context, problems)?))
    } else {
        // Which settings there are depends on the shape.
        let generator = generated(shape?, &mut fields);
        fields.finish();
        let (vertices, indices) = (generator.vertices, generator.quads * 6);
        let counts = [vertices, indices].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        // A shape that is larger than any mesh is not begun.
        check_size(counts[0], counts[1]).and_then(|()| {
            spend(context.budget, vertices, indices, table.span, problems)
                .map(|()| (generator.make)())
                .transpose()
        })
    };
    let mesh = match mesh {
        Ok(mesh) => mesh?,
        Err(error) => {
            problems.push(Diagnostic::error(error.code(), error.to_string()).label(table.span, ""));
            return None;
        }
    };
    let mesh = match fit {
        Some(size) => mesh.fit(size),
        None => mesh,
    };
    let mesh = match repeat {
        Some(times) => mesh.repeat(times),
        None => mesh,
    };
    let bad = mesh.bad_positions();
    if bad > 0 {
        let message = format!(
            "of {} {bad} {} not finite",
            counted(mesh.vertex_count(), "position"),
            if bad == 1 { "is" } else { "are" }
        );
        problems.push(Diagnostic::warning(&NOT_FINITE, message).label(table.span, "nothing is drawn there"));
    }
    match paint {
        Some(setting) => painted(mesh, setting, problems),
        None => Some(mesh),
    }
}

fn from_file(name: &str, span: Span, context: &mut Context, problems: &mut Vec<Diagnostic>) -> Option<Mesh> {
    let path = context.folder.join(name);
    let bytes = match (context.read)(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            problems.push((context.cannot_read)(&path, &error, span));
            return None;
        }
    };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let is_gltf = bytes.starts_with(b"glTF") || matches!(extension.as_deref(), Some("gltf" | "glb"));
    if is_gltf {
        // The files that it names are in its folder.
        let folder = path.parent().unwrap_or(Path::new(""));
        let read = |name: &str| (context.read)(&folder.join(name));
        let result = gltf::parse(&bytes, span, &read, context.budget);
        return match result {
            Ok((mesh, warnings)) => {
                problems.extend(warnings);
                Some(mesh)
            }
            Err(problem) => {
                problems.push(problem);
                None
            }
        };
    }
    if bytes.len() > MAX_SOURCE_BYTES {
        let message = format!("an OBJ file of {} bytes is larger than {MAX_SOURCE_BYTES}", bytes.len());
        problems.push(Diagnostic::error(&super::TOO_LARGE, message).label(span, ""));
        return None;
    }
    if bytes.contains(&0) {
        let message = format!("`{name}` is neither glTF nor an OBJ text");
        problems.push(Diagnostic::error(&BAD_OBJ, message).label(span, ""));
        return None;
    }
    // The text is kept, so that messages can show its lines.
    let kept = context.budget.spend(Resource::Memory, bytes.len() as u64);
    // Each number of a text becomes a word or several.
    let room = kept.and_then(|()| context.budget.ask(Resource::Memory, bytes.len() as u64 * OBJ_BYTES));
    room.map_err(|refusal| problems.push(refusal.at(span))).ok()?;
    // Names in old files are in old encodings; what matters is ASCII.
    let id = context.sources.add(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes));
    match obj::parse(context.sources.get(id), span) {
        Ok((mesh, notes)) => {
            problems.extend(notes);
            let (vertices, indices) = (mesh.vertex_count() as u64, mesh.indices().len() as u64);
            spend(context.budget, vertices, indices, span, problems)?;
            Some(mesh)
        }
        Err(found) => {
            problems.extend(found);
            None
        }
    }
}

/// The bytes that a mesh takes for each byte of an OBJ text while that is read.
const OBJ_BYTES: u64 = 12;

/// The attributes that every mesh has: position, normal, texture coordinates and colour.
const USUAL_ATTRIBUTES: u64 = 4;

/// Uses what a mesh takes.
fn spend(
    budget: &Budget,
    vertices: u64,
    indices: u64,
    span: Span,
    problems: &mut Vec<Diagnostic>,
) -> Option<()> {
    let bytes = mesh_bytes(vertices, USUAL_ATTRIBUTES, indices);
    let spent = budget.spend(Resource::Vertices, vertices);
    let spent = spent.and_then(|()| budget.spend(Resource::Memory, bytes));
    spent.map_err(|refusal| problems.push(refusal.at(span))).ok()
}

/// A shape that can be made, and how large it will be at most.
struct Generator {
    vertices: u64,
    quads: u64,
    make: Box<dyn FnOnce() -> Result<Mesh, MeshError>>,
}

impl Generator {
    /// Of so many nets of columns and rows.
    fn new(
        nets: u64,
        columns: u32,
        rows: u32,
        make: impl FnOnce() -> Result<Mesh, MeshError> + 'static,
    ) -> Generator {
        let (columns, rows) = (u64::from(columns), u64::from(rows));
        let (vertices, quads) = (nets * (columns + 1) * (rows + 1), nets * columns * rows);
        Generator { vertices, quads, make: Box::new(make) }
    }
}

/// The most quads on a side of a shape.
const MOST: u32 = 4096;

fn generated(shape: Shape, fields: &mut Fields) -> Generator {
    // Evaluated one after the other, since each borrows the fields.
    macro_rules! positive {
        ($key:literal, $usual:literal) => {
            fields.positive($key).unwrap_or($usual)
        };
    }
    macro_rules! count {
        ($key:literal, $usual:literal) => {
            fields.count($key, MOST).unwrap_or($usual)
        };
    }
    match shape {
        Shape::Teapot => {
            let divisions = count!("divisions", 10);
            Generator::new(32, divisions, divisions, move || teapot::teapot(divisions))
        }
        Shape::Sphere => {
            let radius = positive!("radius", 1.0);
            let (columns, rows) = (count!("columns", 48), count!("rows", 24));
            Generator::new(1, columns, rows, move || shapes::sphere(radius, columns, rows))
        }
        Shape::Cube => {
            let (size, divisions) = (positive!("size", 2.0), count!("divisions", 1));
            Generator::new(6, divisions, divisions, move || shapes::cube(size, divisions))
        }
        Shape::Torus => {
            let (radius, tube) = (positive!("radius", 1.0), positive!("tube", 0.4));
            let (columns, rows) = (count!("columns", 64), count!("rows", 32));
            Generator::new(1, columns, rows, move || shapes::torus(radius, tube, columns, rows))
        }
        Shape::TorusKnot => {
            let (p, q) = (count!("p", 2), count!("q", 3));
            let (radius, tube) = (positive!("radius", 1.0), positive!("tube", 0.25));
            let (columns, rows) = (count!("columns", 256), count!("rows", 24));
            let make = move || shapes::torus_knot(p, q, radius, tube, columns, rows);
            Generator::new(1, columns, rows, make)
        }
        Shape::Plane => {
            let size = fields.positives("size").unwrap_or([2.0, 2.0]);
            let (columns, rows) = (count!("columns", 1), count!("rows", 1));
            Generator::new(1, columns, rows, move || shapes::plane(size, columns, rows))
        }
        Shape::Heightfield => {
            let size = fields.positives("size").unwrap_or([2.0, 2.0]);
            let (height, cells) = (positive!("height", 0.5), count!("cells", 4));
            let seed = fields.int("seed", 0, u32::MAX.into()).unwrap_or(0) as u32;
            let (columns, rows) = (count!("columns", 64), count!("rows", 64));
            let make = move || shapes::heightfield(size, height, cells, seed, columns, rows);
            Generator::new(1, columns, rows, make)
        }
    }
}

/// A mesh from lists in the scene file. Without indices the vertices are used one after the other.
fn listed(fields: &mut Fields) -> Result<Option<Mesh>, MeshError> {
    // All settings are asked for before any is looked into, so that none is called unknown.
    let lists: Vec<_> =
        ATTRIBUTES.iter().filter_map(|(name, usual)| Some((*name, *usual, fields.list(name)?))).collect();
    let topology = fields.choice("topology", &TOPOLOGIES).unwrap_or(Topology::TriangleList);
    let order = fields.list("indices");

    let mut values = Vec::new();
    for (name, usual, items) in lists {
        match items.iter().map(|item| vector(name, usual, item)).collect() {
            Ok(vectors) => values.push((name, vectors)),
            Err(problem) => {
                fields.report(problem);
                return Ok(None);
            }
        }
    }
    let mut values = values.into_iter();
    let Some((_, positions)) = values.next() else { return Ok(None) };
    let positions: Vec<[f32; 4]> = positions;
    let mut indices: Vec<u32> = (0..positions.len() as u32).collect();
    if let Some(items) = order {
        indices.clear();
        for item in items {
            let Value::Int(int) = item.value else {
                fields.report(wrong_type("indices", "a list of integers", item));
                return Ok(None);
            };
            match u32::try_from(int).ok().filter(|&index| (index as usize) < positions.len()) {
                Some(index) => indices.push(index),
                None if positions.is_empty() => return Err(MeshError::Empty),
                None => {
                    let problem = Diagnostic::error(&BAD_INDEX, format!("there is no vertex {int}"));
                    let help = format!("the {} are counted from 0", counted(positions.len(), "vertex"));
                    fields.report(problem.label(item.span, "").help(help));
                    return Ok(None);
                }
            }
        }
    }
    let mut mesh = Mesh::new(positions, indices, topology)?;
    for (name, vectors) in values {
        mesh = mesh.with(name, vectors)?;
    }
    mesh.complete().map(Some)
}

/// One to four numbers.
fn vector(name: &str, usual: [f32; 4], item: &Setting) -> Result<[f32; 4], Diagnostic> {
    let wrong = || wrong_type(name, "a list of vectors, each of 1 to 4 numbers", item);
    let Value::List(numbers) = &item.value else { return Err(wrong()) };
    if !(1..=4).contains(&numbers.len()) {
        return Err(wrong());
    }
    let mut value = usual;
    for (component, item) in value.iter_mut().zip(numbers) {
        *component = number(&item.value).ok_or_else(wrong)? as f32;
    }
    Ok(value)
}

/// `color = "#ff8000"` paints everything; `"position"` and `"normal"` show a direction as red, green and blue.
fn painted(mesh: Mesh, setting: &Setting, problems: &mut Vec<Diagnostic>) -> Option<Mesh> {
    let shown = match &setting.value {
        Value::Text(name) if !name.starts_with('#') => {
            match choose("color", name, setting.span, &[("position", "position"), ("normal", "normal")]) {
                Ok(name) => mesh.attribute(name),
                Err(problem) => {
                    problems.push(problem.help("or a colour, such as \"#ff8000\" or `[1, 0.5, 0]`"));
                    return None;
                }
            }
        }
        _ => None,
    };
    let Some(values) = shown else {
        let color = color("color", setting).map_err(|problem| problems.push(problem)).ok()?;
        return Some(mesh.with_same("color", color.map(|component| component as f32)));
    };
    let half = |component: f32| component * 0.5 + 0.5;
    let colors = values.iter().map(|[x, y, z, _]| [half(x), half(y), half(z), 1.0]);
    let colors = memory::collect(values.len(), colors);
    let colors = colors.map_err(|refusal| problems.push(refusal.at(setting.span))).ok()?;
    // There is a colour for each vertex, so this does not fail.
    mesh.with("color", colors).ok()
}
