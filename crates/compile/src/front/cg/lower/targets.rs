//! Places in memory: variables, and their parts.

use super::values::{Operand, Place, Stored, Value};
use super::writer::Writer;
use crate::front::cg::codes::{ASSIGN, INDEX, TYPE, UNKNOWN_MEMBER};
use crate::front::cg::lower::{constants, swizzle};
use crate::front::cg::tree::{Expr, Name};
use crate::front::cg::types::{BOOL, Base, INT, Numeric, Shape, Type, vector_size};
use gpuzoo_diag::suggest::nearest;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{BinaryOperator, Expression, Literal, Statement, SwizzleComponent};

/// naga's names of components.
pub fn pattern(lanes: &[u8]) -> [SwizzleComponent; 4] {
    let mut pattern = [SwizzleComponent::X; 4];
    for (to, lane) in pattern.iter_mut().zip(lanes) {
        *to = SwizzleComponent::XYZW.get(usize::from(*lane)).copied().unwrap_or(SwizzleComponent::X);
    }
    pattern
}

impl Writer<'_, '_> {
    /// The value of an operand.
    pub fn loaded(&mut self, operand: Operand, span: Span) -> Value {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(place) => self.load(&place, span),
        }
    }

    /// The value in a place.
    pub fn load(&mut self, place: &Place, span: Span) -> Value {
        if place.stored == Stored::Parts {
            let types: Vec<Type> = match &place.ty {
                Type::Array(of, count) => vec![(**of).clone(); *count as usize],
                Type::Struct(of) => of.fields.iter().map(|field| field.ty.clone()).collect(),
                _ => Vec::new(),
            };
            let all = Operand::Place(place.clone());
            let mut parts = Vec::new();
            for (at, ty) in (0..).zip(types) {
                let part = self.element(&all, at, ty, span);
                parts.push(self.loaded(part, span));
            }
            if let Ok(value) = self.compose(&place.ty, &parts, span) {
                return value;
            }
        }
        let mut expr = self.emit(Expression::Load { pointer: place.pointer }, span);
        if !place.lanes.is_empty() {
            let size = vector_size(place.lanes.len() as u8);
            expr =
                self.emit(Expression::Swizzle { size, vector: expr, pattern: pattern(&place.lanes) }, span);
        }
        let value = Value { expr, ty: place.ty.clone() };
        let Some(numeric) = place.ty.numeric() else { return value };
        if let (Stored::Wide, Shape::Matrix(rows, columns)) = (place.stored, numeric.shape) {
            let wide = numeric.shaped(Shape::Matrix(rows, 4));
            let rows = self.parts(&Value::new(expr, wide), wide, span);
            let row = Type::Numeric(numeric.shaped(Shape::Vector(columns)));
            let cut: Result<Vec<Value>, Failed> =
                rows.iter().map(|whole| self.converted(whole, &row, true, span)).collect();
            return cut.and_then(|rows| self.compose(&place.ty, &rows, span)).unwrap_or(value);
        }
        if place.stored != Stored::Floats {
            return value;
        }
        // Of bools that are floats, 0 is false.
        let zero = self.float(0.0, span);
        let zero = self.splat(&zero, numeric.with(Base::Float), span);
        let not_equal =
            Expression::Binary { op: BinaryOperator::NotEqual, left: value.expr, right: zero.expr };
        Value { expr: self.emit(not_equal, span), ty: place.ty.clone() }
    }

    /// Writes a value of a place's type.
    pub fn store(&mut self, place: &Place, value: &Value, span: Span) {
        if place.lanes.is_empty() {
            self.push(Statement::Store { pointer: place.pointer, value: value.expr }, span);
            return;
        }
        for (at, lane) in place.lanes.iter().enumerate() {
            let index = u32::from(*lane);
            let pointer = self.emit(Expression::AccessIndex { base: place.pointer, index }, span);
            let part = self.emit(Expression::AccessIndex { base: value.expr, index: at as u32 }, span);
            self.push(Statement::Store { pointer, value: part }, span);
        }
    }

    /// A place that can be changed; what cannot is reported.
    pub fn target(&mut self, operand: Operand, span: Span) -> Result<Place, Failed> {
        let why = match &operand {
            Operand::Value(_) => "the value of an expression",
            Operand::Place(place) => match place.fixed {
                Some(why) => why,
                None if place.repeats() => "one component twice",
                None => return Ok(place.clone()),
            },
        };
        let problem =
            Diagnostic::error(&ASSIGN, "this cannot be assigned to").label(span, format!("it is {why}"));
        self.fail(problem.help("assign to a variable: copy the value into one first"))
    }

    /// An element, row, component or field by its number.
    fn element(&mut self, of: &Operand, index: u32, ty: Type, span: Span) -> Operand {
        match of {
            Operand::Value(value) => Operand::Value(self.part(value, index, ty, span)),
            Operand::Place(place) => {
                let index = place.lanes.get(index as usize).map_or(index, |lane| u32::from(*lane));
                let pointer = self.emit(Expression::AccessIndex { base: place.pointer, index }, span);
                Operand::Place(place.part(pointer, ty))
            }
        }
    }

    /// `of.name`, all of which is at `span`.
    pub fn member(&mut self, of: Operand, name: &Name, span: Span) -> Result<Operand, Failed> {
        let ty = of.ty().clone();
        let help = match &ty {
            Type::Struct(struct_) => {
                let found = struct_.fields.iter().position(|field| field.name == name.text);
                if let Some((at, field)) = found.and_then(|at| Some((at, struct_.fields.get(at)?))) {
                    return Ok(self.element(&of, at as u32, field.ty.clone(), span));
                }
                if struct_.textures.contains(&name.text) {
                    return self.fail(super::texture(&name.text, name.span));
                }
                let names: Vec<&str> = struct_.fields.iter().map(|field| &*field.name).collect();
                if let Some(near) = nearest(&name.text, names.iter().copied()) {
                    let problem = self.no_member(&ty, name).did_you_mean(near, name.span, near);
                    return self.fail(problem);
                }
                format!("fields are `{}`", names.join("`, `"))
            }
            Type::Numeric(numeric) => match numeric.shape {
                Shape::Scalar | Shape::Vector(_) => {
                    let size = numeric.shape.count();
                    if let Some(lanes) = swizzle::components(&name.text, size) {
                        return Ok(self.swizzled(of, *numeric, &lanes, span));
                    }
                    let last = size.saturating_sub(1).min(3);
                    let of = |letters: &str| letters.get(..=usize::from(last)).unwrap_or("").to_owned();
                    format!("components are `{}` or `{}`, up to four of them", of("xyzw"), of("rgba"))
                }
                Shape::Matrix(rows, columns) => {
                    if let Some(elements) = swizzle::elements(&name.text, rows, columns) {
                        return self.elements(&of, *numeric, columns, &elements, span);
                    }
                    format!("elements are `_m00` to `_m{}{}`; `[0]` is a row", rows - 1, columns - 1)
                }
            },
            _ => "only structs, vectors and matrices have members".to_owned(),
        };
        let problem = self.no_member(&ty, name).help(help);
        self.fail(problem)
    }

    fn no_member(&self, ty: &Type, name: &Name) -> Diagnostic {
        let message = format!("`{ty}` has no `{}`", name.text);
        Diagnostic::error(&UNKNOWN_MEMBER, message).label(name.span, "no such member")
    }

    /// Components of a vector or scalar.
    fn swizzled(&mut self, of: Operand, numeric: Numeric, lanes: &[u8], span: Span) -> Operand {
        let shape = Shape::of(lanes.len() as u8);
        let ty = Type::Numeric(numeric.shaped(shape));
        match (numeric.shape, shape) {
            (Shape::Scalar, Shape::Scalar) => of,
            (Shape::Scalar, _) => {
                let value = self.loaded(of, span);
                Operand::Value(self.splat(&value, numeric.shaped(shape), span))
            }
            (_, Shape::Scalar) => self.element(&of, lanes.first().copied().unwrap_or(0).into(), ty, span),
            _ => match of {
                Operand::Value(value) => {
                    let (size, pattern) = (vector_size(lanes.len() as u8), pattern(lanes));
                    let swizzle = Expression::Swizzle { size, vector: value.expr, pattern };
                    Operand::Value(Value { expr: self.emit(swizzle, span), ty })
                }
                Operand::Place(place) => {
                    let lane = |lane: &u8| place.lanes.get(usize::from(*lane)).copied().unwrap_or(*lane);
                    let lanes = lanes.iter().map(lane).collect();
                    Operand::Place(Place { ty, lanes, ..place })
                }
            },
        }
    }

    /// Elements of a matrix: one, which has a place, or several.
    fn elements(
        &mut self,
        of: &Operand,
        numeric: Numeric,
        columns: u8,
        elements: &[(u8, u8)],
        span: Span,
    ) -> Result<Operand, Failed> {
        let row_type = Type::Numeric(numeric.shaped(Shape::Vector(columns)));
        let scalar = Type::Numeric(numeric.shaped(Shape::Scalar));
        let mut all = Vec::new();
        for (row, column) in elements {
            let row = self.element(of, u32::from(*row), row_type.clone(), span);
            all.push(self.element(&row, u32::from(*column), scalar.clone(), span));
        }
        if let [one] = all.as_slice() {
            return Ok(one.clone());
        }
        let parts: Vec<Value> = all.into_iter().map(|one| self.loaded(one, span)).collect();
        let ty = Type::Numeric(numeric.shaped(Shape::of(parts.len() as u8)));
        self.compose(&ty, &parts, span).map(Operand::Value)
    }

    /// `of[index]`, all of which is at `span`.
    pub fn indexed(&mut self, of: Operand, index: &Expr, span: Span) -> Result<Operand, Failed> {
        let ty = of.ty().clone();
        let (element, count) = match &ty {
            Type::Array(of, count) => ((**of).clone(), *count),
            Type::Numeric(numeric) => match numeric.shape {
                Shape::Vector(size) => (Type::Numeric(numeric.shaped(Shape::Scalar)), size.into()),
                Shape::Matrix(rows, columns) => {
                    (Type::Numeric(numeric.shaped(Shape::Vector(columns))), rows.into())
                }
                Shape::Scalar => return self.no_elements(&ty, span),
            },
            _ => return self.no_elements(&ty, span),
        };
        let mut known = constants::integer(index, &|name| self.constant(name));
        let mut at = None;
        if known.is_none() {
            let value = self.value(index)?;
            let value = self.converted(&value, &Type::Numeric(INT), true, index.span)?;
            if let Ok(Expression::Literal(Literal::I32(value))) =
                self.function.expressions.try_get(value.expr)
            {
                known = Some((*value).into());
            }
            at = Some(value.expr);
        }
        if let Some(known) = known {
            let Some(at) = u32::try_from(known).ok().filter(|at| *at < count) else {
                let problem = Diagnostic::error(&INDEX, format!("`{ty}` has no element {known}"));
                let problem = problem.label(index.span, format!("must be from 0 to {}", count - 1));
                return self.fail(problem);
            };
            return Ok(self.element(&of, at, element, span));
        }
        let Some(at) = at else { return Err(Failed) };
        match of {
            Operand::Place(place) if place.lanes.is_empty() => {
                let pointer = self.emit(Expression::Access { base: place.pointer, index: at }, span);
                Ok(Operand::Place(place.part(pointer, element)))
            }
            other => {
                let base = self.loaded(other, span);
                let expr = self.emit(Expression::Access { base: base.expr, index: at }, span);
                Ok(Operand::Value(Value { expr, ty: element }))
            }
        }
    }

    fn no_elements<T>(&mut self, ty: &Type, span: Span) -> Result<T, Failed> {
        let problem = Diagnostic::error(&TYPE, format!("`{ty}` has no elements")).at(span);
        self.fail(problem.help("arrays, vectors and matrices have"))
    }

    /// A condition.
    pub fn condition(&mut self, expression: &Expr) -> Result<Value, Failed> {
        let value = self.value(expression)?;
        let numeric = self.numeric(&value, "a condition", expression.span)?;
        if numeric.shape != Shape::Scalar {
            let problem = Diagnostic::error(&TYPE, format!("`{numeric}` is not one condition"));
            let problem = problem.label(expression.span, "expected a scalar");
            return self.fail(problem.help("`any(…)` or `all(…)` makes one of it"));
        }
        self.converted(&value, &Type::Numeric(BOOL), true, expression.span)
    }
}
