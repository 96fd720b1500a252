//! The verb `explain`: the page of a diagnostic code, an instruction or a machine, or the fields of a word.

use crate::codes::{BAD_WORDS, NO_SUCH_TOPIC, WHICH_GPU};
use crate::{Registry, vera};
use gpuzoo_diag::{Code, Diagnostic, suggest};
use gpuzoo_isa::{Bits, Field, Isa, MAX_WORDS, Op, list};
use gpuzoo_machine::Gpu;
use std::fmt::Write;

/// The page of what the words name: a code (`D0102`), a machine, an instruction (`dreambox.mulm`, or `mulm` with a
/// machine), or an instruction's words in hexadecimal (with a machine).
///
/// ```
/// let registry = gpuzoo::Registry::default();
/// let page = gpuzoo::explain::explain(&registry, registry.by_id("dreambox"), &["0x03d10457"]).unwrap();
/// assert!(page.starts_with("0x03d10457  shf r1 r1 xyxy 0b1111\n"));
/// ```
///
/// # Errors
/// `G0110` if nothing has that name, `G0210` for words that cannot be read.
pub fn explain(
    registry: &Registry,
    gpu: Option<&'static dyn Gpu>,
    words: &[&str],
) -> Result<String, Diagnostic> {
    let [first, rest @ ..] = words else {
        return Err(
            Diagnostic::error(&NO_SUCH_TOPIC, "explain what?").help("for example `gpuzoo explain D0102`")
        );
    };
    if rest.is_empty() {
        if let Some(code) = registry.code(first) {
            return Ok(code_page(code));
        }
        if let Some(gpu) = registry.by_id(first) {
            return Ok(machine_page(gpu));
        }
        if let Some(page) = vera::topic(registry, first) {
            return page;
        }
        let named = first.split_once('.').and_then(|(id, name)| Some((registry.by_id(id)?, name)));
        let (machines, name) = match (named, gpu) {
            (Some((gpu, name)), _) => (vec![gpu], name),
            (None, Some(gpu)) => (vec![gpu], *first),
            (None, None) => (registry.gpus().to_vec(), *first),
        };
        let found = machines.iter().map(|gpu| (*gpu, rows(*gpu, name))).filter(|(_, rows)| !rows.is_empty());
        match &found.collect::<Vec<_>>()[..] {
            [] => {}
            // Where both halves of a slot have the instruction, it has a page for each.
            [(gpu, rows)] => {
                return Ok(rows.iter().map(|op| op_page(*gpu, op)).collect::<Vec<_>>().join("\n"));
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|(gpu, rows)| format!("{}.{}", gpu.about().id, rows[0].name))
                    .collect();
                let problem = Diagnostic::error(&WHICH_GPU, format!("several machines have `{name}`"));
                return Err(problem.help(format!("say which: {}", list(names.iter().map(String::as_str)))));
            }
        }
    }
    if looks_like_word(first) {
        return match gpu {
            Some(gpu) => word_page(gpu, words),
            None => registry.choose(None, "").map(|_| String::new()),
        };
    }
    Err(unknown(registry, gpu, &words.join(" ")))
}

/// The rows of a mnemonic, in either case.
fn rows(gpu: &dyn Gpu, name: &str) -> Vec<&'static Op> {
    gpu.about().isa.ops().filter(|op| op.name.eq_ignore_ascii_case(name)).collect()
}

/// With a prefix, or too long to be a mnemonic.
fn looks_like_word(text: &str) -> bool {
    text.starts_with("0x") || text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn unknown(registry: &Registry, gpu: Option<&'static dyn Gpu>, topic: &str) -> Diagnostic {
    let mut names: Vec<&str> = registry.codes().iter().map(|code| code.id).collect();
    names.extend(registry.ids());
    let machines = gpu.map_or(registry.gpus().to_vec(), |gpu| vec![gpu]);
    names.extend(machines.iter().flat_map(|gpu| gpu.about().isa.ops()).map(|op| op.name));
    let name = topic.rsplit_once('.').map_or(topic, |(_, name)| name);
    let short: String = topic.chars().take(40).collect();
    let problem = Diagnostic::error(&NO_SUCH_TOPIC, format!("there is nothing called `{short}` to explain"));
    if gpu.is_none() && vera::has(topic) {
        return problem.help(format!("VERA has it: `gpuzoo explain --gpu vera {short}`"));
    }
    match suggest::nearest(name, names) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => {
            problem.help("`gpuzoo list codes`, `gpuzoo list ops` and `gpuzoo list gpus` show what there is")
        }
    }
}

/// The page of a diagnostic code.
pub fn code_page(code: &Code) -> String {
    format!("{}: {}\n\n{}\n", code.id, code.title, wrap(code.page))
}

/// A machine on a page.
pub fn machine_page(gpu: &dyn Gpu) -> String {
    let about = gpu.about();
    let isa = about.isa;
    let mut page = format!("{}.\n\n", wrap(&format!("{}: {}", about.name, about.summary)));
    let mut line = |name: &str, text: String| {
        let _ = writeln!(page, "{name:<16}{text}");
    };
    line("id", about.id.to_owned());
    line(
        "extensions",
        about.extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" "),
    );
    line("profiles", about.profiles.join(" "));
    line("programs", isa.size());
    line(
        "vertex formats",
        about.vertex_formats.iter().map(|format| format.name).collect::<Vec<_>>().join(" "),
    );
    line("textures", about.texture_formats.iter().map(|format| format.name).collect::<Vec<_>>().join(" "));
    page += "\nRegisters\n";
    let width = isa.files.iter().map(|file| file.name.len() + 2).max().unwrap_or(0);
    for file in isa.files {
        let _ = writeln!(page, "  {:<width$}{}; {}", file.name, file.names_text(), file.kind.text());
    }
    page += "\nInstructions\n";
    for op in isa.ops() {
        let _ = writeln!(page, "  {:<32}{}", isa.usage(op), op.doc);
    }
    page
}

/// An instruction on a page.
pub fn op_page(gpu: &dyn Gpu, op: &'static Op) -> String {
    let about = gpu.about();
    let isa = about.isa;
    let mut page = format!("{}.{}\n\n  {}\n", about.id, op.name, isa.usage(op));
    for form in isa.forms(op) {
        let _ = writeln!(page, "  {form}");
    }
    let _ = write!(page, "\n{}\n", op.doc);
    if !op.notes.is_empty() {
        let _ = write!(page, "\n{}\n", wrap(op.notes));
    }
    let _ = match isa.example_text(op) {
        Some(example) => write!(page, "\nFor example\n  {example}\n"),
        None => write!(page, "\nOnly the assembler writes it.\n"),
    };
    let operands = isa.describe(op);
    if !operands.is_empty() {
        page += "\nOperands\n";
        for operand in &operands {
            let text = wrap_at(&operand.text, 88).replace('\n', "\n            ");
            let _ = writeln!(page, "  {:<10}{text}", operand.name);
        }
    }
    page += "\nEncoding\n";
    let half = isa.half_of(op);
    let _ = writeln!(page, "  {:<10}{:<12}{}", half.opcode.range(), half.opcode.name, op.code);
    let mut known: Vec<Field> = Vec::new();
    for field in operands.iter().flat_map(|operand| &operand.fields) {
        if !known.contains(field) {
            let _ = writeln!(page, "  {:<10}{:<12}{}", field.range(), field.name, field.doc);
            known.push(*field);
        }
    }
    page
}

/// The fields of a slot's words.
fn word_page(gpu: &dyn Gpu, words: &[&str]) -> Result<String, Diagnostic> {
    let isa = gpu.about().isa;
    let words: Vec<&str> = words.iter().flat_map(|text| halves(isa, text)).collect();
    let mut bits = Bits::default();
    let wrong_count = |wanted: usize| {
        let message = format!("this instruction has {wanted} words, not {}", words.len());
        Diagnostic::error(&BAD_WORDS, message)
    };
    // How many immediates there are is known when the slot's own words are.
    if words.len() < isa.slot_words || words.len() > MAX_WORDS {
        return Err(wrong_count(isa.slot_words));
    }
    for (bits, text) in bits.words.iter_mut().zip(&words) {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let digits_only = digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let word = digits_only.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
        *bits = word.ok_or_else(|| {
            let short: String = text.chars().take(40).collect();
            Diagnostic::error(&BAD_WORDS, format!("`{short}` is not a 32-bit hexadecimal word"))
        })?;
    }
    let slot = isa.slot(bits, Default::default());
    if slot.words(isa).len() != words.len() {
        return Err(wrong_count(slot.words(isa).len()));
    }
    let hex: Vec<String> = slot.words(isa).iter().map(|word| format!("{word:#010x}")).collect();
    let mut page = format!("{}  ", hex.join(" "));
    isa.print_slot(&slot, &mut page);
    page += "\n\n";
    for value in isa.explain(&bits) {
        let field = value.field;
        let range = field.range();
        let binary = format!("{:0width$b}", value.value, width = field.width as usize);
        let number = format!("{} ({})", binary, value.value);
        let _ = writeln!(page, "  {range:<9} {:<11} {number:<16} {}", field.name, value.meaning);
    }
    for inst in slot.insts() {
        let _ = write!(page, "\n{}: {}\n", isa.usage(inst.op), inst.op.doc);
        if !inst.op.notes.is_empty() {
            let _ = writeln!(page, "{}", wrap(inst.op.notes));
        }
    }
    if let Some(undefined) = isa.undefined(&slot) {
        let _ =
            writeln!(page, "\nNo instruction has this opcode: {undefined}. Only `.word` assembles to it.");
        return Ok(page);
    }
    page += if isa.is_canonical(&slot) {
        "\nCanonical: the instruction's text assembles to just these bits.\n"
    } else if !isa.is_encoded(&slot) {
        "\nNot canonical: bits that the machine ignores are set, so only `.word` assembles to it.\n"
    } else if slot.insts().any(|inst| inst.op.internal) {
        "\nOnly the assembler writes this instruction; in a text, `.word` does.\n"
    } else {
        "\nNot canonical: what it says has no text, so only `.word` assembles to it.\n"
    };
    Ok(page)
}

/// Breaks a paragraph into lines of at most 100 letters.
pub(crate) fn wrap(text: &str) -> String {
    wrap_at(text, 100)
}

fn wrap_at(text: &str, most: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// A 64-bit word of a machine that has such is two words, the lower one first.
fn halves<'t>(isa: &Isa, text: &'t str) -> Vec<&'t str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if isa.slot_words != 2 || digits.len() != 16 || !digits.is_ascii() {
        return vec![text];
    }
    let (high, low) = digits.split_at(8);
    vec![low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = wrap(&"word ".repeat(50));
        assert!(text.lines().all(|line| line.len() <= 100));
        assert_eq!(text.split_whitespace().count(), 50);
    }

    #[test]
    fn every_topic_has_a_page() {
        let registry = Registry::default();
        for gpu in registry.gpus() {
            let id = gpu.about().id;
            assert!(explain(&registry, None, &[id]).is_ok_and(|page| page.contains(gpu.about().name)));
            for op in gpu.about().isa.ops() {
                let page = explain(&registry, None, &[&format!("{id}.{}", op.name)]).unwrap();
                assert!(page.contains(op.doc) && page.contains(&wrap(op.notes)), "{page}");
                assert_eq!(explain(&registry, Some(*gpu), &[&op.name.to_uppercase()]).unwrap(), page);
            }
        }
        for code in registry.codes() {
            assert!(explain(&registry, None, &[code.id]).unwrap().starts_with(code.id));
        }
    }

    #[test]
    fn unknown_topics_are_told() {
        let registry = Registry::default();
        let code = |gpu, words: &[&str]| explain(&registry, gpu, words).unwrap_err().code.id;
        let gpu = registry.by_id("dreambox");
        assert_eq!(code(None, &[]), "G0110");
        assert_eq!(code(None, &["frobnicate"]), "G0110");
        assert_eq!(code(None, &["nope.add"]), "G0110");
        assert_eq!(code(None, &["0x3f"]), "G0101");
        assert_eq!(code(gpu, &["0x3f", "0x3f"]), "G0210");
        assert_eq!(code(gpu, &["0x"]), "G0210");
        assert_eq!(code(gpu, &["0x123456789"]), "G0210");
        assert_eq!(explain(&registry, None, &["dreambox.mlum"]).unwrap_err().help, ["did you mean `mulm`?"]);
    }
}
