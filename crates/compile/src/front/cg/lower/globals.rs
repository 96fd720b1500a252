//! Global variables.

use super::values::{Place, Stored, stored, stride};
use super::writer::Writer;
use crate::front::cg::codes::{DEFAULT, SEMANTIC, TWICE};
use crate::front::cg::lower::{Lowering, constants, first};
use crate::front::cg::tree::{Name, Semantic, Variable};
use crate::front::cg::types::{Base, Numeric, Shape, Type};
use crate::front::cg::{Uniform, semantics, tree};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{
    AddressSpace, GlobalVariable, Handle, MemoryDecorations, ResourceBinding, StructMember, TypeInner,
};
use std::num::NonZeroU32;

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// What stands for it; nothing for a texture.
    pub variable: Option<Handle<GlobalVariable>>,
    /// Its type.
    pub ty: Type,
    /// Why it cannot be changed, if it cannot.
    pub fixed: Option<&'static str>,
    /// Its value, if it is an integer that is known.
    pub constant: Option<i64>,
    /// How its numbers are in memory.
    pub stored: Stored,
    /// Where it is declared.
    pub span: Span,
}

/// The problem of a name that is declared again.
pub fn twice(name: &Name, other: Span) -> Diagnostic {
    let problem = Diagnostic::error(&TWICE, format!("`{}` is declared twice", name.text));
    problem.label(name.span, "declared again").label(other, "first declared here").help("rename one of them")
}

impl Lowering<'_> {
    /// What stands for a uniform of a type.
    fn stands_for(&mut self, ty: &Type, span: Span) -> Result<Handle<naga::Type>, Failed> {
        let inner = match (ty, stored(ty)) {
            (Type::Numeric(numeric), Stored::Floats) => numeric.with(Base::Float).inner(),
            (Type::Numeric(Numeric { base, shape: Shape::Matrix(rows, _) }), Stored::Wide) => {
                Numeric { base: *base, shape: Shape::Matrix(*rows, 4) }.inner()
            }
            (Type::Array(of, count), Stored::Parts) => {
                let base = self.stands_for(of, span)?;
                let Some(count) = NonZeroU32::new(*count) else { return Err(Failed) };
                TypeInner::Array { base, size: naga::ArraySize::Constant(count), stride: stride(of) }
            }
            (Type::Struct(of), Stored::Parts) => {
                let (mut members, mut offset) = (Vec::new(), 0_u32);
                for field in &of.fields {
                    let (name, ty) = (Some(field.name.to_string()), self.stands_for(&field.ty, span)?);
                    members.push(StructMember { name, ty, binding: None, offset });
                    offset = offset.saturating_add(stride(&field.ty));
                }
                TypeInner::Struct { members, span: offset }
            }
            _ => return self.handle(ty, span),
        };
        Ok(self.insert(None, inner, span))
    }

    /// Declares a global variable: a uniform, unless it is `static`, or `const` with a value.
    pub(super) fn global(&mut self, of: &Variable) -> Result<(), Failed> {
        if let Some(other) = self.globals.get(&of.name.text) {
            let other = other.span;
            return self.fail(twice(&of.name, other));
        }
        let is_own = of.qualifiers.is_static || (of.qualifiers.is_const && of.init.is_some());
        let ty = self.variable_type(of)?;
        let span = of.name.span;
        let global = if matches!(ty, Type::Opaque(_)) {
            Global { variable: None, ty, fixed: None, constant: None, stored: Stored::Plain, span }
        } else if is_own {
            let globals = &self.globals;
            let known = |name: &str| globals.get(name)?.constant;
            let init = of.init.as_ref().filter(|_| of.qualifiers.is_const);
            let is_int = ty.numeric().is_some_and(|numeric| numeric.base == Base::Int);
            let constant = init.filter(|_| is_int).and_then(|init| constants::integer(init, &known));
            let handle = self.handle(&ty, span)?;
            let variable = Some(self.variable(&of.name, handle, AddressSpace::Private, None));
            let fixed = of.qualifiers.is_const.then_some("a constant");
            Global { variable, ty, fixed, constant, stored: Stored::Plain, span }
        } else {
            self.uniform(of, ty)?
        };
        self.globals.insert(of.name.text.clone(), global);
        Ok(())
    }

    /// The type of a global variable or parameter, whose arrays may take their size from a list.
    fn variable_type(&mut self, of: &Variable) -> Result<Type, Failed> {
        let count = of.init.as_ref().and_then(|init| init.count());
        if let ([None, inner @ ..], Some(count)) = (of.ty.sizes.as_slice(), count) {
            let inner = tree::TypeName { name: of.ty.name.clone(), sizes: inner.to_vec() };
            let inner = self.resolve(&inner, &|_| None)?;
            return self.array(inner, u32::try_from(count).unwrap_or(0).max(1), of.name.span);
        }
        self.resolve(&of.ty, &|_| None)
    }

    fn variable(
        &mut self,
        name: &Name,
        ty: Handle<naga::Type>,
        space: AddressSpace,
        binding: Option<ResourceBinding>,
    ) -> Handle<GlobalVariable> {
        let variable = GlobalVariable {
            name: Some(name.text.to_string()),
            space,
            binding,
            ty,
            init: None,
            memory_decorations: MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, self.places.to_naga(name.span))
    }

    /// Makes a uniform, with the next binding.
    pub(super) fn uniform(&mut self, of: &Variable, ty: Type) -> Result<Global, Failed> {
        let span = of.name.span;
        let first = of.init.as_ref().and_then(|init| first::value(&ty, init));
        if let (Some(init), None) = (&of.init, &first) {
            let problem =
                Diagnostic::warning(&DEFAULT, format!("the first value of `{}` is not kept", of.name.text));
            let problem = problem.label(init.span, "not part of the program");
            self.report(
                problem.help("write numbers, set it where the program is used, or write `static const`"),
            );
        }
        let register = self.register(&of.semantics)?;
        let (handle, stored) = (self.stands_for(&ty, span)?, stored(&ty));
        let binding = u32::try_from(self.uniforms.len()).unwrap_or(u32::MAX);
        let binding = ResourceBinding { group: 0, binding };
        let variable = self.variable(&of.name, handle, AddressSpace::Uniform, Some(binding));
        self.uniforms.push(Uniform { variable, ty: ty.to_string(), register, first, span });
        Ok(Global { variable: Some(variable), ty, fixed: Some("a uniform"), constant: None, stored, span })
    }

    /// The constant register that semantics name: `C4`, `register(c4)`.
    fn register(&mut self, all: &[Semantic]) -> Result<Option<u16>, Failed> {
        for semantic in all {
            let word = match &semantic.argument {
                Some(argument) if semantic.name.text.eq_ignore_ascii_case("register") => argument,
                None => &semantic.name,
                _ => continue,
            };
            let register = semantics::constant(&word.text);
            if register.is_some() {
                return Ok(register);
            }
            if semantic.argument.is_some() {
                let message = format!("`{}` is no constant register", word.text);
                let problem = Diagnostic::error(&SEMANTIC, message).at(word.span);
                return self.fail(problem.help("uniforms are in registers `c0`, `c1` and so on"));
            }
        }
        Ok(None)
    }

    /// True if semantics put a parameter into a constant register.
    pub(super) fn is_in_constant(all: &[Semantic]) -> bool {
        all.iter().any(|semantic| {
            semantic.name.text.eq_ignore_ascii_case("register")
                || semantics::constant(&semantic.name.text).is_some()
        })
    }
}

impl Writer<'_, '_> {
    /// The place of a global variable; one that is a texture is reported.
    pub(super) fn global_place(&mut self, global: &Global, span: Span) -> Result<Place, Failed> {
        let Some(variable) = global.variable else {
            return self.fail(super::texture(&global.ty.to_string(), span));
        };
        let pointer = self.emit(naga::Expression::GlobalVariable(variable), span);
        let Global { ty, fixed, stored, .. } = global.clone();
        Ok(Place { pointer, ty, lanes: Vec::new(), fixed, stored })
    }

    /// Gives `static` and `const` variables their first values.
    pub(super) fn initialize_globals(&mut self) -> Result<(), Failed> {
        for of in &self.lowering.unit.globals {
            let Some(global) = self.lowering.globals.get(&of.name.text).cloned() else { continue };
            let is_own = of.qualifiers.is_static || of.qualifiers.is_const;
            let (Some(init), true, true) = (&of.init, is_own, global.variable.is_some()) else { continue };
            let value = self.initial(&global.ty, init)?;
            let place = self.global_place(&global, of.name.span)?;
            self.store(&Place { fixed: None, ..place }, &value, init.span);
        }
        Ok(())
    }
}
