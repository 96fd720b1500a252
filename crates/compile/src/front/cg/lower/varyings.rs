//! Inputs and outputs: the parts of parameters and results that have a semantic.

use super::Lowering;
use crate::front::cg::codes::{PLACED, SEMANTIC, SEMANTIC_TWICE, UNSUPPORTED};
use crate::front::cg::semantics::{self, Output};
use crate::front::cg::tree::{Semantic, Variable};
use crate::front::cg::types::{Numeric, Shape, Type};
use gpuzoo_diag::suggest::nearest;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use rustc_hash::FxHashMap as HashMap;

/// How many inputs or outputs are looked at; no machine has as many.
const MAX_LEAVES: usize = 256;

/// A scalar or vector that goes in or out.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its type.
    pub numeric: Numeric,
    /// Its semantic, with how far behind the first one of an array or matrix it is.
    pub semantic: Option<(Semantic, u32)>,
    /// How the source reaches it.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
}

/// True for a parameter of the entry point that is the same for a whole draw.
pub fn is_uniform(parameter: &Variable) -> bool {
    parameter.qualifiers.is_uniform
        || (!parameter.qualifiers.is_out && Lowering::is_in_constant(&parameter.semantics))
}

impl Lowering<'_> {
    /// The scalars and vectors that a type is made of, in order.
    pub(super) fn leaves(
        &mut self,
        ty: &Type,
        semantic: Option<(Semantic, u32)>,
        name: &str,
        span: Span,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), Failed> {
        if leaves.len() >= MAX_LEAVES {
            let message = format!("there are more than {MAX_LEAVES} inputs or outputs");
            return self.fail(Diagnostic::error(&UNSUPPORTED, message).at(span).help("leave some out"));
        }
        let behind = |count: u32| semantic.clone().map(|(word, at)| (word, at.saturating_add(count)));
        match ty {
            Type::Numeric(numeric) => {
                let Shape::Matrix(rows, columns) = numeric.shape else {
                    leaves.push(Leaf { numeric: *numeric, semantic, name: name.to_owned(), span });
                    return Ok(());
                };
                let row = Type::Numeric(numeric.shaped(Shape::Vector(columns)));
                for at in 0..u32::from(rows) {
                    self.leaves(&row, behind(at), &format!("{name}[{at}]"), span, leaves)?;
                }
                Ok(())
            }
            Type::Array(of, count) => {
                let each = registers(of);
                for at in 0..*count {
                    self.leaves(of, behind(at.saturating_mul(each)), &format!("{name}[{at}]"), span, leaves)?;
                }
                Ok(())
            }
            Type::Struct(of) => {
                for field in &of.fields {
                    if field.is_uniform {
                        let message = format!("`{}` is uniform among what is not", field.name);
                        let problem = Diagnostic::error(&UNSUPPORTED, message).at(field.span);
                        let problem = problem.label(span, "this goes in or out with each vertex");
                        return self.fail(problem.help("make it a uniform parameter of its own"));
                    }
                    let own = field.semantics.first().map(|word| (word.clone(), 0));
                    let inner = if name.is_empty() {
                        field.name.to_string()
                    } else {
                        format!("{name}.{}", field.name)
                    };
                    self.leaves(&field.ty, own, &inner, field.span, leaves)?;
                }
                Ok(())
            }
            Type::Void => Ok(()),
            Type::Opaque(of) => self.fail(super::texture(of, span)),
        }
    }

    /// The locations of inputs; those without a semantic get what is free, in order.
    pub(super) fn input_locations(&mut self, leaves: &[Leaf]) -> Result<Vec<u32>, Failed> {
        let mut taken: HashMap<u32, Span> = HashMap::default();
        let mut all = Vec::new();
        for leaf in leaves {
            let Some((semantic, behind)) = &leaf.semantic else {
                all.push(None);
                continue;
            };
            let (stem, number) = semantics::parts(&semantic.name.text);
            let Some(location) = semantics::input(&stem, number.unwrap_or(0).saturating_add(*behind)) else {
                return self.no_semantic("an input", semantic, semantics::INPUTS);
            };
            if let Some(other) = taken.insert(location, semantic.name.span) {
                return self.taken(&format!("v{location}"), semantic, other);
            }
            all.push(Some(location));
        }
        let mut locations = Vec::new();
        for (leaf, location) in leaves.iter().zip(all) {
            if let Some(location) = location {
                locations.push(location);
                continue;
            }
            let Some(free) = (0..16).find(|location| !taken.contains_key(location)) else {
                let problem = Diagnostic::error(&SEMANTIC, "there are no more than 16 inputs").at(leaf.span);
                return self.fail(problem.help("leave some out, or put scalars together into vectors"));
            };
            taken.insert(free, leaf.span);
            let problem = Diagnostic::warning(&PLACED, format!("`{}` has no semantic", leaf.name));
            let problem = problem.label(leaf.span, format!("it gets the first free register, v{free}"));
            self.report(problem.help(format!("write `: ATTR{free}` behind it")));
            locations.push(free);
        }
        Ok(locations)
    }

    /// What outputs are; those without a semantic get the texture coordinates that are free, in order, as with cgc.
    pub(super) fn outputs(&mut self, leaves: &[Leaf]) -> Result<Vec<Output>, Failed> {
        let mut taken: HashMap<Output, Span> = HashMap::default();
        let mut all = Vec::new();
        for leaf in leaves {
            let Some((semantic, behind)) = &leaf.semantic else {
                all.push(None);
                continue;
            };
            let (stem, number) = semantics::parts(&semantic.name.text);
            let Some(output) = semantics::output(&stem, number.unwrap_or(0).saturating_add(*behind)) else {
                return self.no_semantic("an output", semantic, semantics::OUTPUTS);
            };
            if let Some(other) = taken.insert(output, semantic.name.span) {
                return self.taken("this output", semantic, other);
            }
            all.push(Some(output));
        }
        let mut outputs = Vec::new();
        for (leaf, output) in leaves.iter().zip(all) {
            if let Some(output) = output {
                outputs.push(output);
                continue;
            }
            let free = (0..8).filter_map(|number| Some((number, semantics::output("TEXCOORD", number)?)));
            let Some((number, output)) = free.into_iter().find(|(_, output)| !taken.contains_key(output))
            else {
                let problem =
                    Diagnostic::error(&SEMANTIC, "there are no more texture coordinates").at(leaf.span);
                return self.fail(problem.help("leave some out, or put scalars together into vectors"));
            };
            taken.insert(output, leaf.span);
            let problem = Diagnostic::warning(&PLACED, format!("`{}` has no semantic", leaf.name));
            let problem = problem.label(leaf.span, format!("it gets the first free one, TEXCOORD{number}"));
            self.report(problem.help(format!("write `: TEXCOORD{number}` behind it")));
            outputs.push(output);
        }
        Ok(outputs)
    }

    fn no_semantic<T>(&mut self, what: &str, semantic: &Semantic, known: &[&str]) -> Result<T, Failed> {
        let Semantic { name, .. } = semantic;
        let problem =
            Diagnostic::error(&SEMANTIC, format!("`{}` is not {what} of a vertex program", name.text));
        let problem = problem.label(name.span, "no such register");
        self.fail(match nearest(&name.text, known.iter().copied()) {
            Some(near) if !near.eq_ignore_ascii_case(&name.text) => {
                problem.did_you_mean(near, name.span, near)
            }
            _ => problem.help(format!("known are `{}`", known.join("`, `"))),
        })
    }

    fn taken<T>(&mut self, register: &str, semantic: &Semantic, other: Span) -> Result<T, Failed> {
        let message = format!("`{}` is given twice", semantic.name.text);
        let problem = Diagnostic::error(&SEMANTIC_TWICE, message);
        let problem =
            problem.label(semantic.name.span, format!("{register} is taken")).label(other, "by this");
        self.fail(problem.help("give one of them another semantic"))
    }
}

/// How many registers a type takes as an input or output.
fn registers(ty: &Type) -> u32 {
    match ty {
        Type::Numeric(Numeric { shape: Shape::Matrix(rows, _), .. }) => u32::from(*rows),
        Type::Array(of, count) => registers(of).saturating_mul(*count),
        _ => 1,
    }
}
