//! Reading programs: assembly text, binaries, and words written in hexadecimal or JSON.

pub(crate) mod form;
mod json;
mod words;

pub use form::Form;
pub use gpuzoo_machine::text::read as text;
pub use words::hex;

use crate::options::ReadOptions;
use crate::{Machine, Program};
use form::no_form;
use gpuzoo_diag::{Diagnostic, Diagnostics, FileId, Sources, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::codes::SOURCE_TOO_LARGE;
use gpuzoo_isa::{Constant, Mask, Reg};
use gpuzoo_machine::text::{source, utf8};
use gpuzoo_machine::{Include, Profile, ShaderUnit, TextOptions};
use std::sync::Arc;

impl Machine {
    /// From text to a program. `name` is shown in messages. Files that the text includes are not there: [`read`](Machine::read)
    /// takes a way to get them.
    ///
    /// # Errors
    /// Problems of the source.
    pub fn assemble(self, name: &str, text: &str) -> Result<Program, Diagnostics> {
        self.read(name, text.as_bytes(), &Form::Asm.into(), None)
    }

    /// From the bytes of a file to a program: assembly text, a binary, words in hexadecimal or JSON, or a source in a shading
    /// language, as `options`, the name or else the bytes say. `include` supplies included files.
    ///
    /// ```
    /// use gpuzoo::options::{PositionSpace, ReadOptions};
    /// let text = b"vs.1.1\n#include \"names.h\"\n#if FOG\nmov oFog.x, POSITION.z\n#endif\nmov oPos, POSITION\n";
    /// let include = |name: &str| match name {
    ///     "names.h" => Ok(b"#define POSITION v0\n".to_vec()),
    ///     _ => Err("there is no such file".to_owned()),
    /// };
    /// // In clip space, where this program leaves the position, nothing is added that leads to the screen.
    /// let position = Some(PositionSpace::Clip);
    /// let options = ReadOptions { position, define: vec!["FOG=1".into()], ..ReadOptions::default() };
    /// let program = gpuzoo::nv2a().read("p.vsh", text, &options, Some(&include))?;
    /// assert_eq!(program.code().slots.len(), 2);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Problems of the bytes.
    pub fn read(
        self,
        name: &str,
        bytes: &[u8],
        options: &ReadOptions,
        include: Option<&Include>,
    ) -> Result<Program, Diagnostics> {
        let form = options.form(self.gpu())?;
        options.with_text(include, Profile::default(), None, |text| self.read_with(name, bytes, form, text))
    }

    /// Reads a program with options as machines take them.
    pub(crate) fn read_with(
        self,
        name: &str,
        bytes: &[u8],
        form: Option<Form>,
        options: &TextOptions,
    ) -> Result<Program, Diagnostics> {
        let mut sources = Sources::default();
        let read = read(self.gpu(), &mut sources, name, bytes, form, options);
        let sources = Arc::new(sources);
        match read {
            Ok(program) => Ok(program.in_sources(sources)),
            Err(problems) => Err(Diagnostics::new(problems, sources)),
        }
    }

    /// From the words of a binary to a program.
    ///
    /// # Errors
    /// Problems of the words.
    pub fn load(self, words: &[u32]) -> Result<Program, Diagnostics> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.read("words", &bytes, &Form::Bin.into(), None)
    }
}

/// Reads a program in the form given or, without one, in the form that its name or else its bytes imply; a text as
/// `options` say. The file, and those that it includes, are added to `sources`.
///
/// # Errors
/// What is wrong with it, warnings included.
pub fn read(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
    form: Option<Form>,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let form = form.or_else(|| Form::of_name(gpu, name)).unwrap_or_else(|| Form::of_bytes(bytes));
    form.check(gpu, options).map_err(|problem| vec![problem])?;
    let read = in_form(gpu, sources, name, bytes, form, options);
    read.map(|program| program.leaving(options.position))
}

/// Reads a program of a known form.
fn in_form(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
    form: Form,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let binary = |sources: &mut Sources, name: &str, bytes: &[u8], constants: Vec<Constant>| {
        let file = sources.add_binary(name);
        let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let mut read = gpu.load(bytes, Span { file, start: 0, end });
        read.program.constants.extend(constants);
        Program::of(gpu, read)
    };
    if form == Form::Bin {
        return binary(sources, name, bytes, Vec::new());
    }
    if form == Form::Asm {
        let syntax = gpu.syntax(&String::from_utf8_lossy(bytes), options);
        let id = source(sources, name, bytes, syntax).map_err(|problem| vec![problem])?;
        return Program::of(gpu, gpu.assemble_in(sources, id, options));
    }
    #[cfg(feature = "language-names")]
    if let Form::Source(language) = form {
        return crate::compile::read(gpu, sources, name, bytes, language, options);
    }
    if form == Form::Log {
        let id = any_length(sources, name, bytes).map_err(|problem| vec![problem])?;
        return logged(gpu, sources, id, options);
    }
    let id = text(sources, name, bytes).map_err(|problem| vec![problem])?;
    let file = sources.get(id);
    let read = if form == Form::Hex {
        hex(file).map(|words| (words, Vec::new()))
    } else {
        json::read(gpu.isa(), file)
    };
    let (words, constants) = read.map_err(|problem| vec![problem])?;
    // Messages about the program count its bytes, as if they had been read from a binary.
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    binary(sources, &format!("the words of {name}"), &bytes, constants)
}

/// Adds a log to `sources`, which may be longer than other texts.
fn any_length(sources: &mut Sources, name: &str, bytes: &[u8]) -> Result<FileId, Diagnostic> {
    if u32::try_from(bytes.len()).is_ok() {
        return utf8(sources, name, bytes);
    }
    let file = sources.add_binary(name);
    let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the log has {} bytes", bytes.len()));
    let problem = problem.label(Span { file, start: 0, end: 0 }, "");
    Err(problem.help("a log may have up to 4 GiB: cut it behind the draw"))
}

/// The program of a draw or launch of a log, and the state that it runs with.
fn logged(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    log: FileId,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let file = sources.get(log);
    let Some(logged) = gpu.logged(file, options) else {
        return Err(vec![no_form(gpu, "log", "read", Form::of(gpu).map(|(name, ..)| name))]);
    };
    let (logged, whole) = (logged.map_err(|problem| vec![problem])?, file.whole());
    let bytes: Vec<u8> = logged.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let id = sources.add_binary(&format!("the words of {}", sources.get(log).name()));
    let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut read = gpu.load(&bytes, Span { file: id, start: 0, end });
    read.diagnostics.splice(0..0, logged.remarks.iter().cloned());
    if let Some((file, _)) = gpu.isa().constants() {
        let constant = |&(index, value): &(u16, Vec4)| Constant {
            name: None,
            reg: Reg { file, index },
            count: 1,
            mask: Mask::ALL,
            values: vec![value],
            matrix: None,
            span: whole,
        };
        read.program.constants.extend(logged.constants.iter().map(constant));
    }
    Ok(Program::of(gpu, read)?.of_log(&logged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use gpuzoo_diag::MAX_SOURCE_BYTES;

    fn words(name: &str, bytes: &[u8]) -> Result<Vec<u32>, String> {
        let options = TextOptions::default();
        let read = read(unit(), &mut Sources::default(), name, bytes, None, &options);
        read.map(|program| program.words()).map_err(|problems| {
            let at = problems[0].span().map_or(0, |at| at.start);
            format!("{}@{at}", problems[0].code.id)
        })
    }

    #[test]
    fn every_form_gives_the_same_words() {
        let expected = Ok(vec![0x440, 0x3f]);
        for (name, bytes) in [
            ("x.vu", &b"ld r1 0x1"[..]),
            ("x", b"\xef\xbb\xbfld r1 1"),
            ("x.bin", &[0x40, 4, 0, 0, 0x3f, 0, 0, 0]),
            ("x", &[0x40, 4, 0, 0, 0x3f, 0, 0, 0]),
            ("x.hex", b"440 // load\n3f"),
            ("x", b"0x00000440, 0x0000003f,"),
            ("x.json", b"[1088, 63]"),
            ("x", b"{\"words\": [\"440\", \"0x3f\"]}"),
            ("x", b"{\"slots\": [[1088], [\"0000003f\"]]}"),
        ] {
            assert_eq!(words(name, bytes), expected, "{name} {bytes:?}");
        }
    }

    /// What is written with `emit` is read with the constants that the words alone do not say.
    #[test]
    fn constants_come_back_from_json() {
        let text = r#"{"words": ["440", "3f"], "constants": [
            {"name": "light", "register": "c4", "count": 2, "components": "xz", "values": []},
            {"name": null, "register": "c6", "values": [["3f800000", "0", 1, "0x2"]]}]}"#;
        let sources = &mut Sources::default();
        let program =
            read(unit(), sources, "x.json", text.as_bytes(), None, &TextOptions::default()).unwrap();
        let all: Vec<_> = program.code().constants.iter().collect();
        let told =
            |own: &Constant| (own.name.clone(), own.reg.index, own.count, own.mask.0, own.values.clone());
        assert_eq!(told(all[0]), (Some("light".to_owned()), 4, 2, 0b101, vec![]));
        assert_eq!(told(all[1]), (None, 6, 1, 0b1111, vec![[0x3f80_0000, 0, 1, 2]]));
        assert_eq!(all.len(), 2);

        let options = crate::emit::Options { name: "x", profile: Default::default() };
        let written = crate::emit::emit(&program, crate::emit::Emit::Json, &options).unwrap();
        let again = read(unit(), sources, "y.json", &written, None, &TextOptions::default()).unwrap();
        assert_eq!((again.words(), again.code().constants.len()), (program.words(), 2));
        assert_eq!(
            again.code().constants.iter().map(told).collect::<Vec<_>>(),
            all.into_iter().map(told).collect::<Vec<_>>()
        );
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (name, bytes, expected) in [
            ("x.vu", &b"ld r1 \xff"[..], "A0115@6"),
            ("x.hex", b"440 xyz", "G0210@4"),
            ("x.hex", b"123456789", "G0210@0"),
            ("x.json", b"[1088, 4294967296]", "G0210@7"),
            ("x.json", b"{}", "G0205@0"),
            ("x.json", b"[true]", "G0210@1"),
            ("x.json", b"{\"words\": [], \"constants\": 1}", "G0205@27"),
            ("x.json", b"{\"words\": [], \"constants\": [{}]}", "G0205@28"),
            ("x.json", b"{\"words\": [], \"constants\": [{\"register\": \"r1\"}]}", "G0205@41"),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"count\": 65536}]}",
                "G0205@56",
            ),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"components\": \"xq\"}]}",
                "G0205@61",
            ),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"values\": [[1, 2, 3]]}]}",
                "G0205@58",
            ),
            ("x.bin", &[0x40, 4, 0], "B0101@0"),
        ] {
            assert_eq!(words(name, bytes), Err(expected.to_owned()), "{name} {bytes:?}");
        }
        let large = vec![b' '; MAX_SOURCE_BYTES + 1];
        assert_eq!(words("x.vu", &large), Err("A0116@0".to_owned()));
    }
}
