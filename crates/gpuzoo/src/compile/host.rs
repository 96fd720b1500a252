//! What the host computes of a compiled program's constants.

use super::Compiled;
use super::text::place;
use gpuzoo_diag::{Sources, Span};
use gpuzoo_isa::{Mask, Reg};

/// Constants that the host computes from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostConstant {
    /// The variable of the source, or a name that the compiler gave.
    pub name: String,
    /// The first register.
    pub register: Reg,
    /// How many registers.
    pub count: u16,
    /// The components of each that are its own.
    pub components: Mask,
    /// The expression.
    pub span: Span,
}

impl Compiled {
    /// The constants that the host computes from others, in the order of their registers.
    ///
    /// ```
    /// use gpuzoo::compile::Options;
    /// use gpuzoo::machine::TextOptions;
    /// let source = "struct U { view: mat4x4f, projection: mat4x4f }\n@group(0) @binding(0) var<uniform> u: U;\n\
    ///     @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return u.projection * u.view * p; }";
    /// let text = TextOptions { host_constants: true, ..TextOptions::default() };
    /// let compiled = gpuzoo::dreambox().compile("move.wgsl", source.as_bytes(), &Options { text, ..Options::default() })?;
    /// let all = compiled.host_constants();
    /// assert_eq!((all[0].name.as_str(), all[0].register.index, all[0].count), ("host0", 8, 4));
    /// // The eight constants before them are given, and the host computes them: here gpuzoo does.
    /// assert!(compiled.program().code().host.is_some());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn host_constants(&self) -> Vec<HostConstant> {
        let code = self.program().code();
        let Some(host) = &code.host else { return Vec::new() };
        let is_computed = |index: u16| host.outputs.iter().any(|(number, _)| *number == index);
        let own = code.constants.iter().filter(|constant| is_computed(constant.reg.index));
        let mut all: Vec<HostConstant> = own
            .filter_map(|constant| {
                Some(HostConstant {
                    name: constant.name.clone()?,
                    register: constant.reg,
                    count: constant.count,
                    components: constant.mask,
                    span: constant.span,
                })
            })
            .collect();
        all.sort_by_key(|own| (own.register.index, own.components.0));
        all
    }
}

impl HostConstant {
    /// The line of the expression, and its text where that fits into a line.
    pub(super) fn source_text(&self, sources: &Sources) -> String {
        let text = sources.find(self.span.file).map_or("", |file| file.slice(self.span)).trim();
        let place = place(sources, self.span);
        match place {
            Some(place) if text.is_empty() || text.contains('\n') => format!(" ({place})"),
            Some(place) => format!(": {text} ({place})"),
            None => String::new(),
        }
    }
}
