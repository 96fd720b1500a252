//! The verb `explain`: finds the page of a diagnostic code, an instruction or a machine, or the fields of a word.

use crate::Registry;
use crate::codes::{BAD_WORDS, NO_SUCH_TOPIC};
use crate::list::extensions;
use crate::topics;
use gpuzoo_diag::{Diagnostic, counted, suggest};
use gpuzoo_isa::{Bits, Isa, MAX_WORDS, Op};
use gpuzoo_machine::{About, Gpu, ShaderUnit};

pub use crate::pages::{
    Canonical, CodePage, MachinePage, NamedText, OpPage, OwnPage, Page, SeveralPages, Usage, WordPage,
};

/// The page of what the words name: a code (`D0102`), a machine, an instruction (`dreambox.mulm`, or `mulm` with a
/// machine), an instruction's words in hexadecimal (with a machine), or something that a machine has of its own.
///
/// ```
/// let registry = gpuzoo::Registry::default();
/// let page = gpuzoo::explain::explain(&registry, registry.by_id("dreambox"), &["0x03d10457"]).unwrap();
/// assert!(page.text().starts_with("0x03d10457  shf r1 r1 xyxy 0b1111\n"));
/// ```
///
/// # Errors
/// `G0110` if nothing has that name, `G0210` for words that cannot be read.
pub fn explain(
    registry: &Registry,
    gpu: Option<&'static dyn Gpu>,
    words: &[&str],
) -> Result<Page, Diagnostic> {
    let what = |of: &str, example: &str| {
        let problem = Diagnostic::error(&NO_SUCH_TOPIC, format!("explain what{of}?"));
        Err(problem.help(format!("for example `gpuzoo explain {example}`")))
    };
    let [first, rest @ ..] = words else { return what("", "D0102") };
    if first.trim().is_empty() {
        return what("", "D0102");
    }
    if rest.is_empty() {
        if let Some(code) = registry.code(first) {
            return Ok(Page::Code(code.into()));
        }
        if let Some(gpu) = registry.by_id(first) {
            return Ok(Page::Machine(machine(gpu)));
        }
        let named = first.split_once('.').and_then(|(id, name)| Some((registry.by_id(id)?, name)));
        let (machines, name) = match (named, gpu) {
            (Some((gpu, name)), _) => (vec![gpu], name),
            (None, Some(gpu)) => (vec![gpu], *first),
            (None, None) => (registry.gpus().to_vec(), *first),
        };
        if name.trim().is_empty() {
            let id = named.map_or("", |(gpu, _)| gpu.about().id);
            return what(&format!(" of {id}"), id);
        }
        let topics = topics::named(&machines, name);
        let whole = topics.iter().any(|page| page.full_name() == name);
        let rows = machines.iter().filter(|_| !whole).flat_map(|gpu| of_machine(*gpu, name));
        let mut pages: Vec<Page> = rows.chain(topics.into_iter().map(Page::Topic)).collect();
        match pages.len() {
            0 => {}
            1 => return Ok(pages.remove(0)),
            _ => {
                let in_full = machines.len() == 1;
                return Ok(Page::Several(SeveralPages { pages, name: name.to_owned(), in_full }));
            }
        }
    }
    let driven = gpu.is_some_and(|gpu| gpu.shader_unit().is_none());
    if looks_like_word(first) && !driven {
        let unit = match gpu.and_then(|gpu| gpu.shader_unit()) {
            Some(unit) => unit,
            None => registry.shader_unit(None, "")?,
        };
        return word_page(unit, words).map(Page::Words);
    }
    Err(unknown(registry, gpu, &words.join(" ")))
}

/// The pages of instructions of this name, and of what a machine has of its own.
fn of_machine(gpu: &'static dyn Gpu, name: &str) -> Vec<Page> {
    let unit = gpu.shader_unit();
    let rows = unit.iter().flat_map(|unit| unit.isa().ops().map(move |op| (*unit, op)));
    let rows = rows.filter(|(_, op)| op.name.eq_ignore_ascii_case(name));
    let pages: Vec<OpPage> = rows.map(|(unit, op)| op_page(unit, op)).collect();
    let instruction = (!pages.is_empty()).then_some(Page::Instruction(pages));
    let own = gpu.reference().and_then(|reference| reference.page(name));
    instruction.into_iter().chain(own.map(|text| Page::Own(OwnPage { gpu: gpu.about().id, text }))).collect()
}

/// With a prefix, or too long to be a mnemonic.
fn looks_like_word(text: &str) -> bool {
    text.starts_with("0x") || text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn unknown(registry: &Registry, gpu: Option<&'static dyn Gpu>, topic: &str) -> Diagnostic {
    let problem = Diagnostic::error(&NO_SUCH_TOPIC, format!("there is nothing called `{topic}` to explain"));
    let named = topic.split_once('.').and_then(|(id, name)| Some((registry.by_id(id)?, name)));
    let name = named.map_or(topic, |(_, name)| name);
    let machines = named.map(|(gpu, _)| gpu).or(gpu).map_or(registry.gpus().to_vec(), |gpu| vec![gpu]);
    let mut names: Vec<String> = registry.codes().iter().map(|code| code.id.to_owned()).collect();
    names.extend(registry.ids().map(str::to_owned));
    for gpu in &machines {
        names.extend(gpu.shader_unit().iter().flat_map(|unit| unit.isa().ops()).map(|op| op.name.to_owned()));
        if let Some(own) = gpu.reference() {
            names.extend(own.names().into_iter().map(str::to_owned));
            names.extend(own.instructions().into_iter().map(|own| own.name));
        }
    }
    names.extend(topics::names(&machines));
    match suggest::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(
            "`gpuzoo list` has what there is: `list ops`, `list registers`, `list scene` and others; see `gpuzoo list --help`",
        ),
    }
}

/// What there is to say of a machine.
pub fn machine(gpu: &'static dyn Gpu) -> MachinePage {
    let about = gpu.about();
    let unit = gpu.shader_unit();
    let own = about.facts.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let of_unit = unit.iter().flat_map(|unit| of_unit(about, unit.isa()));
    let facts = [
        ("id", about.id.to_owned()),
        ("extensions", extensions(about)),
        ("profiles", about.named_profiles().map(|(name, _)| name).collect::<Vec<_>>().join(" ")),
    ];
    let mut topics = Vec::new();
    for name in gpu.reference().iter().flat_map(|own| own.names()) {
        if !topics.contains(&name) {
            topics.push(name);
        }
    }
    let isa = unit.map(ShaderUnit::isa);
    let files = isa.iter().flat_map(|isa| isa.files).filter(|file| !file.internal);
    let ops = isa.iter().flat_map(|isa| isa.ops().map(|op| Usage::new(isa.usage(op), op)));
    MachinePage {
        id: about.id,
        title: format!("{}: {}", about.name, about.summary),
        facts: facts.into_iter().chain(of_unit).chain(own).collect(),
        registers: files
            .map(|file| NamedText {
                name: file.name,
                text: format!("{}; {}", file.names_text(), file.kind.text()),
            })
            .collect(),
        instructions: ops.collect(),
        topics,
    }
}

fn of_unit(about: &'static About, isa: &'static Isa) -> [(&'static str, String); 3] {
    let vertex: Vec<&str> = about.vertex_formats.iter().map(|format| format.name).collect();
    let texture: Vec<&str> = about.texture_formats.iter().map(|format| format.name).collect();
    [("programs", isa.size()), ("vertex formats", vertex.join(" ")), ("textures", texture.join(" "))]
}

/// What there is to say of an instruction.
pub fn op_page(unit: &dyn ShaderUnit, op: &'static Op) -> OpPage {
    let isa = unit.isa();
    let operands = isa.describe(op);
    let mut fields = vec![isa.half_of(op).opcode];
    for field in operands.iter().flat_map(|operand| &operand.fields) {
        if !fields[1..].contains(field) {
            fields.push(*field);
        }
    }
    OpPage {
        gpu: unit.about().id,
        name: op.name,
        opcode: op.code,
        meaning: op.doc,
        notes: op.notes,
        usages: std::iter::once(isa.usage(op)).chain(isa.forms(op)).collect(),
        example: isa.example_text(op),
        operands,
        fields,
    }
}

/// The fields of a slot's words.
fn word_page(unit: &dyn ShaderUnit, words: &[&str]) -> Result<WordPage, Diagnostic> {
    let isa = unit.isa();
    let words: Vec<&str> = words.iter().flat_map(|text| halves(isa, text)).collect();
    let mut bits = Bits::default();
    let wrong_count = |wanted: usize| {
        let message = format!("this instruction has {}, not {}", counted(wanted, "word"), words.len());
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
            Diagnostic::error(&BAD_WORDS, format!("`{text}` is not a 32-bit hexadecimal word"))
        })?;
    }
    let slot = isa.slot(bits, Default::default());
    if slot.words(isa).len() != words.len() {
        return Err(wrong_count(slot.words(isa).len()));
    }
    let mut text = String::new();
    isa.print_slot(&slot, &mut text);
    let canonical = match isa.undefined(&slot) {
        Some(undefined) => Canonical::Undefined(undefined),
        None if isa.is_canonical(&slot) => Canonical::Yes,
        None if !isa.is_encoded(&slot) => Canonical::IgnoredBits,
        None if slot.insts().any(|inst| inst.op.internal) => Canonical::Internal,
        None => Canonical::NoText,
    };
    Ok(WordPage {
        words: slot.words(isa).to_vec(),
        text,
        fields: isa.explain(&bits),
        instructions: slot.insts().map(|inst| Usage::new(isa.usage(inst.op), inst.op)).collect(),
        canonical,
    })
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
    use gpuzoo_machine::text::wrap;
    use serde_json::json;

    #[test]
    fn every_topic_has_a_page() {
        let registry = Registry::default();
        let text = |gpu, topic: &str| explain(&registry, gpu, &[topic]).unwrap().text();
        for gpu in registry.gpus() {
            let id = gpu.about().id;
            assert!(text(None, id).contains(gpu.about().name));
            for op in gpu.shader_unit().iter().flat_map(|unit| unit.isa().ops()) {
                let page = text(None, &format!("{id}.{}", op.name));
                assert!(page.contains(op.doc) && page.contains(&wrap(op.notes)), "{page}");
                assert_eq!(text(Some(*gpu), &op.name.to_uppercase()), page);
            }
            for name in gpu.reference().iter().flat_map(|own| own.names()) {
                let page = text(None, &format!("{id}.{name}"));
                assert!(!page.is_empty() && text(Some(*gpu), name) == page, "{name}");
            }
        }
        for code in registry.codes() {
            assert!(text(None, code.id).starts_with(code.id));
        }
    }

    #[test]
    fn unknown_topics_have_a_code() {
        let registry = Registry::default();
        let code = |gpu, words: &[&str]| explain(&registry, gpu, words).unwrap_err().code.id;
        let gpu = registry.by_id("dreambox");
        assert_eq!(code(None, &[]), "G0110");
        assert_eq!(code(None, &[""]), "G0110");
        assert_eq!(code(gpu, &[" "]), "G0110");
        assert_eq!(code(None, &["dreambox."]), "G0110");
        assert_eq!(code(None, &["frobnicate"]), "G0110");
        assert_eq!(code(None, &["nope.add"]), "G0110");
        assert_eq!(code(None, &["0x3f"]), "G0101");
        let driven = registry.gpus().iter().find(|gpu| gpu.shader_unit().is_none());
        assert_eq!(code(driven.copied(), &["0x3f"]), "G0110");
        assert_eq!(code(gpu, &["0x3f", "0x3f"]), "G0210");
        assert_eq!(code(gpu, &["0x"]), "G0210");
        assert_eq!(code(gpu, &["0x123456789"]), "G0210");
        assert_eq!(explain(&registry, None, &["dreambox.mlum"]).unwrap_err().help, ["did you mean `mulm`?"]);
        // Each name as the page that it leads to is called.
        let several = explain(&registry, None, &["add"]).unwrap().text();
        let names: Vec<_> =
            several.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["dreambox.add", "nv2a.add", "servaru.ADD"]);
    }

    #[test]
    fn words_are_data() {
        let registry = Registry::default();
        let page = explain(&registry, registry.by_id("dreambox"), &["0x03d10457"]).unwrap();
        let json = serde_json::to_value(&page).unwrap();
        assert_eq!((&json["text"], &json["canonical"]), (&json!("shf r1 r1 xyxy 0b1111"), &json!(true)));
        assert!(json["fields"].as_array().is_some_and(|fields| fields.iter().any(|own| own["name"] == "op")));
    }
}
