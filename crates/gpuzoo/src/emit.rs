//! What a program can be turned into: `assemble --emit`.

use crate::host_constants;
use crate::read::form::{EMIT_FORM, no_extension, no_form};
use crate::{Program, c_kernel};
use gpuzoo_diag::{Diagnostic, json};
use gpuzoo_ir::{Vec4, passes};
use gpuzoo_isa::{Constant, Mask, MatrixOrder, MatrixUses, Program as Code, Slot};
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{Gpu, Profile, ShaderUnit, TextOptions};
use serde::Serialize;
use std::fmt::Write;

/// A form to emit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Emit {
    /// The machine's binary.
    Bin,
    /// The words in hexadecimal, a slot a line.
    Hex,
    /// An array for C.
    C,
    /// The words as a list for `#include` into an array of C, as nxdk's build has it.
    Inl,
    /// A constant for Rust.
    Rust,
    /// The words and the text of each slot, for scripts.
    Json,
    /// Assembly text, as the disassembler prints it.
    Asm,
    /// What the program means.
    Ir,
    /// The same, optimized.
    IrOptimized,
    /// What the program means, as a function in C over columns of vertices.
    CKernel,
}

impl Emit {
    /// All forms: name, extension of files, form, what it is.
    pub const ALL: [(&'static str, &'static str, Emit, &'static str); 10] = [
        ("bin", "bin", Emit::Bin, "the machine's binary"),
        ("hex", "hex", Emit::Hex, "the words in hexadecimal, a slot a line"),
        ("c", "c", Emit::C, "an array of uint32_t for C"),
        ("inl", "inl", Emit::Inl, "the words as a list, for `#include` into an array of C"),
        ("rust", "rs", Emit::Rust, "an array of u32 for Rust"),
        ("json", "json", Emit::Json, "the words and the text of each slot"),
        ("asm", "", Emit::Asm, "assembly text"),
        ("ir", "ir", Emit::Ir, "what the program means, as vec4 SSA"),
        ("ir-opt", "", Emit::IrOptimized, "the same, optimized"),
        ("c-kernel", "", Emit::CKernel, "what the program means, as a function in C"),
    ];

    /// The form of a name, for programs of a machine.
    ///
    /// # Errors
    /// `G0118`, with the names.
    pub fn named(gpu: &dyn Gpu, name: &str) -> Result<Emit, Diagnostic> {
        let found = Emit::ALL.into_iter().find(|(known, ..)| *known == name).map(|(_, _, emit, _)| emit);
        found.ok_or_else(|| no_form(gpu, name, "written", Emit::ALL.into_iter().map(|(name, ..)| name)))
    }

    /// The form that a file's extension implies; the machine's binary for a file without one.
    ///
    /// ```
    /// use gpuzoo::emit::Emit;
    /// let gpu = gpuzoo::shader_units().next().unwrap();
    /// assert_eq!(Emit::of_file(gpu, "teapot.h").ok(), Some(Emit::C));
    /// assert_eq!(Emit::of_file(gpu, "teapot").ok(), Some(Emit::Bin));
    /// assert_eq!(Emit::of_file(gpu, "teapot.xyz").unwrap_err().code.id, "G0118");
    /// ```
    ///
    /// # Errors
    /// `G0118` for an extension that says none, with those that do.
    pub fn of_file(gpu: &dyn ShaderUnit, name: &str) -> Result<Emit, Diagnostic> {
        let own = gpu.about().extensions;
        let extension = extension(name).to_ascii_lowercase();
        if own.contains(&extension.as_str()) {
            return Ok(Emit::Asm);
        }
        let known = match extension.as_str() {
            "" => return Ok(Emit::Bin),
            "h" => "c",
            other => other,
        };
        let found = Emit::ALL.into_iter().find(|(_, own, ..)| *own == known).map(|(_, _, emit, _)| emit);
        found.ok_or_else(|| {
            let shared = Emit::ALL.iter().map(|(_, own, ..)| *own).filter(|own| !own.is_empty());
            no_extension(&extension, shared.chain(["h"]).chain(own.iter().copied())).help(EMIT_FORM)
        })
    }

    /// True if the bytes are not text.
    pub fn is_binary(self) -> bool {
        self == Emit::Bin
    }
}

/// What some forms need to know.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the program is called in C and Rust; any text, of which letters and digits are used.
    pub name: &'a str,
    /// The profile, for the IR and the C function.
    pub profile: Profile,
}

/// The bytes of a program in a form.
///
/// # Errors
/// `G0235` for a program that C cannot express, if [`Emit::CKernel`] is asked for.
pub fn emit(program: &Program, form: Emit, options: &Options) -> Result<Vec<u8>, Diagnostic> {
    let (gpu, code) = (program.gpu(), program.code());
    let name = identifier(options.name);
    let orders = Orders::new(gpu, code);
    let text = match form {
        Emit::Bin => return Ok(gpu.save(code)),
        Emit::Asm => gpu.disassemble(code, &TextOptions { exact: true, ..TextOptions::default() }).0,
        Emit::Hex => lines(gpu, code).into_iter().map(|line| line.hex(" ", "") + "\n").collect(),
        Emit::C => {
            let lines = lines(gpu, code);
            let count: usize = lines.iter().map(|line| line.words.len()).sum();
            let macros = name.to_uppercase();
            let mut text =
                format!("// For {}.\n#ifndef {macros}_WORDS_H\n#define {macros}_WORDS_H\n", gpu.about().name);
            let _ = writeln!(text, "\n#include <stdint.h>\n\n#define {macros}_WORDS_COUNT {count}\n");
            let _ = writeln!(text, "static const uint32_t {name}_words[{}] = {{", count.max(1));
            push_lines(&lines, &mut text);
            // C has no empty arrays.
            text += if count == 0 { "    0,\n};\n" } else { "};\n" };
            let values = own_constants(code);
            if !values.is_empty() {
                text += "\n// The constants of the program: number, then the bits of x, y, z and w.\n";
                let _ = writeln!(text, "#define {macros}_CONSTANTS_COUNT {}\n", values.len());
                let _ = writeln!(text, "static const uint32_t {name}_constants[{}][5] = {{", values.len());
                values.iter().for_each(|line| text += &format!("    {{{line}}},\n"));
                text += "};\n";
            }
            let named = named_constants(&orders, code, &["WORDS_H", "WORDS_COUNT", "CONSTANTS_COUNT"]);
            if !named.is_empty() {
                text += "\n// Where the constants are that have a name; of a matrix, whether its registers are rows or columns.\n";
            }
            for Named { name, index, mask, order, .. } in named {
                let components = of_components(mask).map(|components| format!(".{components}"));
                let order = order.map(|order| order.name().to_owned());
                let remarks: Vec<String> = components.into_iter().chain(order).collect();
                let remarks =
                    if remarks.is_empty() { String::new() } else { format!(" // {}", remarks.join(", ")) };
                let _ = writeln!(text, "#define {macros}_{name} {index}{remarks}");
            }
            if let Some(host) = &code.host {
                text += &host_constants::c(host, &format!("{name}_host_constants"));
            }
            text + "\n#endif\n"
        }
        Emit::Inl => {
            let mut text = String::new();
            for constant in &code.constants {
                let place = constant.reg.index;
                let name = constant.name.as_deref().unwrap_or("a literal");
                let components = of_components(constant.mask).map_or(String::new(), |own| format!(".{own}"));
                let order = orders
                    .of(constant)
                    .map_or(String::new(), |order| format!(", {} of a matrix", order.name()));
                let count = constant.count;
                let _ = writeln!(text, "// constants from {place}{components}, {count}: {name}{order}");
                for [x, y, z, w] in &constant.values {
                    let _ = writeln!(text, "//   {x:#010x}, {y:#010x}, {z:#010x}, {w:#010x}");
                }
            }
            if code.host.is_some() {
                text += "// the host computes some of them from others: --emit c has the function\n";
            }
            for line in lines(gpu, code) {
                let _ = writeln!(text, "{},", line.hex(", ", "0x"));
            }
            text
        }
        Emit::Rust => {
            let lines = lines(gpu, code);
            let count: usize = lines.iter().map(|line| line.words.len()).sum();
            let name = name.to_uppercase();
            let mut text = String::new();
            if code.host.is_some() {
                text +=
                    "/// The host computes some of its constants from others: `--emit c` has the function.\n";
            }
            let _ = write!(text, "/// For {}.\npub const {name}: [u32; {count}] = [\n", gpu.about().name);
            push_lines(&lines, &mut text);
            text += "];\n";
            let values = own_constants(code);
            if !values.is_empty() {
                text += "/// The constants of the program: number, then the bits of x, y, z and w.\n";
                let _ = writeln!(text, "pub const {name}_CONSTANTS: [[u32; 5]; {}] = [", values.len());
                values.iter().for_each(|line| text += &format!("    [{line}],\n"));
                text += "];\n";
            }
            for Named { name: constant, index, count, mask, order } in
                named_constants(&orders, code, &["CONSTANTS"])
            {
                let components =
                    of_components(mask).map_or(String::new(), |own| format!(", its components {own}"));
                let components = match order {
                    Some(order) => format!("{components}, {} of a matrix", order.name()),
                    None => components,
                };
                let _ = writeln!(
                    text,
                    "/// Its first register, of {count}{components}.\npub const {name}_{constant}: u32 = {index};"
                );
            }
            text
        }
        Emit::Json => json::text(&contents_of(gpu, code, &orders)) + "\n",
        Emit::Ir | Emit::IrOptimized => {
            let function = gpu.lower(code, &options.profile.into()).0.function;
            if form == Emit::IrOptimized {
                passes::optimize(&function).to_string()
            } else {
                function.to_string()
            }
        }
        Emit::CKernel => c_kernel::emit(gpu, code, options.profile, &format!("{name}_kernel"))?,
    };
    Ok(text.into_bytes())
}

/// A name that is an identifier everywhere and, with `_words` or in capitals, a keyword nowhere.
fn identifier(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    word(file.rsplit_once('.').map_or(file, |(stem, _)| stem))
}

/// The same for a name that is no file's.
fn word(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = name.chars().map(plain).collect();
    match name.trim_matches('_') {
        "" => "program".to_owned(),
        name if name.starts_with(|letter: char| letter.is_ascii_digit()) => format!("program_{name}"),
        name => name.to_owned(),
    }
}

/// The constants to which a program gives values, as number and bits.
fn own_constants(program: &Code) -> Vec<String> {
    let values = program.constants.iter().flat_map(|constant| (constant.reg.index..).zip(&constant.values));
    let line =
        |(index, [x, y, z, w]): (u16, &Vec4)| format!("{index}, {x:#010x}, {y:#010x}, {z:#010x}, {w:#010x}");
    values.map(line).collect()
}

/// Constants that have a name.
struct Named {
    /// The name as an identifier in capitals.
    name: String,
    /// The first register's number.
    index: u16,
    /// How many registers there are.
    count: u16,
    /// The components of each that are its own.
    mask: Mask,
    /// The order of a matrix.
    order: Option<MatrixOrder>,
}

/// The orders of matrices: as their source declares them, else as the program multiplies by them.
struct Orders(MatrixUses);

impl Orders {
    fn new(gpu: &dyn ShaderUnit, program: &Code) -> Orders {
        let is_open = |constant: &Constant| constant.count >= 3 && constant.matrix.is_none();
        // Most programs have nothing to look for.
        if !program.constants.iter().any(is_open) {
            return Orders(MatrixUses::default());
        }
        Orders(MatrixUses::new(&gpu.lower(program, &Profile::default().into()).0.function))
    }

    fn of(&self, constant: &Constant) -> Option<MatrixOrder> {
        let by_use = || self.0.order(constant.reg.index).filter(|_| (3..=4).contains(&constant.count));
        constant.matrix.or_else(by_use)
    }
}

/// Where a name is taken, by what is always defined or by another name that is the same in capitals, a number is added: `LIGHT_2`.
fn named_constants(orders: &Orders, program: &Code, taken: &[&str]) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    for constant in &program.constants {
        let Some(name) = constant.name.as_deref() else { continue };
        let name = word(name).to_uppercase();
        let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
        let is_free =
            |name: &String| !taken.contains(&name.as_str()) && named.iter().all(|known| known.name != *name);
        let free = std::iter::once(name.clone()).chain(numbered).find(is_free);
        let (&Constant { reg, count, mask, .. }, order) = (constant, orders.of(constant));
        named.extend(free.map(|name| Named { name, index: reg.index, count, mask, order }));
    }
    named
}

/// The components of a register that a constant has, if others share it.
fn of_components(mask: Mask) -> Option<String> {
    (mask != Mask::ALL).then(|| mask.to_string())
}

/// Some words of the binary: a slot's with its text, or those before the first slot.
struct Line {
    header: bool,
    words: Vec<u32>,
    text: String,
}

impl Line {
    fn hex(&self, between: &str, before: &str) -> String {
        let words: Vec<String> = self.words.iter().map(|word| format!("{before}{word:08x}")).collect();
        words.join(between)
    }
}

fn lines(gpu: &dyn ShaderUnit, program: &Code) -> Vec<Line> {
    let isa = gpu.isa();
    let bytes = gpu.save(program);
    let words: Vec<u32> = bytes
        .chunks(4)
        .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
        .collect();
    let line = |slot: &Slot| {
        let mut text = String::new();
        isa.print_slot(slot, &mut text);
        Line { header: false, words: slot.words(isa).to_vec(), text }
    };
    // Some binaries begin with what the program is, and then come the slots.
    let header = words.strip_suffix(&program.words(isa)[..]).unwrap_or(&words).to_vec();
    let slots = if header.len() < words.len() { &program.slots[..] } else { &[] };
    let header =
        (!header.is_empty()).then(|| Line { header: true, words: header, text: "header".to_owned() });
    header.into_iter().chain(slots.iter().map(line)).collect()
}

fn push_lines(lines: &[Line], text: &mut String) {
    for line in lines {
        let _ = write!(text, "    {},", line.hex(", ", "0x"));
        if !line.text.is_empty() {
            let _ = write!(text, " // {}", line.text);
        }
        text.push('\n');
    }
}

/// The words and the constants of a program: the form [`Emit::Json`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Contents<'a> {
    /// The id of the machine.
    pub gpu: &'static str,
    /// All words of the machine's binary, of eight hexadecimal digits each.
    pub words: Vec<String>,
    /// The slots, in order.
    pub slots: Vec<SlotContents>,
    /// The words before the first slot, if the binary has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Vec<String>>,
    /// The constants that the program gives values or names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<ConstantContents<'a>>,
}

/// A slot of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SlotContents {
    /// Its words, of eight hexadecimal digits each.
    pub words: Vec<String>,
    /// Its instruction.
    pub text: String,
}

/// Constants of a program that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConstantContents<'a> {
    /// Their name; none for numbers of the text.
    pub name: Option<&'a str>,
    /// The first register.
    pub register: String,
    /// The number of registers.
    pub count: u16,
    /// The letters of the components that are theirs in each register.
    pub components: String,
    /// The bits of each register, of eight hexadecimal digits a component; empty for those that the host gives.
    pub values: Vec<[String; 4]>,
    /// `rows` or `columns` for a matrix: what its registers are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<&'static str>,
}

/// The words and the constants of a program, as [`Emit::Json`] has them.
///
/// ```
/// let program = gpuzoo::nv2a().assemble("p.vsh", "add oPos, v0, v0")?;
/// let contents = gpuzoo::emit::contents(&program);
/// assert_eq!((contents.gpu, contents.slots.len(), contents.slots[0].words.len()), ("nv2a", 1, 4));
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
pub fn contents(program: &Program) -> Contents<'_> {
    let (gpu, code) = (program.gpu(), program.code());
    contents_of(gpu, code, &Orders::new(gpu, code))
}

fn contents_of<'a>(gpu: &dyn ShaderUnit, program: &'a Code, orders: &Orders) -> Contents<'a> {
    let hex = |line: &Line| line.words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>();
    let lines = lines(gpu, program);
    let words = lines.iter().flat_map(hex).collect();
    let header = lines.iter().find(|line| line.header).map(hex);
    let slots = lines.into_iter().filter(|line| !line.header);
    let slots = slots.map(|line| SlotContents { words: hex(&line), text: line.text }).collect();
    let components = |value: &Vec4| value.map(|component| format!("{component:08x}"));
    let constant = |constant: &'a Constant| ConstantContents {
        name: constant.name.as_deref(),
        register: gpu.isa().reg_name(constant.reg),
        count: constant.count,
        components: constant.mask.to_string(),
        values: constant.values.iter().map(components).collect(),
        matrix: orders.of(constant).map(|order| order.name()),
    };
    let constants = program.constants.iter().map(constant).collect();
    Contents { gpu: gpu.about().id, words, slots, header, constants }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use gpuzoo_diag::{File, Span};
    use gpuzoo_isa::{Assembled, Reg};
    use serde_json::json;

    #[test]
    fn constants_come_out_with_the_words() {
        let gpu = unit();
        let mut program = gpu.assemble(&File::new("", "end"), &TextOptions::default()).program;
        let constant = |name: Option<&str>, index, count, values| Constant {
            name: name.map(str::to_owned),
            reg: Reg { file: 2, index },
            count,
            mask: Mask::ALL,
            values,
            matrix: None,
            span: Span::default(),
        };
        let size = Constant { mask: Mask(4), ..constant(Some("size"), 8, 1, vec![]) };
        program.constants = vec![
            Constant { matrix: Some(MatrixOrder::Rows), ..constant(Some("model"), 4, 4, vec![]) },
            constant(None, 9, 1, vec![[1, 2, 3, 0x3f80_0000]]),
            size,
        ];
        let text = |form| {
            let options = Options { name: "p", profile: Profile::default() };
            let read = Assembled { program: program.clone(), diagnostics: Vec::new() };
            let program = Program::of(gpu, read).unwrap();
            String::from_utf8(emit(&program, form, &options).unwrap()).unwrap()
        };
        let values = "9, 0x00000001, 0x00000002, 0x00000003, 0x3f800000";
        let c = text(Emit::C);
        assert!(c.contains(&format!("[1][5] = {{\n    {{{values}}},\n}};\n")), "{c}");
        assert!(
            c.contains("\n#define P_CONSTANTS_COUNT 1\n") && c.contains("\n#define P_MODEL 4 // rows\n"),
            "{c}"
        );
        assert!(c.contains("\n#define P_SIZE 8 // .z\n"), "{c}");
        assert!(text(Emit::Inl).contains("// constants from 8.z, 1: size\n"));
        let rust = text(Emit::Rust);
        assert!(
            rust.contains(&format!("pub const P_CONSTANTS: [[u32; 5]; 1] = [\n    [{values}],\n];\n")),
            "{rust}"
        );
        assert!(rust.contains("pub const P_MODEL: u32 = 4;\n"), "{rust}");
        let size = "/// Its first register, of 1, its components z.\npub const P_SIZE: u32 = 8;\n";
        assert!(rust.ends_with(size), "{rust}");
        let json: serde_json::Value = serde_json::from_str(&text(Emit::Json)).unwrap();
        let model = json!({"name": "model", "register": "c4", "count": 4, "components": "xyzw", "values": [], "matrix": "rows"});
        assert_eq!(json["constants"][0], model);
        assert_eq!(json["constants"][1]["values"], json!([["00000001", "00000002", "00000003", "3f800000"]]));
    }

    /// No name is defined twice.
    #[test]
    fn names_that_are_taken_get_a_number() {
        let constant = |(name, index): (&str, u16)| Constant {
            name: Some(name.to_owned()),
            reg: Reg { file: 2, index },
            count: 1,
            mask: Mask::ALL,
            values: vec![],
            matrix: None,
            span: Span::default(),
        };
        let names = [("words_count", 1), ("light", 2), ("light_2", 3), ("Light", 4), ("constants", 5)];
        let code = Code { constants: names.map(constant).to_vec(), ..Code::default() };
        let named = |taken| {
            named_constants(&Orders(MatrixUses::default()), &code, taken)
                .into_iter()
                .map(|own| own.name)
                .collect::<Vec<_>>()
        };
        let expected = ["WORDS_COUNT_2", "LIGHT", "LIGHT_2", "LIGHT_3", "CONSTANTS"];
        assert_eq!(named(&["WORDS_COUNT"]), expected);
        assert_eq!(named(&["CONSTANTS"])[4], "CONSTANTS_2");
    }

    #[test]
    fn names_become_identifiers() {
        for (name, expected) in [
            ("a/default.vu", "default"),
            ("light-40 v2.vu", "light_40_v2"),
            ("2d.vu", "program_2d"),
            ("<stdin>", "stdin"),
            ("", "program"),
            ("é.vu", "program"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }
}
