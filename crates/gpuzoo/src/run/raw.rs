//! Vertices as raw bytes, and the layout that says how they are read.

use super::registers::file;
use crate::codes::{BAD_ARGUMENT, NPY_HEADER};
use gpuzoo_diag::{Diagnostic, File, Span, suggest};
use gpuzoo_isa::{FileKind, list};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::unit::layout::{Attribute, Layout};

/// Reads a layout: `0:0:Float4,1:16:Float2` are inputs, offsets in bytes, and formats. Without a stride vertices
/// follow each other closely.
///
/// # Errors
/// `G0108`, with a span of `text`.
pub fn layout(gpu: &dyn ShaderUnit, text: &File, stride: Option<u32>) -> Result<Layout, Diagnostic> {
    let formats = gpu.about().vertex_formats;
    let mut attributes = Vec::new();
    let mut at = 0;
    for part in text.text().split(',') {
        let span = text.span(at..at + part.len());
        at += part.len() + 1;
        let fields: Vec<&str> = part.trim().split(':').collect();
        let [input, offset, name] = fields[..] else {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{part}` is not INPUT:OFFSET:FORMAT"));
            return Err(problem.label(span, "").help("for example `0:0:Float4,1:16:Float2`"));
        };
        let (Ok(input), Ok(offset)) = (input.parse(), offset.parse()) else {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "input and offset are numbers");
            return Err(problem.label(span, "").help("for example `0:0:Float4,1:16:Float2`"));
        };
        let Some(format) = formats.iter().find(|format| format.name.eq_ignore_ascii_case(name)) else {
            let names = || formats.iter().map(|format| format.name);
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("there is no vertex format `{name}`"));
            let problem = problem.label(span, "").help(format!("formats are {}", list(names())));
            return Err(match suggest::nearest(name, names()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        attributes.push(Attribute { input, offset, format });
    }
    let end = |attribute: &Attribute| attribute.offset.saturating_add(attribute.format.bytes);
    let closely = attributes.iter().map(end).max().unwrap_or(0);
    Ok(Layout { stride: stride.unwrap_or(closely), attributes })
}

/// The layout of rows of `columns` floats: those of the first input, four of them, then those of the next one.
///
/// # Errors
/// `G0226`, with this span, if the machine has not so many inputs, or no such vertex format.
pub fn rows(gpu: &dyn ShaderUnit, columns: u32, span: Span) -> Result<Layout, Diagnostic> {
    let count = file(gpu.isa(), |kind| kind == FileKind::Input).map_or(0, |(_, file)| file.count);
    let attribute = |input: u32| {
        let name = format!("float{}", (columns - 4 * input).min(4));
        let mut formats = gpu.about().vertex_formats.iter();
        let format = formats.find(|format| format.name.eq_ignore_ascii_case(&name))?;
        let input = u16::try_from(input).ok().filter(|input| *input < count)?;
        Some(Attribute { input, offset: 16 * u32::from(input), format })
    };
    let attributes = (0..columns.div_ceil(4)).map(attribute).collect::<Option<Vec<_>>>();
    let attributes = attributes.ok_or_else(|| {
        let message = format!("a row of {columns} columns has more than the {count} inputs");
        let problem = Diagnostic::error(&NPY_HEADER, message).label(span, "");
        problem.help("each four columns are an input; `--layout` says otherwise: `0:0:FLOAT3,1:12:FLOAT2`")
    })?;
    Ok(Layout { stride: 4 * columns, attributes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use crate::run::Pieces;
    use gpuzoo_diag::Sources;

    fn read(text: &str, stride: Option<u32>) -> Result<Layout, Diagnostic> {
        layout(unit(), &File::new("--layout", text), stride)
    }

    #[test]
    fn layouts_are_read() {
        let layout = read("0:0:Float4, 1:16:float2", None).unwrap();
        assert_eq!(layout.stride, 24);
        assert_eq!((layout.attributes[1].input, layout.attributes[1].offset), (1, 16));
        assert_eq!(layout.attributes[1].format.name, "Float2");
        assert_eq!(read("0:0:Float4", Some(32)).unwrap().stride, 32);
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, at) in
            [("", 0), ("0:0", 0), ("0:0:Float4,x:1:Float1", 11), ("0:0:Float5", 0), ("0:-1:Float1", 0)]
        {
            let problem = read(text, None).unwrap_err();
            assert_eq!((problem.code.id, problem.span().unwrap().start), ("G0108", at), "{text}");
        }
        let layout = read("9:0:Float4", None).unwrap();
        let mut pieces = Pieces::raw(unit(), layout, Span::default(), &[0; 16][..], None);
        let (vertices, problems) = pieces.next(&mut Sources::default()).unwrap().unwrap();
        assert_eq!((vertices.count(), problems[0].code.id), (0, "R0204"));
    }
}
