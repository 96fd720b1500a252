//! Outputs as text: a table for people, CSV, JSON.

use crate::value;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::COMPONENTS;
use std::fmt::Write;

/// How outputs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Columns for people: a line for each output of each vertex.
    Table,
    /// A line for each vertex, a column for each component.
    Csv,
    /// A list of records, a line each. What JSON has no number for is in quotes.
    Json,
}

/// The longest text of a component: `-1.1754944e-38`.
const WIDTH: usize = 14;

/// Writes outputs piece by piece, so that millions of vertices need no more memory than one.
///
/// ```
/// use gpuzoo::run::output::{Format, Printer};
/// let printer = Printer { format: Format::Csv, bits: false, kills: false, names: &["pos".to_owned()] };
/// let mut text = String::new();
/// printer.begin(&mut text);
/// printer.vertex(0, Some(&[[0x3f800000, 0, 0x7fc00000, 0x3dcccccd]]), &mut text);
/// printer.end(&mut text);
/// assert_eq!(text, "vertex,pos.x,pos.y,pos.z,pos.w\n0,1,0,nan,0.1\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// The form.
    pub format: Format,
    /// Bit patterns in place of numbers.
    pub bits: bool,
    /// True if vertices may be killed, which a table of CSV has a column for.
    pub kills: bool,
    /// The outputs' names.
    pub names: &'a [String],
}

impl Printer<'_> {
    /// What comes before the first vertex.
    pub fn begin(&self, out: &mut String) {
        match self.format {
            Format::Table => {
                let _ = write!(out, "{:>7}  {:<6}", "vertex", "output");
                for component in COMPONENTS {
                    let _ = write!(out, " {component:>WIDTH$}");
                }
                out.push('\n');
            }
            Format::Csv => {
                out.push_str(if self.kills { "vertex,killed" } else { "vertex" });
                for name in self.names {
                    for component in COMPONENTS {
                        let _ = write!(out, ",{name}.{component}");
                    }
                }
                out.push('\n');
            }
            Format::Json => out.push('['),
        }
    }

    /// The outputs of a vertex, in the order of the names, or that it was killed. The first vertex printed must be
    /// vertex 0.
    pub fn vertex(&self, vertex: usize, outputs: Option<&[Vec4]>, out: &mut String) {
        let killed = outputs.is_none();
        let outputs = self.names.iter().zip(outputs.unwrap_or_default());
        match self.format {
            Format::Table if killed => {
                let _ = writeln!(out, "{vertex:>7}  killed");
            }
            Format::Table => {
                for (index, (name, components)) in outputs.enumerate() {
                    let number = if index == 0 { vertex.to_string() } else { String::new() };
                    let _ = write!(out, "{number:>7}  {name:<6}");
                    for component in components {
                        let _ = write!(out, " {:>WIDTH$}", self.component(*component));
                    }
                    out.push('\n');
                }
            }
            Format::Csv => {
                let _ = write!(out, "{vertex}");
                if self.kills {
                    out.push_str(if killed { ",1" } else { ",0" });
                }
                if killed {
                    out.push_str(&",".repeat(self.names.len() * COMPONENTS.len()));
                }
                for (_, components) in outputs {
                    for component in components {
                        out.push(',');
                        self.push(*component, out);
                    }
                }
                out.push('\n');
            }
            Format::Json => {
                out.push_str(if vertex == 0 { "\n" } else { ",\n" });
                let _ = write!(out, "{{\"vertex\":{vertex}");
                if killed {
                    out.push_str(",\"killed\":true");
                }
                for (name, components) in outputs {
                    let components = components.map(|component| self.json_component(component));
                    let _ = write!(out, ",\"{name}\":[{}]", components.join(","));
                }
                out.push('}');
            }
        }
    }

    /// What comes after the last vertex.
    pub fn end(&self, out: &mut String) {
        if self.format == Format::Json {
            out.push_str("\n]\n");
        }
    }

    /// The constants that a program without outputs leaves, in a form that is read as constants again.
    ///
    /// ```
    /// use gpuzoo::run::output::{Format, Printer};
    /// let printer = Printer { format: Format::Csv, bits: false, kills: false, names: &[] };
    /// assert_eq!(printer.constants([("c5".to_owned(), [0x3f800000, 0, 0, 0])]), "name,x,y,z,w\nc5,1,0,0,0\n");
    /// ```
    pub fn constants(&self, constants: impl IntoIterator<Item = (String, Vec4)>) -> String {
        let constants = constants.into_iter();
        match self.format {
            Format::Table => {
                let row = |name: &str, components: [String; 4]| {
                    let components = components.map(|component| format!(" {component:>WIDTH$}"));
                    format!("{name:<8}{}\n", components.concat())
                };
                let header = row("constant", COMPONENTS.map(String::from));
                constants.fold(header, |text, (name, components)| {
                    text + &row(&name, components.map(|component| self.component(component)))
                })
            }
            Format::Csv => constants.fold("name,x,y,z,w\n".to_owned(), |text, (name, components)| {
                text + &format!(
                    "{name},{}\n",
                    components.map(|component| self.component(component)).join(",")
                )
            }),
            Format::Json => {
                let each = |(name, components): (String, Vec4)| {
                    format!(
                        "\"{name}\":[{}]",
                        components.map(|component| self.json_component(component)).join(",")
                    )
                };
                format!("{{\n{}\n}}\n", constants.map(each).collect::<Vec<_>>().join(",\n"))
            }
        }
    }

    fn component(&self, bits: u32) -> String {
        let mut text = String::new();
        self.push(bits, &mut text);
        text
    }

    fn push(&self, bits: u32, out: &mut String) {
        if self.bits { out.push_str(&value::pattern(bits)) } else { value::push(bits, out) }
    }

    fn json_component(&self, bits: u32) -> String {
        if self.bits || !f32::from_bits(bits).is_finite() {
            format!("\"{}\"", self.component(bits))
        } else {
            self.component(bits)
        }
    }
}
