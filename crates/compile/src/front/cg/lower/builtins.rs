//! The library of the vertex profiles.

use super::values::Value;
use super::writer::Writer;
use crate::front::cg::codes::{CALL, TYPE};
use crate::front::cg::tree::{Expr, Name};
use crate::front::cg::types::{BOOL, Base, FLOAT, Numeric, Shape, Type, vector_size};
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_isa::Failed;
use naga::{BinaryOperator, Expression, MathFunction as Math, PredeclaredType, RelationalFunction};

/// What a function does.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// naga's function of numbers of one type, component by component.
    Numbers(Math),
    /// The same of floats.
    Floats(Math),
    /// naga's function of floating-point vectors of one size, which gives such a vector.
    Vectors(Math),
    /// naga's function of floating-point vectors, which gives a scalar.
    Measure(Math),
    /// True if any component is, or if all are.
    Relation(RelationalFunction),
    /// A product of vectors and matrices.
    Product(super::products::Product),
    /// Made of others.
    Made(Made),
}

/// Functions that are made of others.
#[derive(Clone, Copy, Debug)]
enum Made {
    Clamp,
    Fmod,
    Frexp,
    Ldexp,
    Lit,
    Log10,
    Modf,
    Refract,
    Round,
    Sincos,
}

/// Functions: names, how many arguments they take, and what they do. `fract`, `inversesqrt` and `mix` are
/// GLSL's names, which cgc knows, too.
const FUNCTIONS: &[(&str, usize, Rule)] = &[
    ("abs", 1, Rule::Numbers(Math::Abs)),
    ("acos", 1, Rule::Floats(Math::Acos)),
    ("all", 1, Rule::Relation(RelationalFunction::All)),
    ("any", 1, Rule::Relation(RelationalFunction::Any)),
    ("asin", 1, Rule::Floats(Math::Asin)),
    ("atan", 1, Rule::Floats(Math::Atan)),
    ("atan2", 2, Rule::Floats(Math::Atan2)),
    ("ceil", 1, Rule::Floats(Math::Ceil)),
    ("clamp", 3, Rule::Made(Made::Clamp)),
    ("cos", 1, Rule::Floats(Math::Cos)),
    ("cosh", 1, Rule::Floats(Math::Cosh)),
    ("cross", 2, Rule::Vectors(Math::Cross)),
    ("degrees", 1, Rule::Floats(Math::Degrees)),
    ("determinant", 1, Rule::Product(super::products::Product::Determinant)),
    ("distance", 2, Rule::Measure(Math::Distance)),
    ("dot", 2, Rule::Measure(Math::Dot)),
    ("exp", 1, Rule::Floats(Math::Exp)),
    ("exp2", 1, Rule::Floats(Math::Exp2)),
    ("faceforward", 3, Rule::Vectors(Math::FaceForward)),
    ("floor", 1, Rule::Floats(Math::Floor)),
    ("fmod", 2, Rule::Made(Made::Fmod)),
    ("frac", 1, Rule::Floats(Math::Fract)),
    ("fract", 1, Rule::Floats(Math::Fract)),
    ("frexp", 2, Rule::Made(Made::Frexp)),
    ("inversesqrt", 1, Rule::Floats(Math::InverseSqrt)),
    ("ldexp", 2, Rule::Made(Made::Ldexp)),
    ("length", 1, Rule::Measure(Math::Length)),
    ("lerp", 3, Rule::Floats(Math::Mix)),
    ("lit", 3, Rule::Made(Made::Lit)),
    ("log", 1, Rule::Floats(Math::Log)),
    ("log10", 1, Rule::Made(Made::Log10)),
    ("log2", 1, Rule::Floats(Math::Log2)),
    ("max", 2, Rule::Numbers(Math::Max)),
    ("min", 2, Rule::Numbers(Math::Min)),
    ("mix", 3, Rule::Floats(Math::Mix)),
    ("modf", 2, Rule::Made(Made::Modf)),
    ("mul", 2, Rule::Product(super::products::Product::Mul)),
    ("normalize", 1, Rule::Vectors(Math::Normalize)),
    ("pow", 2, Rule::Floats(Math::Pow)),
    ("radians", 1, Rule::Floats(Math::Radians)),
    ("reflect", 2, Rule::Vectors(Math::Reflect)),
    ("refract", 3, Rule::Made(Made::Refract)),
    ("round", 1, Rule::Made(Made::Round)),
    ("rsqrt", 1, Rule::Floats(Math::InverseSqrt)),
    ("saturate", 1, Rule::Floats(Math::Saturate)),
    ("sign", 1, Rule::Numbers(Math::Sign)),
    ("sin", 1, Rule::Floats(Math::Sin)),
    ("sincos", 3, Rule::Made(Made::Sincos)),
    ("sinh", 1, Rule::Floats(Math::Sinh)),
    ("smoothstep", 3, Rule::Floats(Math::SmoothStep)),
    ("sqrt", 1, Rule::Floats(Math::Sqrt)),
    ("step", 2, Rule::Floats(Math::Step)),
    ("tan", 1, Rule::Floats(Math::Tan)),
    ("tanh", 1, Rule::Floats(Math::Tanh)),
    ("transpose", 1, Rule::Product(super::products::Product::Transpose)),
    ("trunc", 1, Rule::Floats(Math::Trunc)),
];

/// Functions of Cg's library that are for other profiles.
pub const ABSENT: &[&str] = &[
    "bitCount",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "clip",
    "ddx",
    "ddy",
    "emitVertex",
    "findLSB",
    "findMSB",
    "floatToIntBits",
    "floatToRawIntBits",
    "fwidth",
    "intBitsToFloat",
    "inverse",
    "isfinite",
    "isinf",
    "isnan",
    "noise",
    "pack_2half",
    "pack_2ushort",
    "pack_4byte",
    "pack_4ubyte",
    "restartStrip",
    "unpack_2half",
    "unpack_2ushort",
    "unpack_4byte",
    "unpack_4ubyte",
];

fn found(name: &str) -> Option<&'static (&'static str, usize, Rule)> {
    FUNCTIONS.iter().find(|(known, ..)| *known == name)
}

/// How many arguments a function takes, if the library has it.
pub fn count(name: &str) -> Option<usize> {
    found(name).map(|(_, count, _)| *count)
}

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}

impl Writer<'_, '_> {
    /// A function of the library.
    pub fn builtin(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Result<Option<Value>, Failed> {
        let Some((_, count, rule)) = found(&name.text) else { return Err(Failed) };
        if arguments.len() != *count {
            let message = format!("`{}` takes {}", name.text, counted(*count, "argument"));
            let problem =
                Diagnostic::error(&CALL, message).label(span, format!("{} are given", arguments.len()));
            return self.fail(problem.help("give it as many as it takes"));
        }
        if let (Rule::Made(Made::Sincos), [angle, sine, cosine]) = (rule, arguments) {
            self.sincos(angle, [sine, cosine], span)?;
            return Ok(None);
        }
        if let (Rule::Made(made @ (Made::Frexp | Made::Modf)), [of, target]) = (rule, arguments) {
            return self.two_results(*made, name, of, target, span).map(Some);
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push((self.value(argument)?, argument.span));
        }
        self.ruled(name, *rule, &values, span).map(Some)
    }

    fn ruled(
        &mut self,
        name: &Name,
        rule: Rule,
        values: &[(Value, Span)],
        span: Span,
    ) -> Result<Value, Failed> {
        match rule {
            Rule::Numbers(function) => self.componentwise(name, function, Base::Int, values, span),
            Rule::Floats(function) => self.componentwise(name, function, Base::Float, values, span),
            Rule::Vectors(function) => {
                let values = self.vectors(name, matches!(function, Math::Cross).then_some(3), values)?;
                let ty = values.first().map_or(Type::Numeric(FLOAT), |value| value.ty.clone());
                Ok(Value { ty, ..self.math(function, &values, FLOAT, span) })
            }
            Rule::Measure(function) => {
                let (values, numeric) = self.unified(values, Base::Float)?;
                match (numeric.shape, function, values.as_slice()) {
                    (Shape::Matrix(..), ..) => self.no_matrix(name, numeric),
                    (Shape::Scalar, Math::Dot, [left, right]) => Ok(self.times(left, right, span)),
                    _ => Ok(self.math(function, &values, FLOAT, span)),
                }
            }
            Rule::Relation(function) => {
                let Some((value, place)) = values.first() else { return Err(Failed) };
                let (value, numeric) = self.all_bool(value, *place)?;
                if numeric.shape == Shape::Scalar {
                    return Ok(value);
                }
                let relation = Expression::Relational { fun: function, argument: value.expr };
                Ok(Value::new(self.emit(relation, span), BOOL))
            }
            Rule::Product(product) => self.product(product, name, values, span),
            Rule::Made(made) => self.made(made, name, values, span),
        }
    }

    /// One of naga's functions; the values have its types.
    pub fn math(&mut self, fun: Math, values: &[Value], result: Numeric, span: Span) -> Value {
        let at = |index: usize| values.get(index).map(|value| value.expr);
        let Some(arg) = at(0) else { return self.float(0.0, span) };
        let expression = Expression::Math { fun, arg, arg1: at(1), arg2: at(2), arg3: None };
        Value::new(self.emit(expression, span), result)
    }

    fn componentwise(
        &mut self,
        name: &Name,
        function: Math,
        least: Base,
        values: &[(Value, Span)],
        span: Span,
    ) -> Result<Value, Failed> {
        self.one_size(name, values)?;
        let (values, numeric) = self.unified(values, least)?;
        if matches!(numeric.shape, Shape::Matrix(..)) {
            return self.no_matrix(name, numeric);
        }
        Ok(self.math(function, &values, numeric, span))
    }

    /// Refuses vectors of different sizes, of which cgc takes no more than the first components, in some functions and orders.
    fn one_size(&mut self, name: &Name, values: &[(Value, Span)]) -> Result<(), Failed> {
        let mut first: Option<(Numeric, Span)> = None;
        for (value, place) in values {
            let numeric = self.numeric(value, "a number or vector", *place)?;
            match first {
                _ if numeric.shape == Shape::Scalar => {}
                Some((one, other)) if one.shape != numeric.shape => {
                    let message = format!("`{}` of `{one}` and `{numeric}` is not clear", name.text);
                    let problem =
                        Diagnostic::error(&TYPE, message).label(*place, format!("this is `{numeric}`"));
                    let problem = problem.label(other, format!("this is `{one}`"));
                    return self.fail(problem.help("cut the longer one with a swizzle: `.xyz`"));
                }
                _ => first = Some((numeric, *place)),
            }
        }
        Ok(())
    }

    fn no_matrix<T>(&mut self, name: &Name, numeric: Numeric) -> Result<T, Failed> {
        let problem = Diagnostic::error(&TYPE, format!("`{}` is not for `{numeric}`", name.text));
        self.fail(problem.label(name.span, "not of matrices").help("do it for each row: `m[0]`"))
    }

    /// Floating-point vectors of one size, which must be `size`, if there is one.
    fn vectors(
        &mut self,
        name: &Name,
        size: Option<u8>,
        values: &[(Value, Span)],
    ) -> Result<Vec<Value>, Failed> {
        let (values, numeric) = match size {
            Some(size) => {
                let numeric = FLOAT.shaped(Shape::Vector(size));
                let mut all = Vec::new();
                for (value, place) in values {
                    all.push(self.converted(value, &Type::Numeric(numeric), false, *place)?);
                }
                (all, numeric)
            }
            None => self.unified(values, Base::Float)?,
        };
        if matches!(numeric.shape, Shape::Vector(_)) {
            return Ok(values);
        }
        let problem = Diagnostic::error(&TYPE, format!("`{}` is of vectors", name.text));
        self.fail(problem.label(name.span, format!("used with `{numeric}`")).help("give it a vector"))
    }

    /// A product, component by component.
    pub fn times(&mut self, left: &Value, right: &Value, span: Span) -> Value {
        let op = BinaryOperator::Multiply;
        let expr = self.emit(Expression::Binary { op, left: left.expr, right: right.expr }, span);
        Value { expr, ty: left.ty.clone() }
    }

    fn made(
        &mut self,
        made: Made,
        name: &Name,
        values: &[(Value, Span)],
        span: Span,
    ) -> Result<Value, Failed> {
        if !matches!(made, Made::Refract) {
            self.one_size(name, values)?;
        }
        let (unified, numeric) = match made {
            Made::Refract => (Vec::new(), FLOAT),
            Made::Clamp => self.unified(values, Base::Int)?,
            _ => self.unified(values, Base::Float)?,
        };
        if matches!(numeric.shape, Shape::Matrix(..)) {
            return self.no_matrix(name, numeric);
        }
        match (made, unified.as_slice(), values) {
            // In this order, unlike naga's: where the bounds are the wrong way round, the lower one counts.
            (Made::Clamp, [of, low, high], _) => {
                let below = self.math(Math::Min, &[of.clone(), high.clone()], numeric, span);
                Ok(self.math(Math::Max, &[below, low.clone()], numeric, span))
            }
            (Made::Fmod, [left, right], _) => {
                let op = BinaryOperator::Modulo;
                let expr = self.emit(Expression::Binary { op, left: left.expr, right: right.expr }, span);
                Ok(Value::new(expr, numeric))
            }
            // As cgc has it: halves are rounded up, not to even numbers.
            (Made::Round, [of], _) => {
                let half = self.float(0.5, span);
                let half = self.splat(&half, numeric, span);
                let (op, left, right) = (BinaryOperator::Add, of.expr, half.expr);
                let sum = Value::new(self.emit(Expression::Binary { op, left, right }, span), numeric);
                Ok(self.math(Math::Floor, &[sum], numeric, span))
            }
            (Made::Ldexp, [left, right], _) => {
                let power = self.math(Math::Exp2, std::slice::from_ref(right), numeric, span);
                Ok(self.times(left, &power, span))
            }
            (Made::Log10, [of], _) => {
                let two = self.math(Math::Log2, std::slice::from_ref(of), numeric, span);
                let factor = self.float(std::f32::consts::LOG10_2, span);
                let factor = self.splat(&factor, numeric, span);
                Ok(self.times(&two, &factor, span))
            }
            (Made::Lit, [diffuse, specular, power], _) => {
                if numeric.shape != Shape::Scalar {
                    let problem = Diagnostic::error(&TYPE, "`lit` is of scalars");
                    let problem = problem.label(span, format!("used with `{numeric}`"));
                    return self.fail(problem.help("give it n·l, n·h and the exponent"));
                }
                self.lit(diffuse, specular, power, span)
            }
            (Made::Refract, _, [incident, normal, (ratio, place)]) => {
                let mut vectors = self.vectors(name, None, &[incident.clone(), normal.clone()])?;
                let ty = vectors.first().map_or(Type::Numeric(FLOAT), |value| value.ty.clone());
                vectors.push(self.converted(ratio, &Type::Numeric(FLOAT), false, *place)?);
                Ok(Value { ty, ..self.math(Math::Refract, &vectors, FLOAT, span) })
            }
            _ => Err(Failed),
        }
    }

    /// (1, max(n·l, 0), n·l and n·h > 0 ? n·h to the power : 0, 1).
    fn lit(&mut self, diffuse: &Value, specular: &Value, power: &Value, span: Span) -> Result<Value, Failed> {
        let (zero, one) = (self.float(0.0, span), self.float(1.0, span));
        let lit = self.math(Math::Max, &[diffuse.clone(), zero.clone()], FLOAT, span);
        let shine = self.math(Math::Pow, &[specular.clone(), power.clone()], FLOAT, span);
        let above = |writer: &mut Self, of: &Value| {
            let (op, left, right) = (BinaryOperator::Greater, of.expr, zero.expr);
            writer.emit(Expression::Binary { op, left, right }, span)
        };
        let (left, right) = (above(self, diffuse), above(self, specular));
        let both = self.emit(Expression::Binary { op: BinaryOperator::LogicalAnd, left, right }, span);
        let select = Expression::Select { condition: both, accept: shine.expr, reject: zero.expr };
        let shine = Value::new(self.emit(select, span), FLOAT);
        let ty = Type::Numeric(FLOAT.shaped(Shape::Vector(4)));
        self.compose(&ty, &[one.clone(), lit, shine, one], span)
    }

    fn sincos(&mut self, angle: &Expr, targets: [&Expr; 2], span: Span) -> Result<(), Failed> {
        let value = self.value(angle)?;
        let (values, numeric) = self.unified(&[(value, angle.span)], Base::Float)?;
        if matches!(numeric.shape, Shape::Matrix(..)) {
            let problem = Diagnostic::error(&TYPE, "`sincos` is not for matrices").at(span);
            return self.fail(problem.help("do it for each row: `m[0]`"));
        }
        for (function, target) in [Math::Sin, Math::Cos].into_iter().zip(targets) {
            let place = self.operand(target)?;
            let place = self.target(place, target.span)?;
            let value = self.math(function, &values, numeric, span);
            let value = self.converted(&value, &place.ty, false, target.span)?;
            self.store(&place, &value, span);
        }
        Ok(())
    }

    /// The fraction of a number; what it goes with, the whole part or the exponent, is stored.
    fn two_results(
        &mut self,
        made: Made,
        name: &Name,
        of: &Expr,
        target: &Expr,
        span: Span,
    ) -> Result<Value, Failed> {
        let value = self.value(of)?;
        let (values, numeric) = self.unified(&[(value, of.span)], Base::Float)?;
        let size = match numeric.shape {
            Shape::Matrix(..) => return self.no_matrix(name, numeric),
            Shape::Vector(size) => Some(vector_size(size)),
            Shape::Scalar => None,
        };
        let (scalar, is_modf) = (naga::Scalar::F32, matches!(made, Made::Modf));
        let (function, result, other) = match is_modf {
            true => (Math::Modf, PredeclaredType::ModfResult { size, scalar }, numeric),
            false => (
                Math::Frexp,
                PredeclaredType::FrexpResult { size, scalar },
                Numeric { base: Base::Int, ..numeric },
            ),
        };
        self.lowering.module.generate_predeclared_type(result);
        let base = self.math(function, &values, numeric, span).expr;
        let fraction = Value::new(self.emit(Expression::AccessIndex { base, index: 0 }, span), numeric);
        let other = Value::new(self.emit(Expression::AccessIndex { base, index: 1 }, span), other);
        let place = self.operand(target)?;
        let place = self.target(place, target.span)?;
        let other = self.converted(&other, &place.ty, false, target.span)?;
        self.store(&place, &other, span);
        Ok(fraction)
    }
}
