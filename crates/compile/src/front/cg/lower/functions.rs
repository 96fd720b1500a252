//! Functions of the source.

use super::Lowering;
use super::values::{Place, Stored, Value};
use super::writer::{Item, Writer};
use crate::front::cg::codes::{NO_VALUE, RECURSION};
use crate::front::cg::tree;
use crate::front::cg::tree::Function;
use crate::front::cg::types::Type;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{AddressSpace, Expression, FunctionArgument, FunctionResult, Handle, TypeInner};
use std::rc::Rc;

/// How far a function is.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// It is being lowered.
    Begun,
    /// It is in the module.
    Done(Handle<naga::Function>),
    /// It cannot be lowered, which was reported.
    Failed,
}

/// What a function takes and gives.
#[derive(Debug)]
pub struct Signature {
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub result: Type,
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: Type,
    /// True if it has a value before.
    pub is_in: bool,
    /// True if its value behind is kept.
    pub is_out: bool,
}

impl Lowering<'_> {
    /// What a function takes and gives, by its place in the unit.
    pub(super) fn signature(&mut self, at: usize) -> Result<Rc<Signature>, Failed> {
        if let Some(known) = self.signatures.get(&at) {
            return Ok(known.clone());
        }
        let unit = self.unit;
        let Some(function) = unit.functions.get(at) else { return Err(Failed) };
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let ty = self.resolve(&parameter.ty, &|_| None)?;
            let is_out = parameter.qualifiers.is_out;
            parameters.push(Parameter { ty, is_in: parameter.qualifiers.is_in || !is_out, is_out });
        }
        let result = self.resolve(&function.result, &|_| None)?;
        let signature = Rc::new(Signature { parameters, result });
        self.signatures.insert(at, signature.clone());
        Ok(signature)
    }

    /// The function at a place in the unit, which is called at `span`.
    pub(super) fn function(&mut self, at: usize, span: Span) -> Result<Handle<naga::Function>, Failed> {
        let unit = self.unit;
        let Some(function) = unit.functions.get(at) else { return Err(Failed) };
        match self.done.get(&at) {
            Some(State::Done(handle)) => return Ok(*handle),
            Some(State::Failed) => return Err(Failed),
            Some(State::Begun) => {
                let message = format!("`{}` is called while it runs", function.name.text);
                let problem = Diagnostic::error(&RECURSION, message).label(span, "called again here");
                let problem = problem.label(function.name.span, "declared here");
                return self.fail(problem.help("write a loop"));
            }
            None => {}
        }
        self.done.insert(at, State::Begun);
        let written = self.enter(span).and_then(|()| {
            let written = self.written(at, function, false);
            self.depth -= 1;
            written
        });
        let state = match written {
            Ok(written) => {
                let span = self.places.to_naga(function.name.span);
                State::Done(self.module.functions.append(written, span))
            }
            Err(Failed) => State::Failed,
        };
        self.done.insert(at, state);
        match state {
            State::Done(handle) => Ok(handle),
            _ => Err(Failed),
        }
    }

    /// Writes a function. Uniform parameters of the entry point become global variables.
    pub(super) fn written(
        &mut self,
        at: usize,
        function: &Function,
        is_entry: bool,
    ) -> Result<naga::Function, Failed> {
        let signature = self.signature(at)?;
        let mut writer = Writer::new(self, &function.name.text, signature.result.clone());
        if signature.result != Type::Void {
            let ty = writer.lowering.handle(&signature.result, function.name.span)?;
            writer.function.result = Some(FunctionResult { ty, binding: None });
        }
        let mut is_failed = false;
        for (parameter, of) in function.parameters.iter().zip(&signature.parameters) {
            let is_uniform = is_entry && super::varyings::is_uniform(parameter);
            is_failed |= writer.parameter(parameter, of, is_uniform).is_err();
        }
        if is_failed {
            return Err(Failed);
        }
        // Parameters and the variables of the body are in one scope.
        let before = writer.lowering.errors;
        writer.statements(function.body.as_deref().unwrap_or_default());
        if writer.lowering.errors > before {
            return Err(Failed);
        }
        if signature.result != Type::Void && !writer.is_dead() {
            let message = format!("`{}` may end without a value", function.name.text);
            let problem = Diagnostic::error(&NO_VALUE, message);
            let problem = problem.label(function.name.span, format!("it gives `{}`", signature.result));
            return writer.fail(problem.help("end every way through it with `return`"));
        }
        Ok(writer.finish())
    }
}

impl Writer<'_, '_> {
    fn parameter(
        &mut self,
        parameter: &tree::Variable,
        of: &Parameter,
        is_uniform: bool,
    ) -> Result<(), Failed> {
        let span = parameter.name.span;
        let place = if matches!(of.ty, Type::Opaque(_)) {
            None
        } else if is_uniform {
            let global = self.lowering.uniform(parameter, of.ty.clone())?;
            Some(self.global_place(&global, span)?)
        } else {
            Some(self.argument(&parameter.name.text, of, span)?)
        };
        let is_const = parameter.qualifiers.is_const;
        let place =
            place.map(|place| Place { fixed: place.fixed.or(is_const.then_some("a constant")), ..place });
        if parameter.name.text.is_empty() {
            return Ok(());
        }
        self.declare(&parameter.name, Item { place, constant: None, is_left: false, span })
    }

    /// A parameter that is passed: a value, which the function may change for itself, or a pointer.
    fn argument(&mut self, name: &str, of: &Parameter, span: Span) -> Result<Place, Failed> {
        let mut ty = self.lowering.handle(&of.ty, span)?;
        if of.is_out {
            let inner = TypeInner::Pointer { base: ty, space: AddressSpace::Function };
            ty = self.lowering.insert(None, inner, span);
        }
        let at = self.function.arguments.len() as u32;
        let named = (!name.is_empty()).then(|| name.to_owned());
        self.function.arguments.push(FunctionArgument { name: named, ty, binding: None });
        let expr = self.emit(Expression::FunctionArgument(at), span);
        if of.is_out {
            let ty = of.ty.clone();
            return Ok(Place { pointer: expr, ty, lanes: Vec::new(), fixed: None, stored: Stored::Plain });
        }
        let place = self.local(Some(name), &of.ty, span)?;
        self.store(&place, &Value { expr, ty: of.ty.clone() }, span);
        Ok(place)
    }
}
