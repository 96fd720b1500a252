//! Values of parts: `float4(v, 1)`, `{ 1, 2 }`.

use super::values::Value;
use super::writer::Writer;
use crate::front::cg::tree::{Expr, ExprKind};
use crate::front::cg::types::{Numeric, Shape, Type};
use gpuzoo_diag::{Span, counted};
use gpuzoo_isa::Failed;
use std::collections::VecDeque;

/// A part of a list, evaluated unless it is a list itself.
enum Part<'e> {
    List(&'e [Expr], Span),
    Value(Value, Span),
}

impl Writer<'_, '_> {
    /// `ty(arguments)`.
    pub fn constructed(&mut self, ty: &Type, arguments: &[Expr], span: Span) -> Result<Value, Failed> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push((self.value(argument)?, argument.span));
        }
        let Type::Numeric(numeric) = ty else {
            let parts = values.into_iter().map(|(value, place)| Part::Value(value, place)).collect();
            return self.filled(ty, parts, span);
        };
        match values.as_slice() {
            [(value, place)] => self.converted(value, ty, true, *place),
            _ => self.flattened(*numeric, &values, span),
        }
    }

    /// A vector or matrix of the components of several values, in order.
    fn flattened(&mut self, numeric: Numeric, values: &[(Value, Span)], span: Span) -> Result<Value, Failed> {
        let mut found = 0_usize;
        let mut all = Vec::new();
        for (value, place) in values {
            let of = self.numeric(value, "components", *place)?;
            found += usize::from(of.shape.count());
            all.push((self.based(value, of, numeric.base, *place), of.with(numeric.base)));
        }
        let wanted = usize::from(numeric.shape.count());
        if found != wanted {
            let message = format!("`{numeric}` has {}", counted(wanted, "component"));
            let help = if found < wanted { "give the others, too" } else { "leave some out, with a swizzle" };
            return self.mismatch(message, span, format!("{found} are given"), help);
        }
        let ty = Type::Numeric(numeric);
        let Shape::Matrix(_, columns) = numeric.shape else {
            let mut parts = Vec::new();
            for (value, of) in &all {
                match of.shape {
                    Shape::Matrix(..) => parts.extend(self.components(value, *of, span)),
                    _ => parts.push(value.clone()),
                }
            }
            return self.compose(&ty, &parts, span);
        };
        let row = numeric.shaped(Shape::Vector(columns));
        let rows: Vec<Value> = if all.iter().all(|(_, of)| *of == row) {
            all.into_iter().map(|(value, _)| value).collect()
        } else {
            let parts: Vec<Value> =
                all.iter().flat_map(|(value, of)| self.components(value, *of, span)).collect();
            let mut rows = Vec::new();
            for chunk in parts.chunks(columns.into()) {
                rows.push(self.compose(&Type::Numeric(row), chunk, span)?);
            }
            rows
        };
        self.compose(&ty, &rows, span)
    }

    /// Every component of a value.
    fn components(&mut self, value: &Value, numeric: Numeric, span: Span) -> Vec<Value> {
        let parts = self.parts(value, numeric, span);
        match numeric.shape {
            Shape::Matrix(_, columns) => {
                let row = numeric.shaped(Shape::Vector(columns));
                parts.iter().flat_map(|part| self.parts(part, row, span)).collect()
            }
            _ => parts,
        }
    }

    /// `{ … }` as a value of a type.
    pub fn listed(&mut self, ty: &Type, list: &[Expr], span: Span) -> Result<Value, Failed> {
        let mut parts = VecDeque::new();
        for expression in list {
            parts.push_back(match &expression.kind {
                ExprKind::List(inner) => Part::List(inner, expression.span),
                _ => Part::Value(self.value(expression)?, expression.span),
            });
        }
        self.filled(ty, parts, span)
    }

    /// A value of a type of all parts of a list.
    fn filled(&mut self, ty: &Type, mut parts: VecDeque<Part>, span: Span) -> Result<Value, Failed> {
        let value = self.nested(span, |writer| writer.taken(ty, &mut parts, span))?;
        match parts.front() {
            None => Ok(value),
            Some(Part::List(_, place) | Part::Value(_, place)) => {
                let message = format!("too many values for `{ty}`");
                self.mismatch(message, *place, "this has no place in it".to_owned(), "leave it out")
            }
        }
    }

    /// A value of a type of as many parts as it takes.
    fn taken(&mut self, ty: &Type, parts: &mut VecDeque<Part>, span: Span) -> Result<Value, Failed> {
        let mut made = Vec::new();
        match ty {
            Type::Array(of, count) => {
                for _ in 0..*count {
                    made.push(self.one(of, parts, span)?);
                }
            }
            Type::Struct(of) => {
                for field in &of.fields {
                    made.push(self.one(&field.ty, parts, span)?);
                }
            }
            Type::Numeric(numeric) => match numeric.shape {
                Shape::Scalar => return self.one(ty, parts, span),
                Shape::Matrix(rows, columns) => {
                    let row = Type::Numeric(numeric.shaped(Shape::Vector(columns)));
                    for _ in 0..rows {
                        made.push(self.one(&row, parts, span)?);
                    }
                }
                Shape::Vector(size) => {
                    let mut found = 0;
                    while found < size {
                        let part = self.part_of(*numeric, parts, span)?;
                        found = found.saturating_add(self.numeric(&part, "components", span)?.shape.count());
                        made.push(part);
                    }
                    let all: Vec<(Value, Span)> = made.into_iter().map(|part| (part, span)).collect();
                    return self.flattened(*numeric, &all, span);
                }
            },
            Type::Void | Type::Opaque(_) => {}
        }
        self.compose(ty, &made, span)
    }

    /// The next components of a vector.
    fn part_of(&mut self, numeric: Numeric, parts: &mut VecDeque<Part>, span: Span) -> Result<Value, Failed> {
        match parts.pop_front() {
            Some(Part::Value(value, place)) => {
                let of = self.numeric(&value, "components", place)?;
                Ok(self.based(&value, of, numeric.base, place))
            }
            Some(Part::List(list, place)) => {
                self.listed(&Type::Numeric(numeric.shaped(Shape::Scalar)), list, place)
            }
            None => self.missing(&Type::Numeric(numeric), span),
        }
    }

    /// The next element or field: a list of its own, a value, or the parts of one.
    fn one(&mut self, ty: &Type, parts: &mut VecDeque<Part>, span: Span) -> Result<Value, Failed> {
        match parts.pop_front() {
            None => self.missing(ty, span),
            Some(Part::List(list, place)) => self.listed(ty, list, place),
            Some(Part::Value(value, place)) => {
                let is_part = match (value.ty.numeric(), ty) {
                    (Some(of), Type::Numeric(wanted)) => {
                        of.shape == Shape::Scalar && wanted.shape != of.shape
                    }
                    (_, Type::Array(..) | Type::Struct(_)) => value.ty != *ty,
                    _ => false,
                };
                if !is_part {
                    return self.converted(&value, ty, false, place);
                }
                parts.push_front(Part::Value(value, place));
                self.nested(span, |writer| writer.taken(ty, parts, span))
            }
        }
    }

    fn missing<T>(&mut self, ty: &Type, span: Span) -> Result<T, Failed> {
        let help = "give a value for every component, element and field";
        self.mismatch(format!("a value of `{ty}` is missing"), span, "too few values".to_owned(), help)
    }
}
