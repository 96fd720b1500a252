//! What a word is: the page of `explain`, or what the text says of a name.

use crate::lsp::answer::{Shown, block, line};
use crate::lsp::document::What;
use crate::lsp::request::{Answer, Request};
use crate::lsp::{scene, source};
use gpuzoo::diag::{Lexeme, Role};
use gpuzoo::explain::{Page, explain};
use gpuzoo::isa::FileKind;
use gpuzoo::{Gpu, ShaderUnit};
use serde_json::{Value as Json, json};
use std::cell::RefCell;

/// What is shown of the word at the request's position.
pub(crate) fn hover(request: &Request) -> Answer {
    let at = request.position()?;
    let found = match request.analysis.what {
        What::Scene => scene::hover(request, at),
        // Names that the text does not define are the machine's.
        What::Unit(_) | What::Computer(_) => of_name(request, at).or_else(|| of_word(request, at)),
        What::Source(_) => source::hover(request, at),
        What::Project | What::Other => None,
    };
    Ok(found.map_or(Json::Null, |(value, bytes)| {
        json!({ "contents": { "kind": "markdown", "value": value }, "range": request.document.text.range(bytes) })
    }))
}

fn of_name(request: &Request, at: usize) -> Option<Shown> {
    let Request { document, analysis, around, .. } = request;
    let (symbol, bytes) = analysis.symbol(at, document, around)?;
    symbol.definition?;
    let (sources, _) = analysis.names(document, around);
    let defined = symbol.definition.and_then(|span| {
        let file = sources.find(span.file)?;
        Some(file.line(file.place(span.start).line).trim().to_owned())
    });
    let defined = defined.filter(|line| !line.is_empty()).map_or(String::new(), |line| format!("\n\n{line}"));
    Some((block(&format!("{}{defined}", line(symbol))), bytes))
}

fn of_word(request: &Request, at: usize) -> Option<Shown> {
    let Request { document, analysis, around, .. } = request;
    let text = document.text.all();
    let gpu = analysis.what.gpu()?;
    let lexeme = *analysis.lexeme(at)?;
    let word = lexeme.text(text);
    let page = |topic: &str| page(request, gpu, topic);
    let found = match (lexeme.role, analysis.what) {
        (Role::Mnemonic, What::Unit(unit)) => {
            let name = around.with_options(document, analysis.what, &RefCell::default(), |options| {
                row_name(unit, unit.syntax(text, options), word)
            });
            page(&name)
        }
        (Role::Directive, _) => page(word.split_whitespace().next()?),
        (Role::Register, What::Unit(unit)) => return register(request, unit, &lexeme),
        (Role::Mnemonic, What::Computer(_)) => page(word),
        (Role::Name | Role::Number, What::Computer(_)) => gpu.reference().and_then(|own| own.page(word)),
        _ => None,
    };
    Some((block(&found?), lexeme.start..lexeme.end))
}

/// The page of a topic of a machine.
fn page(request: &Request, gpu: &'static dyn Gpu, topic: &str) -> Option<String> {
    match explain(request.around.registry, Some(gpu), &[topic]).ok()? {
        Page::Code(_) | Page::Machine(_) | Page::Words(_) => None,
        page => Some(page.text()),
    }
}

/// The table's name of the instruction that a language calls so.
fn row_name(unit: &dyn ShaderUnit, syntax: &gpuzoo::isa::Syntax, word: &str) -> String {
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    let own = unit.isa().ops().find(|op| op.name_in(syntax).is_some_and(is)).map(|op| op.name);
    let form = || syntax.forms.iter().find(|form| is(form.name)).map(|form| form.row);
    let is_macro = syntax.has_macro(&word.to_ascii_lowercase());
    own.filter(|_| !is_macro).or_else(form).unwrap_or(word).to_owned()
}

/// The page of a register: `r3`, `c[5]`, `v[OPOS]`. Of constants that the text counts in its own way it is that of the machine's
/// number, which is known if the text has no errors.
fn register(request: &Request, unit: &'static dyn ShaderUnit, lexeme: &Lexeme) -> Option<Shown> {
    let Request { document, analysis, .. } = request;
    let text = document.text.all();
    let word = lexeme.text(text);
    let at = analysis.lexemes.partition_point(|own| own.start < lexeme.start);
    let between = match &analysis.lexemes[at..] {
        [_, open, inner, close, ..] if open.text(text) == "[" && close.text(text) == "]" => {
            Some((*inner, *close))
        }
        _ => None,
    };
    let end = between.map_or(lexeme.end, |(_, close)| close.end);
    let (number, constants) = unit.isa().constants()?;
    let digits = match between {
        Some((inner, _)) if word.eq_ignore_ascii_case(constants.prefix) => Some(inner.text(text)),
        _ => word
            .get(..constants.prefix.len())
            .filter(|own| own.eq_ignore_ascii_case(constants.prefix))
            .map(|own| &word[own.len()..]),
    };
    let counted = digits.and_then(|digits| digits.parse::<u16>().ok());
    let mut before = String::new();
    let topic = match counted.filter(|_| constants.names.is_empty() && constants.kind == FileKind::Constant) {
        Some(count) if !unit.about().text_options.numberings.is_empty() => {
            let program = analysis.program.as_ref()?.code();
            let index = match program.numbering.filter(|own| own.file == number) {
                Some(numbering) => numbering.to_machine(count.into())?,
                None => count,
            };
            if index != count {
                before = format!(
                    "{} of this text is the machine's {}.\n\n",
                    &text[lexeme.start..end],
                    constants.reg_name(index)
                );
            }
            constants.reg_name(index)
        }
        _ => between.map_or_else(|| word.to_owned(), |(inner, _)| format!("{word}[{}]", inner.text(text))),
    };
    let found = page(request, unit, &topic)?;
    Some((block(&format!("{before}{found}")), lexeme.start..end))
}
