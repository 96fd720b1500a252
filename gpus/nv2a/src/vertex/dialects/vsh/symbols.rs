//! The uniforms that a text names.

use crate::ISA;
use crate::vertex::dialects::symbols::Names;
use crate::vertex::syntax::VSH;
use gpuzoo_diag::{FileId, Role, Sources, Span, Symbol, SymbolKind};
use gpuzoo_machine::TextOptions;

/// The uniforms of a text.
pub fn uniforms(sources: &mut Sources, file: FileId, _: &TextOptions) -> Vec<Symbol> {
    let text = sources.get(file).text();
    let words = ISA.lexemes(&VSH, text);
    let mut names = Names::default();
    for (at, word) in words.iter().enumerate() {
        let Some(name) = word.text(text).strip_prefix('#').filter(|_| word.role == Role::Name) else {
            continue;
        };
        let span = Span { file, start: word.start as u32 + 1, end: word.end as u32 };
        let next = |ahead: usize| words.get(at + ahead).map_or("", |own| own.text(text));
        match next(1) {
            kind @ ("vector" | "matrix4") if word.begins => {
                let about = format!("{kind} {}", next(2));
                names.defined(name, SymbolKind::Uniform, &about, span);
            }
            _ => names.of(name, SymbolKind::Uniform).uses.push(span),
        }
    }
    names.all
}
