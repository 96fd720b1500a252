//! The entry point: what the pipeline gives becomes the arguments of the source's function, and what that gives, outputs.

use super::Lowering;
use super::values::{Place, Value};
use super::varyings::{Leaf, is_uniform};
use super::writer::Writer;
use crate::front::cg::codes::ENTRY;
use crate::front::cg::semantics::Output;
use crate::front::cg::tree::{Function, Name};
use crate::front::cg::types::{Base, FLOAT, Shape, Type};
use gpuzoo_diag::suggest::nearest;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{
    Binding, BuiltIn, EntryPoint, Expression, FunctionArgument, FunctionResult, Interpolation, Sampling,
    ShaderStage, Statement, StructMember, TypeInner,
};

impl Lowering<'_> {
    /// Makes the entry point of a name.
    pub(super) fn entry(&mut self, name: &str) -> Result<(), Failed> {
        let at = self.entry_place(name)?;
        let unit = self.unit;
        let Some(function) = unit.functions.get(at) else { return Err(Failed) };
        let signature = self.signature(at)?;
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let word = function.semantics.first().map(|word| (word.clone(), 0));
        self.leaves(&signature.result, word, "", function.name.span, &mut outputs)?;
        for (parameter, of) in function.parameters.iter().zip(&signature.parameters) {
            if is_uniform(parameter) {
                continue;
            }
            let word = parameter.semantics.first().map(|word| (word.clone(), 0));
            let Name { text, span } = &parameter.name;
            if of.is_in {
                self.leaves(&of.ty, word.clone(), text, *span, &mut inputs)?;
            }
            if of.is_out {
                self.leaves(&of.ty, word, text, *span, &mut outputs)?;
            }
        }
        let locations = self.input_locations(&inputs)?;
        let places = self.outputs(&outputs)?;
        let declared = |leaf: &Leaf| leaf.semantic.as_ref().map_or(leaf.span, |(own, _)| own.name.span);
        self.outputs = outputs.iter().map(|leaf| (leaf.name.clone(), declared(leaf))).collect();
        if !places.contains(&Output::Position) {
            let problem = Diagnostic::error(&ENTRY, format!("`{name}` gives no position"));
            let problem =
                problem.label(function.name.span, "expected an output with the semantic `POSITION`");
            return self.fail(problem.help("is it a vertex program? Others are not read"));
        }
        self.done.insert(at, super::State::Begun);
        let before = self.errors;
        let written = self.written(at, function, true);
        if self.errors > before {
            return Err(Failed);
        }
        let span = self.places.to_naga(function.name.span);
        let inner = self.module.functions.append(written?, span);
        let mut writer = Writer::new(self, name, Type::Void);
        writer.wrapper(inner, function, &signature, &inputs, &locations, &outputs, &places)?;
        let function = writer.finish();
        self.module.entry_points.push(EntryPoint {
            name: name.to_owned(),
            stage: ShaderStage::Vertex,
            early_depth_test: None,
            workgroup_size: [0; 3],
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        Ok(())
    }

    /// Where the unit has the entry point.
    fn entry_place(&mut self, name: &str) -> Result<usize, Failed> {
        let unit = self.unit;
        let all = self.functions.get(name).cloned().unwrap_or_default();
        let has_body = |at: &usize| unit.functions.get(*at).is_some_and(|function| function.body.is_some());
        let defined: Vec<usize> = all.into_iter().filter(has_body).collect();
        match defined.as_slice() {
            [at] => Ok(*at),
            [] => {
                let problem = Diagnostic::error(&ENTRY, format!("there is no function `{name}`"));
                let start = Span { end: self.whole.start, ..self.whole };
                let problem = problem.label(start, "in this source");
                let known: Vec<&str> = unit.functions.iter().map(|function| &*function.name.text).collect();
                let near = nearest(name, known.iter().copied()).or(known.first().copied());
                self.fail(match near {
                    Some(near) => problem.help(format!("`--entry {near}` compiles another one")),
                    None => problem.help("write one: `void main(…)`"),
                })
            }
            [first, second, ..] => {
                let place = |at: &usize| unit.functions.get(*at).map_or(self.whole, |of| of.name.span);
                let problem = Diagnostic::error(&ENTRY, format!("there are several functions `{name}`"));
                let problem = problem.label(place(second), "this one").label(place(first), "and this one");
                self.fail(problem.help("give the entry point a name of its own"))
            }
        }
    }
}

impl Writer<'_, '_> {
    /// The body of the entry point, which calls the source's function.
    #[expect(clippy::too_many_arguments, reason = "what the entry point is made of, used once")]
    fn wrapper(
        &mut self,
        inner: naga::Handle<naga::Function>,
        function: &Function,
        signature: &super::Signature,
        inputs: &[Leaf],
        locations: &[u32],
        outputs: &[Leaf],
        places: &[Output],
    ) -> Result<(), Failed> {
        let span = function.name.span;
        self.initialize_globals()?;
        let mut given = Vec::new();
        for (leaf, location) in inputs.iter().zip(locations) {
            given.push(self.input(leaf, *location)?);
        }
        let mut given = given.into_iter();
        let (mut passed, mut kept): (Vec<_>, Vec<(Place, Span)>) = (Vec::new(), Vec::new());
        for (parameter, of) in function.parameters.iter().zip(&signature.parameters) {
            if is_uniform(parameter) {
                continue;
            }
            let place = parameter.name.span;
            let value = if of.is_in { Some(self.gathered(&of.ty, &mut given, place)?) } else { None };
            if !of.is_out {
                passed.extend(value.map(|value| value.expr));
                continue;
            }
            let own = self.local(Some(&parameter.name.text), &of.ty, place)?;
            if let Some(value) = value {
                self.store(&own, &value, place);
            }
            passed.push(own.pointer);
            kept.push((own, place));
        }
        let result = match &signature.result {
            Type::Void => None,
            ty => Some(Value { expr: self.emit(Expression::CallResult(inner), span), ty: ty.clone() }),
        };
        let call =
            Statement::Call { function: inner, arguments: passed, result: result.as_ref().map(|of| of.expr) };
        self.push(call, span);
        let mut values: Vec<Value> = result.into_iter().collect();
        for (own, place) in kept {
            values.push(self.load(&own, place));
        }
        let mut parts = Vec::new();
        for value in values {
            self.split(&value, span, &mut parts);
        }
        self.output(&parts, outputs, places, span)
    }

    /// An input, of which components are floats in the pipeline.
    fn input(&mut self, leaf: &Leaf, location: u32) -> Result<Value, Failed> {
        let float = leaf.numeric.with(Base::Float);
        let ty = self.lowering.handle(&Type::Numeric(float), leaf.span)?;
        let binding = Binding::Location {
            location,
            interpolation: None,
            sampling: None,
            blend_src: None,
            per_primitive: false,
        };
        let at = self.function.arguments.len() as u32;
        let name = Some(leaf.name.clone());
        self.function.arguments.push(FunctionArgument { name, ty, binding: Some(binding) });
        let value = Value::new(self.emit(Expression::FunctionArgument(at), leaf.span), float);
        Ok(self.based(&value, float, leaf.numeric.base, leaf.span))
    }

    /// A value of a type of as many inputs as it has scalars and vectors.
    fn gathered(
        &mut self,
        ty: &Type,
        given: &mut impl Iterator<Item = Value>,
        span: Span,
    ) -> Result<Value, Failed> {
        let mut parts = Vec::new();
        match ty {
            Type::Numeric(numeric) => {
                let Shape::Matrix(rows, _) = numeric.shape else { return given.next().ok_or(Failed) };
                parts.extend(given.take(rows.into()));
            }
            Type::Array(of, count) => {
                for _ in 0..*count {
                    parts.push(self.gathered(of, given, span)?);
                }
            }
            Type::Struct(of) => {
                for field in &of.fields {
                    parts.push(self.gathered(&field.ty, given, field.span)?);
                }
            }
            Type::Void | Type::Opaque(_) => return Err(Failed),
        }
        self.compose(ty, &parts, span)
    }

    /// The scalars and vectors of a value, in the order of its leaves.
    fn split(&mut self, value: &Value, span: Span, parts: &mut Vec<Value>) {
        match value.ty.clone() {
            Type::Numeric(numeric) => match numeric.shape {
                Shape::Matrix(..) => parts.extend(self.parts(value, numeric, span)),
                _ => parts.push(value.clone()),
            },
            Type::Array(of, count) => {
                for at in 0..count {
                    let part = self.part(value, at, (*of).clone(), span);
                    self.split(&part, span, parts);
                }
            }
            Type::Struct(of) => {
                for (at, field) in of.fields.iter().enumerate() {
                    let part = self.part(value, at as u32, field.ty.clone(), span);
                    self.split(&part, span, parts);
                }
            }
            Type::Void | Type::Opaque(_) => {}
        }
    }

    /// The result of the entry point.
    fn output(
        &mut self,
        parts: &[Value],
        leaves: &[Leaf],
        places: &[Output],
        span: Span,
    ) -> Result<(), Failed> {
        let (mut members, mut values) = (Vec::new(), Vec::new());
        for ((part, leaf), place) in parts.iter().zip(leaves).zip(places) {
            let float = self.based(part, leaf.numeric, Base::Float, leaf.span);
            let numeric = leaf.numeric.with(Base::Float);
            let (value, binding) = match place {
                Output::Position => (self.position(&float, numeric.shape, leaf.span)?, {
                    Binding::BuiltIn(BuiltIn::Position { invariant: false })
                }),
                Output::PointSize => {
                    let value = self.converted(&float, &Type::Numeric(FLOAT), true, leaf.span)?;
                    (value, Binding::BuiltIn(BuiltIn::PointSize))
                }
                Output::Location(location) => (float, {
                    let (interpolation, sampling) =
                        (Some(Interpolation::Perspective), Some(Sampling::Center));
                    let location = *location;
                    Binding::Location {
                        location,
                        interpolation,
                        sampling,
                        blend_src: None,
                        per_primitive: false,
                    }
                }),
            };
            let ty = self.lowering.handle(&value.ty, leaf.span)?;
            let offset = 16 * members.len() as u32;
            members.push(StructMember { name: Some(leaf.name.clone()), ty, binding: Some(binding), offset });
            values.push(value.expr);
        }
        let inner = TypeInner::Struct { span: 16 * members.len() as u32, members };
        let name = self.function.name.as_deref().map(|name| format!("{name} result"));
        let ty = self.lowering.insert(name, inner, span);
        let value = self.emit(Expression::Compose { ty, components: values }, span);
        self.function.result = Some(FunctionResult { ty, binding: None });
        self.push(Statement::Return { value: Some(value) }, span);
        Ok(())
    }

    /// A position of four components: what is missing is 0, and w is 1.
    fn position(&mut self, value: &Value, shape: Shape, span: Span) -> Result<Value, Failed> {
        let mut parts = vec![value.clone()];
        for at in shape.count()..4 {
            parts.push(self.float(if at == 3 { 1.0 } else { 0.0 }, span));
        }
        match parts.as_slice() {
            [value] => Ok(value.clone()),
            parts => self.compose(&Type::Numeric(FLOAT.shaped(Shape::Vector(4))), parts, span),
        }
    }
}
