//! From a mesh to a vertex buffer: which attribute goes to which input, in which format, and where in a vertex.

use crate::expr::Time;
use crate::fields::{self, Fields};
use crate::mesh::{self, Mesh, TOO_LARGE};
use crate::transform::at;
use crate::weld::{Welded, weld};
use gpuzoo_diag::{Diagnostic, File, Span, has_errors, suggest};
use gpuzoo_isa::{FileKind, list};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::options::settings::{Setting, Table, Value, choose, wrong_type};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat};

gpuzoo_diag::codes! {
    NO_SUCH_INPUT = "R0309", "no such input",
        "The machine has no vertex input of this name. Inputs are called as in its documentation (`in0`), or by their \
         numbers.";
    NO_ATTRIBUTE = "R0310", "attribute that the mesh lacks",
        "Every mesh has `position`, `normal`, `texcoord` and `color`; files may bring more. An input for which the \
         mesh has nothing can be given a fixed `value`.";
    NO_FORMAT = "R0311", "input without a format",
        "The machine has no usual format for this input, so it must be said: `{ attribute = \"normal\", format = … }`.";
    LOST = "R0325", "usual format that does not store all of an attribute",
        "An input whose `format` is not given has the one that the machine's own layout has for it, and that one has no room for a \
         component which vertices of the mesh have: a colour in two floats has no blue. Say a `format` that has room, or \
         the usual one if the rest is not wanted.";
}

/// The largest vertex buffer as a machine reads it, in which each use of a vertex counts: 1 GiB.
pub const MAX_BUFFER: usize = 1 << 30;

/// Vertices and how they are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vertices {
    pub welded: Welded,
    pub layout: Layout,
    /// Where each attribute of the layout is said.
    pub places: Vec<Span>,
}

/// What fills an input.
enum Source<'m> {
    Attribute(&'m mesh::Attribute),
    Value([f32; 4]),
}

/// Reads a table `{ in0 = "position", in1 = { attribute, format, offset }, stride }` and builds the buffer, in
/// which every vertex is once.
pub(crate) fn read(
    gpu: &dyn ShaderUnit,
    table: &Table,
    mesh: &Mesh,
    file: &File,
    budget: &Budget,
    problems: &mut Vec<Diagnostic>,
) -> Option<Vertices> {
    let before = problems.len();
    let mut reader = Reader { gpu, usual: gpu.default_layout(), mesh, file, problems, end: 0 };
    let (mut sources, mut places) = (Vec::new(), Vec::new());
    let mut layout = Layout::default();
    let mut stride = None;
    for (key, key_span, setting) in &table.entries {
        if key == "stride" {
            stride = reader.stride(setting);
        } else if let Some((attribute, source)) = reader.input(key, *key_span, setting) {
            layout.attributes.push(attribute);
            sources.push(source);
            places.push(*key_span);
        }
    }
    layout.stride = stride.unwrap_or(reader.end);
    if has_errors(&problems[before..]) {
        return None;
    }
    // Machines read vertices one after the other, so that on them every index is a vertex.
    let bytes = mesh.indices().len().saturating_mul(layout.stride as usize);
    problems.extend(layout.check(input_count(gpu), bytes, table.span));
    if bytes > MAX_BUFFER {
        let message = format!("the vertex buffer has {bytes} bytes, more than {MAX_BUFFER}");
        problems.push(Diagnostic::error(&TOO_LARGE, message).label(table.span, ""));
    }
    if has_errors(&problems[before..]) {
        return None;
    }
    let stride = layout.stride as usize;
    // Vertices that are used once, and the order of use; while they are welded, both twice.
    let written = mesh.vertex_count().min(mesh.indices().len()).saturating_mul(stride);
    let taken = (written.saturating_add(mesh.indices().len().saturating_mul(4))) as u64;
    let spent = budget.spend(Resource::Memory, taken).and_then(|()| budget.ask(Resource::Memory, taken));
    if let Err(refusal) = spent {
        problems.push(refusal.at(table.span));
        return None;
    }
    let write = |vertex: u32, row: &mut [u8]| write(&layout, &sources, vertex, row);
    let welded = weld(mesh.indices(), mesh.vertex_count(), stride, write);
    let alone = |welded: Welded| match reads_within(gpu, &layout) {
        true => Ok(welded),
        false => welded.written_out(stride),
    };
    let welded = welded.and_then(alone).map_err(|refusal| problems.push(refusal.at(table.span))).ok()?;
    Some(Vertices { welded, layout, places })
}

/// How many inputs the machine has.
fn input_count(gpu: &dyn ShaderUnit) -> u16 {
    let inputs = gpu.isa().files.iter().filter(|file| file.kind == FileKind::Input);
    inputs.map(|file| file.count).max().unwrap_or(0)
}

/// True if a machine reads no byte beyond the vertex, so that nothing but its own bytes makes a difference.
fn reads_within(gpu: &dyn ShaderUnit, layout: &Layout) -> bool {
    let end = |attribute: &Attribute| u64::from(attribute.offset) + u64::from(attribute.format.bytes);
    let read = gpu.complete_layout(layout.clone());
    read.attributes.iter().all(|attribute| end(attribute) <= u64::from(read.stride))
}

fn write(layout: &Layout, sources: &[Source], vertex: u32, row: &mut [u8]) {
    for (attribute, source) in layout.attributes.iter().zip(sources) {
        let value = match source {
            Source::Attribute(values) => values.get(vertex as usize),
            Source::Value(value) => *value,
        };
        let (offset, size) = (attribute.offset as usize, attribute.format.bytes as usize);
        row[offset..offset + size].copy_from_slice(&(attribute.format.encode)(value)[..size]);
    }
}

/// True if a format keeps all of an attribute of a mesh, whose name stands in quotes: the components that it has, whatever
/// they are.
fn keeps(format: &VertexFormat, attribute: &str) -> bool {
    let components = match attribute.trim_matches('"') {
        "position" | "normal" => 3,
        "texcoord" => 2,
        _ => 4,
    };
    let any = [0.1, -1234.5, 7e8, 3e-9];
    let decoded = (format.decode)(&(format.encode)(any)[..format.bytes as usize]);
    any.map(f32::to_bits)[..components] == decoded[..components]
}

/// The components that some vertex has and a format does not store. What w is without being stored is the machine's habit.
fn lost(format: &VertexFormat, values: &mesh::Attribute) -> String {
    let stored = |value: f32| (format.decode)(&(format.encode)([value; 4])[..format.bytes as usize]);
    // What comes back the same whatever went in is not stored.
    let (zeros, ones) = (stored(0.0), stored(1.0));
    let is_lost = |at: usize| {
        zeros[at] == ones[at] && values.iter().any(|value| value[at] != f32::from_bits(zeros[at]))
    };
    "xyz".char_indices().filter(|(at, _)| is_lost(*at)).map(|(_, letter)| letter).collect()
}

struct Reader<'a, 'p> {
    gpu: &'a dyn ShaderUnit,
    usual: Layout,
    mesh: &'a Mesh,
    file: &'a File,
    problems: &'p mut Vec<Diagnostic>,
    /// Where the next attribute begins if nothing else is said.
    end: u32,
}

impl<'a> Reader<'a, '_> {
    fn stride(&mut self, setting: &Setting) -> Option<u32> {
        if let Value::Int(int) = setting.value
            && let Ok(stride) = u32::try_from(int)
        {
            return Some(stride);
        }
        self.problems.push(wrong_type("stride", "a number of bytes", setting));
        None
    }

    fn input(&mut self, key: &str, key_span: Span, setting: &Setting) -> Option<(Attribute, Source<'a>)> {
        let input = self.number(key, key_span)?;
        let mut offset = None;
        let mut format = None;
        let source = match &setting.value {
            Value::Text(name) => self.attribute(name, setting.span),
            Value::Table(table) => {
                let mut value = None;
                let mut fields = Fields::new(table, self.file, self.problems);
                let name = fields.text("attribute");
                let name_span = fields.span("attribute");
                if name.is_none()
                    && let Some(setting) = fields.setting("value")
                {
                    value = Some(fields::vector::<4>(self.file, "value", setting));
                } else if name.is_none() {
                    fields.require("attribute", "name an attribute of the mesh, or give a fixed `value`");
                }
                offset = fields.int("offset", 0, i64::from(u32::MAX) / 2).map(|int| int as u32);
                if let Some(text) = fields.text("format") {
                    let known: Vec<_> =
                        self.gpu.about().vertex_formats.iter().map(|format| (format.name, format)).collect();
                    match choose("format", text, fields.span("format"), &known) {
                        Ok(known) => format = Some(known),
                        Err(problem) => {
                            fields.report(problem);
                            return None;
                        }
                    }
                }
                fields.finish();
                match (name, value) {
                    (Some(name), _) => self.attribute(name, name_span),
                    (None, Some(Ok(value))) => {
                        Some(Source::Value(at(&value, Time::default()).map(|component| component as f32)))
                    }
                    (None, Some(Err(problem))) => {
                        self.problems.push(problem);
                        None
                    }
                    (None, None) => None,
                }
            }
            _ => {
                self.problems.push(wrong_type(key, "the name of an attribute, or a table", setting));
                None
            }
        }?;
        let format = match format {
            Some(format) => format,
            None => {
                let usual = self.usual_format(input, key, setting.span)?;
                if let Source::Attribute(values) = source {
                    self.report_lost(usual, values, key, setting.span);
                }
                usual
            }
        };
        let offset = offset.unwrap_or(self.end);
        self.end = self.end.max(offset.saturating_add(format.bytes));
        Some((Attribute { input, offset, format }, source))
    }

    /// The input of `in3` or `3`.
    fn number(&mut self, key: &str, span: Span) -> Option<u16> {
        let isa = self.gpu.isa();
        // Not `isa.reg`: an input may share its name with a register that programs write, too.
        let mut inputs = isa.regs(|kind| kind == FileKind::Input);
        let reg = inputs.find(|reg| isa.reg_name(*reg) == key);
        let input = reg.map(|reg| reg.index).or_else(|| key.parse().ok());
        if input.is_none() {
            let problem =
                Diagnostic::error(&NO_SUCH_INPUT, format!("there is no input `{key}`")).label(span, "");
            let names =
                isa.regs(|kind| kind == FileKind::Input).map(|reg| isa.reg_name(reg)).collect::<Vec<_>>();
            let names = list(names.iter().map(String::as_str));
            self.problems.push(problem.help(format!("inputs are {names}; `stride` is the size of a vertex")));
        }
        input
    }

    fn attribute(&mut self, name: &str, span: Span) -> Option<Source<'a>> {
        let values = self.mesh.attribute(name);
        if values.is_none() {
            let problem =
                Diagnostic::error(&NO_ATTRIBUTE, format!("the mesh has no `{name}`")).label(span, "");
            let problem = match suggest::nearest(name, self.mesh.names()) {
                Some(near) => problem.did_you_mean(near, span, format!("\"{near}\"")),
                None => problem.help(format!("it has {}", list(self.mesh.names()))),
            };
            self.problems.push(problem);
        }
        values.map(Source::Attribute)
    }

    /// Reports components that vertices have and a format does not store.
    fn report_lost(&mut self, format: &VertexFormat, values: &mesh::Attribute, key: &str, span: Span) {
        let lost = lost(format, values);
        if lost.is_empty() {
            return;
        }
        let message =
            format!("`{}`, the usual format of `{key}`, has no room for {lost} of this", format.name);
        let problem = Diagnostic::warning(&LOST, message).label(span, "");
        let formats = self.gpu.about().vertex_formats.iter();
        let enough = formats.filter(|format| self::lost(format, values).is_empty()).map(|format| format.name);
        self.problems.push(problem.help(format!("give a `format`; all of it goes into {}", list(enough))));
    }

    /// The format that the machine's own layout has for an input.
    fn usual_format(&mut self, input: u16, key: &str, span: Span) -> Option<&'static VertexFormat> {
        let usual = self.usual.attributes.iter().find(|attribute| attribute.input == input);
        if usual.is_none() {
            let problem = Diagnostic::error(&NO_FORMAT, format!("`{key}` needs a format")).label(span, "");
            let formats = self.gpu.about().vertex_formats;
            let names = list(formats.iter().map(|format| format.name));
            let problem = problem.help(format!("formats are {names}"));
            let named = &self.file.text()[span.start as usize..span.end as usize];
            let enough =
                formats.iter().filter(|format| keeps(format, named)).min_by_key(|format| format.bytes);
            self.problems.push(match enough.filter(|_| named.starts_with('"')) {
                Some(enough) => {
                    let written = format!("{{ attribute = {named}, format = \"{}\" }}", enough.name);
                    problem.guess("say it, for example", span, written)
                }
                None => problem,
            });
        }
        usual.map(|attribute| attribute.format)
    }
}
