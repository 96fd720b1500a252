//! What may be written at a place.

use crate::lsp::answer::{Icon, Item, line};
use crate::lsp::document::What;
use crate::lsp::request::{Answer, Request};
use crate::lsp::scene;
use crate::lsp::text::word_start;
use gpuzoo::Gpu;
use gpuzoo::diag::{Role, SymbolKind};
use gpuzoo::isa::{Isa, RegFile, Syntax};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

/// The words that may stand at the request's position, in place of the part that is there.
pub(crate) fn complete(request: &Request) -> Answer {
    let at = request.position()?;
    let (items, bytes) = match request.analysis.what {
        What::Scene => scene::complete(request, at),
        What::Unit(_) | What::Computer(_) => of_text(request, at),
        What::Source(_) | What::Project | What::Other => (Vec::new(), at..at),
    };
    let range = request.document.text.range(bytes);
    let mut known = HashSet::new();
    let items = items.into_iter().filter(|item| known.insert(item.word.clone()));
    let items = items.map(|Item { word, icon, about }| {
        json!({ "label": word, "kind": icon as u8, "detail": about, "textEdit": { "range": range, "newText": word } })
    });
    Ok(json!({ "isIncomplete": false, "items": items.collect::<Json>() }))
}

/// What is before a place on its line.
enum Before {
    /// A statement may begin.
    Statement,
    /// A dot right behind a word: components.
    Dot,
    /// Something that may be an operand.
    Operand,
}

fn of_text(request: &Request, at: usize) -> (Vec<Item>, Range<usize>) {
    let Request { document, analysis, around, .. } = request;
    let text = document.text.all();
    let what = analysis.what;
    let Some(gpu) = what.gpu() else { return (Vec::new(), at..at) };
    if analysis.lexeme(at).is_some_and(|own| own.role == Role::Comment && own.start < at) {
        return (Vec::new(), at..at);
    }
    let start = word_start(text, at);
    let line = document.text.line(document.text.place(at).0).start;
    let before = before(request, line, start);
    let items = around.with_options(document, what, &RefCell::default(), |options| match what {
        What::Unit(unit) => of_unit(request, unit.isa(), unit.syntax(text, options), before),
        _ => of_computer(request, gpu, before),
    });
    // `#light` and `%norm3` are words with their marks, `.xyz` is one without.
    let is_marked = text.get(line..start).is_some_and(|own| own.ends_with(['#', '%', '.']));
    let from = start - usize::from(is_marked);
    let marked = |item: &Item| item.word.starts_with(&text[from..start]);
    match from < start && items.iter().any(marked) {
        true => (items.into_iter().filter(marked).collect(), from..at),
        false => (items, start..at),
    }
}

fn before(request: &Request, line: usize, start: usize) -> Before {
    let Request { document, analysis, .. } = request;
    let text = document.text.all();
    let own = analysis
        .lexemes
        .iter()
        .filter(|own| own.end > line && own.start < start && own.role != Role::Comment);
    let own: Vec<_> = own.collect();
    let Some(last) = own.last() else { return Before::Statement };
    let last_text = &text[last.start..last.end.min(start)];
    if last.end >= start
        && last_text.starts_with('.')
        && own.len() > 1
        && own[own.len() - 2].end == last.start
    {
        return Before::Dot;
    }
    let is_marked = matches!(last_text, "#" | "%" | ".") && own.len() == 1;
    let is_label = own.iter().all(|own| own.role == Role::Label || own.text(text) == ":");
    if is_marked || is_label || last_text == ";" { Before::Statement } else { Before::Operand }
}

fn of_unit(request: &Request, isa: &'static Isa, syntax: &Syntax, before: Before) -> Vec<Item> {
    let case = |name: &str| match syntax.case {
        gpuzoo::isa::Case::Upper => name.to_ascii_uppercase(),
        _ => name.to_owned(),
    };
    match before {
        Before::Statement => {
            let rows = isa.ops().filter(|op| !op.internal);
            let rows =
                rows.filter_map(|op| Some(Item::new(case(op.name_in(syntax)?), Icon::Keyword, op.doc)));
            let forms = syntax
                .forms
                .iter()
                .filter_map(|form| Some(Item::new(case(form.name), Icon::Keyword, isa.op(form.row)?.doc)));
            let macros = syntax.macros.iter().map(|own| Item::new(own.name, Icon::Function, own.about));
            let words = syntax.all_directives().filter(|own| !own.name.contains("NAME"));
            let words = words.map(|own| Item::new(own.name, Icon::Module, own.about));
            rows.chain(forms).chain(macros).chain(words).collect()
        }
        Before::Dot => {
            let letters: Vec<char> = syntax.components.chars().take(4).collect();
            let one = letters.iter().map(|letter| Item::new(*letter, Icon::Property, "one component"));
            let several = (2..=letters.len()).map(|count| {
                let word: String = letters[..count].iter().collect();
                Item::new(word, Icon::Property, format!("the first {count} components"))
            });
            one.chain(several).collect()
        }
        Before::Operand => {
            let files = isa.files.iter().zip(0..).filter(|(file, _)| !file.internal);
            let registers = files.flat_map(|(file, number)| registers(syntax, file, number));
            let other =
                syntax.names.iter().map(|name| Item::new(name.text, Icon::Variable, isa.reg_name(name.reg)));
            names(request).into_iter().chain(other).chain(registers).collect()
        }
    }
}

/// The registers of a file, as a language writes them.
fn registers<'a>(syntax: &'a Syntax, file: &'a RegFile, number: u8) -> impl Iterator<Item = Item> + 'a {
    let indexed = syntax.indexed.iter().find(|own| own.file == number);
    (0..file.count).filter(|index| file.has(*index)).flat_map(move |index| {
        let note = file.notes.iter().find(|(own, _)| *own == index).map_or(file.about, |(_, note)| note);
        let about = if note.is_empty() { file.kind.text() } else { note };
        let named = indexed.into_iter().flat_map(|own| {
            own.names.iter().map(move |(name, index)| (format!("{}[{name}]", own.prefix), *index))
        });
        let named = named.filter(move |(_, own)| *own == index).map(|(word, _)| word);
        let plain = match indexed {
            Some(own) if !own.plain => own.numbers.then(|| format!("{}[{index}]", own.prefix)),
            _ => Some(file.reg_name(index)),
        };
        named.chain(plain).map(move |word| Item::new(word, Icon::Variable, about))
    })
}

fn of_computer(request: &Request, gpu: &'static dyn Gpu, before: Before) -> Vec<Item> {
    let Some(own) = gpu.reference() else { return Vec::new() };
    let statement = |of: &gpuzoo::machine::reference::Statement| Item::new(of.name, Icon::Module, of.about);
    match before {
        Before::Statement => {
            let rows = own.instructions();
            let rows =
                rows.into_iter().map(|row| Item::new(row.name.to_lowercase(), Icon::Keyword, row.meaning));
            let macros = names(request).into_iter().filter(|item| matches!(item.icon, Icon::Function));
            rows.chain(own.statements().iter().map(statement)).chain(macros).collect()
        }
        Before::Dot | Before::Operand => {
            let registers = own.registers().into_iter();
            let registers = registers
                .map(|of| Item::new(of.name, Icon::Constant, format!("{}: {}", of.place, of.meaning)));
            names(request).into_iter().chain(registers).collect()
        }
    }
}

/// The names of the text.
fn names(request: &Request) -> Vec<Item> {
    let (_, symbols) = request.analysis.names(request.document, &request.around);
    let text = request.document.text.all();
    // A name that is defined with a mark is used with it: `#light`.
    let mark = |symbol: &gpuzoo::diag::Symbol| {
        let bytes = request.analysis.place(symbol.definition?, request.document, &request.around)?.1;
        let start = bytes.start.checked_sub(1)?;
        text.get(start..bytes.start).filter(|mark| *mark == "#" && symbol.kind == SymbolKind::Uniform)
    };
    let item = |symbol: &gpuzoo::diag::Symbol| {
        let icon = match symbol.kind {
            SymbolKind::Label => Icon::Field,
            SymbolKind::Constant => Icon::Constant,
            SymbolKind::Uniform => Icon::Variable,
            SymbolKind::Macro => Icon::Function,
            SymbolKind::Scope => Icon::Module,
            SymbolKind::File => return None,
        };
        let word = format!("{}{}", mark(symbol).unwrap_or(""), symbol.name);
        Some(Item::new(word, icon, line(symbol)))
    };
    symbols.iter().filter(|symbol| symbol.definition.is_some()).filter_map(item).collect()
}
