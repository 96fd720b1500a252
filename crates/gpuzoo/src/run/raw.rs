//! Vertices as raw bytes, and the layout that says how they are read.

use super::{Vertices, file};
use crate::codes::BAD_ARGUMENT;
use gpuzoo_diag::{Diagnostic, File, Span, has_errors, suggest};
use gpuzoo_isa::{FileKind, list};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::layout::{Attribute, Layout};

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

/// A vertex buffer, checked against its layout. `span` is where the layout, or the buffer, comes from.
pub fn vertices(
    gpu: &dyn ShaderUnit,
    layout: Layout,
    bytes: Vec<u8>,
    span: Span,
) -> (Option<Vertices<'static>>, Vec<Diagnostic>) {
    let inputs = file(gpu.isa(), |kind| kind == FileKind::Input).map_or(0, |(_, file)| file.count);
    let problems = layout.check(inputs, bytes.len(), span);
    let vertices = (!has_errors(&problems))
        .then(|| Vertices::Buffer { layout: gpu.complete_layout(layout), bytes: bytes.into() });
    (vertices, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;

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
        let (vertices, problems) = vertices(unit(), layout, vec![0; 16], Span::default());
        assert!(vertices.is_none());
        assert_eq!(problems[0].code.id, "R0204");
    }
}
