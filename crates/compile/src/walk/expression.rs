//! Expressions: what is known is computed now, the rest becomes operations.

use super::memory::{Place, Root, State};
use super::number::{Number, Numbers};
use super::types::{MOST_NUMBERS, Shape};
use super::{Frame, Global, Operand, Step, Walk, codes};
use crate::shader::sample;
use gpuzoo_ir::{Inst, Op1, Op2};
use gpuzoo_isa::Stage;
use gpuzoo_machine::target::conventions::Sampling;
use naga::proc::TypeResolution;
use naga::{BinaryOperator, Expression, Handle, RelationalFunction, SampleLevel, ScalarKind, UnaryOperator};
use std::rc::Rc;

/// What, added to any level of detail, gives the largest level, which is as far as levels go. Nothing finite does so for steps whose
/// length overflows.
const LARGEST: Number = Number::Float(f32::NEG_INFINITY);

impl<'a> Walk<'a> {
    /// The shape of an expression's type.
    pub(super) fn shape_in(&self, frame: &Frame<'a>, handle: Handle<Expression>) -> Step<Rc<Shape>> {
        match &frame.info[handle].ty {
            TypeResolution::Handle(ty) => self.shape(*ty),
            TypeResolution::Value(inner) => self.shape_of(inner),
        }
    }

    /// Evaluates an expression now, because the program says so here.
    pub(super) fn evaluate(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        handle: Handle<Expression>,
    ) -> Step<()> {
        self.at(frame.function.expressions.get_span(handle));
        let operand = self.compute(frame, state, handle)?;
        if let Some(integer) = self.emit.inexact {
            let help = "integers are floats in registers, which are exact up to 16777216";
            return self.stop(&codes::INEXACT, format!("a register does not hold {integer} exactly"), help);
        }
        if let (Operand::Numbers(numbers), Some(name)) =
            (&operand, frame.function.named_expressions.get(&handle))
        {
            self.emit.name(numbers, name);
        }
        self.keep(operand.len())?;
        frame.values.insert(handle, operand);
        Ok(())
    }

    /// What an expression is.
    pub(super) fn operand(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        handle: Handle<Expression>,
    ) -> Step<Operand> {
        if let Some(operand) = frame.values.get(&handle) {
            self.steps(operand.len() / super::READ_IN_STEP)?;
            return Ok(operand.clone());
        }
        self.step()?;
        self.depth += 1;
        if self.depth > super::MOST_DEPTH * 4 {
            return self.stop(
                &codes::TOO_LARGE,
                "expressions are nested too deeply",
                "give parts of it names of their own",
            );
        }
        let operand = self.compute(frame, state, handle)?;
        self.keep(operand.len())?;
        self.depth -= 1;
        // What is not evaluated at a certain place is the same everywhere.
        if frame.function.expressions[handle].needs_pre_emit() {
            frame.values.insert(handle, operand.clone());
        }
        Ok(operand)
    }

    /// The numbers of an expression.
    pub(super) fn numbers(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        handle: Handle<Expression>,
    ) -> Step<Numbers> {
        match self.operand(frame, state, handle)? {
            Operand::Numbers(numbers) => Ok(numbers),
            Operand::Pointer(place) => self.load(state, &place),
            Operand::Texture(_) | Operand::Sampler => self.unsupported("a texture is not a number"),
        }
    }

    /// The first number of an expression.
    pub(super) fn number(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        handle: Handle<Expression>,
    ) -> Step<Number> {
        Ok(self.numbers(frame, state, handle)?.first().copied().unwrap_or(Number::Nothing))
    }

    /// What a pointer leads to.
    pub(super) fn place(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        handle: Handle<Expression>,
    ) -> Step<Place> {
        match self.operand(frame, state, handle)? {
            Operand::Pointer(place) => Ok(place),
            _ => self.unsupported("only variables can be written"),
        }
    }

    /// A problem with something that no machine has.
    pub(super) fn unsupported<T>(&self, what: &str) -> Step<T> {
        self.stop(
            &codes::EXPRESSION,
            what,
            "programs compute with 32-bit floats, with integers and conditions as floats, and read textures by coordinates",
        )
    }

    fn compute(&mut self, frame: &mut Frame<'a>, state: &State, handle: Handle<Expression>) -> Step<Operand> {
        let module = self.module;
        Ok(Operand::Numbers(match &frame.function.expressions[handle] {
            Expression::Literal(literal) => match Number::literal(*literal) {
                Some(number) => vec![number],
                None => return self.unsupported("no machine has numbers of this type"),
            },
            Expression::Constant(constant) => self.global_numbers(module.constants[*constant].init)?,
            Expression::Override(handle) => self.overridden(*handle)?,
            Expression::ZeroValue(ty) => self.shape(*ty)?.kinds().map(Number::zero).collect(),
            Expression::Compose { components, .. } => {
                let mut all = Numbers::new();
                for component in components {
                    all.extend(self.numbers(frame, state, *component)?);
                    self.fits(all.len())?;
                }
                all
            }
            Expression::Splat { size, value } => {
                let value = self.number(frame, state, *value)?;
                vec![value; *size as usize]
            }
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.numbers(frame, state, *vector)?;
                pattern[..*size as usize]
                    .iter()
                    .map(|component| vector.get(*component as usize).copied().unwrap_or(Number::Nothing))
                    .collect()
            }
            Expression::Access { base, index } => {
                let index = self.number(frame, state, *index)?;
                return self.access(frame, state, *base, index, handle);
            }
            Expression::AccessIndex { base, index } => {
                return self.access(frame, state, *base, Number::Uint(*index), handle);
            }
            Expression::FunctionArgument(index) => {
                let operand = frame.arguments.get(*index as usize);
                return Ok(operand.cloned().unwrap_or(Operand::Numbers(Numbers::new())));
            }
            Expression::LocalVariable(local) => {
                let shape = self.shape(frame.function.local_variables[*local].ty)?;
                let root = Root::Variable(frame.locals + local.index());
                return Ok(Operand::Pointer(Place { root, first: 0, steps: Vec::new(), shape }));
            }
            Expression::GlobalVariable(global) => return self.global(*global),
            Expression::Load { pointer } => {
                let place = self.place(frame, state, *pointer)?;
                self.load(state, &place)?
            }
            Expression::ImageSample {
                image,
                coordinate,
                level,
                array_index,
                offset,
                depth_ref,
                gather,
                clamp_to_edge,
                sampler: _,
            } => {
                let Operand::Texture(unit) = self.operand(frame, state, *image)? else {
                    return self.unsupported("this is no texture");
                };
                let is_plain = array_index.is_none()
                    && offset.is_none()
                    && depth_ref.is_none()
                    && gather.is_none()
                    && !clamp_to_edge;
                if matches!(level, SampleLevel::Zero | SampleLevel::Exact(_)) && self.stage == Stage::Vertex {
                    let help = "pass what the texture holds as an attribute or a uniform";
                    return self.stop(&codes::EXPRESSION, "vertex programs have no textures", help);
                }
                let (sampling, added) = match level {
                    SampleLevel::Auto if is_plain => (Sampling::Filtered, None),
                    SampleLevel::Bias(bias) if is_plain => {
                        (Sampling::Biased, Some(self.number(frame, state, *bias)?))
                    }
                    SampleLevel::Zero if is_plain => (Sampling::Biased, Some(LARGEST)),
                    SampleLevel::Exact(level) if is_plain => {
                        let level = self.number(frame, state, *level)?;
                        // Below the largest level there is none.
                        if level.known().is_none_or(|level| level.is_nan() || level > 0.0) {
                            let help = "read level 0, add to the level that the coordinates have (a bias), or load a texel of a level by its number";
                            let message = "no machine reads a level of a texture with a filter, but level 0";
                            return self.stop(&codes::EXPRESSION, message, help);
                        }
                        (Sampling::Biased, Some(LARGEST))
                    }
                    _ => {
                        return self.unsupported(
                            "textures are read by coordinates alone: no layers, offsets, comparisons or slopes",
                        );
                    }
                };
                self.sample(frame, state, sample(sampling, unit), *coordinate, added)?
            }
            Expression::ImageLoad { image, coordinate, array_index: None, sample: None, level } => {
                let Operand::Texture(unit) = self.operand(frame, state, *image)? else {
                    return self.unsupported("this is no texture");
                };
                let level = level.map(|level| self.number(frame, state, level)).transpose()?;
                self.sample(frame, state, sample(Sampling::Texel, unit), *coordinate, level)?
            }
            Expression::Unary { op, expr } => {
                let numbers = self.numbers(frame, state, *expr)?;
                let kind = self.shape_in(frame, *expr)?.kind();
                match op {
                    UnaryOperator::Negate => self.negate(kind, &numbers),
                    UnaryOperator::LogicalNot => numbers
                        .into_iter()
                        .map(|number| self.typed(ScalarKind::Bool, |walk| walk.not(number)))
                        .collect(),
                    UnaryOperator::BitwiseNot if kind == ScalarKind::Bool => numbers
                        .into_iter()
                        .map(|number| self.typed(ScalarKind::Bool, |walk| walk.not(number)))
                        .collect(),
                    UnaryOperator::BitwiseNot => self.bitwise_not(&numbers)?,
                }
            }
            Expression::Binary { op, left, right } => self.binary(frame, state, *op, *left, *right)?,
            Expression::Select { condition, accept, reject } => {
                let condition = self.numbers(frame, state, *condition)?;
                let (yes, no) = (self.numbers(frame, state, *accept)?, self.numbers(frame, state, *reject)?);
                self.emit.select(&condition, &yes, &no)
            }
            Expression::Relational { fun, argument } => {
                let numbers = self.numbers(frame, state, *argument)?;
                match fun {
                    RelationalFunction::All => {
                        vec![numbers.into_iter().fold(Number::Bool(true), |all, own| self.and(all, own))]
                    }
                    RelationalFunction::Any => {
                        vec![numbers.into_iter().fold(Number::Bool(false), |any, own| self.or(any, own))]
                    }
                    RelationalFunction::IsNan | RelationalFunction::IsInf => {
                        return self.unsupported("shading languages let machines compute as if there were no NaN and no infinities");
                    }
                }
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let mut arguments = Vec::new();
                for argument in [Some(*arg), *arg1, *arg2, *arg3].into_iter().flatten() {
                    arguments.push((self.numbers(frame, state, argument)?, self.shape_in(frame, argument)?));
                }
                self.math(*fun, &arguments)?
            }
            Expression::As { expr, kind, convert } => {
                let numbers = self.numbers(frame, state, *expr)?;
                let from = self.shape_in(frame, *expr)?.kind();
                if convert.is_some_and(|width| width != 4 && *kind != ScalarKind::Bool) {
                    return self.unsupported("no machine has numbers of this width");
                }
                self.convert(&numbers, from, *kind, convert.is_none())?
            }
            Expression::Derivative { .. } => {
                return self.unsupported("no machine gives a program derivatives");
            }
            Expression::CallResult(_) => Numbers::new(),
            _ => return self.unsupported("no shader unit can do this"),
        }))
    }

    /// A texture read at coordinates, with a number for its level.
    fn sample(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        number: u8,
        coordinate: Handle<Expression>,
        level: Option<Number>,
    ) -> Step<Numbers> {
        let mut at = self.numbers(frame, state, coordinate)?;
        if let Some(level) = level {
            at.resize(3, Number::Float(0.0));
            at.push(level);
        }
        let at = self.emit.gather(&at);
        let texel = self.emit.push(Inst::Sample(number, at));
        Ok((0..4).map(|component| Number::Lane(texel, component)).collect())
    }

    /// The numbers of a constant expression of the module.
    pub(super) fn global_numbers(&mut self, handle: Handle<Expression>) -> Step<Numbers> {
        self.step()?;
        self.depth += 1;
        if self.depth > super::MOST_DEPTH * 4 {
            return self.stop(
                &codes::TOO_LARGE,
                "constants are nested too deeply",
                "give parts of it names of their own",
            );
        }
        let numbers = match &self.module.global_expressions[handle] {
            Expression::Literal(literal) => match Number::literal(*literal) {
                Some(number) => vec![number],
                None => return self.unsupported("no machine has numbers of this type"),
            },
            Expression::Constant(constant) => self.global_numbers(self.module.constants[*constant].init)?,
            Expression::Override(handle) => self.overridden(*handle)?,
            Expression::ZeroValue(ty) => self.shape(*ty)?.kinds().map(Number::zero).collect(),
            Expression::Compose { components, .. } => {
                let mut all = Numbers::new();
                for component in components {
                    all.extend(self.global_numbers(*component)?);
                    self.fits(all.len())?;
                }
                all
            }
            Expression::Splat { size, value } => {
                let value = self.global_numbers(*value)?.first().copied().unwrap_or(Number::Nothing);
                vec![value; *size as usize]
            }
            _ => return self.unsupported("this is not known when the program is compiled"),
        };
        self.keep(numbers.len())?;
        self.depth -= 1;
        Ok(numbers)
    }

    /// Stops at a value of more numbers than a variable has.
    fn fits(&self, numbers: usize) -> Step<()> {
        match numbers {
            0..=MOST_NUMBERS => Ok(()),
            _ => self.stop(
                &codes::TOO_LARGE,
                format!("the value has more than {MOST_NUMBERS} numbers"),
                "make it smaller, or pass its elements as uniforms",
            ),
        }
    }

    fn overridden(&mut self, handle: Handle<naga::Override>) -> Step<Numbers> {
        match self.module.overrides[handle].init {
            Some(init) => self.global_numbers(init),
            None => self.stop(
                &codes::EXPRESSION,
                "the `override` has no value",
                "give it one: `override name: f32 = 1.0;`",
            ),
        }
    }

    fn global(&mut self, handle: Handle<naga::GlobalVariable>) -> Step<Operand> {
        match self.globals.get(&handle) {
            Some(Global::Variable(variable, shape)) => {
                let root = Root::Variable(*variable);
                Ok(Operand::Pointer(Place { root, first: 0, steps: Vec::new(), shape: shape.clone() }))
            }
            Some(Global::Uniform(uniform, shape)) => {
                let root = Root::Uniform(*uniform);
                Ok(Operand::Pointer(Place { root, first: 0, steps: Vec::new(), shape: shape.clone() }))
            }
            Some(Global::Unread(shape)) => {
                let (root, shape) = (Root::Unread, shape.clone());
                Ok(Operand::Pointer(Place { root, first: 0, steps: Vec::new(), shape }))
            }
            Some(Global::Texture(unit)) => Ok(Operand::Texture(*unit)),
            Some(Global::Sampler) => Ok(Operand::Sampler),
            None => self.unsupported("no machine has such a variable"),
        }
    }

    /// A result as a number of a kind, if it is known.
    pub(super) fn typed(&mut self, kind: ScalarKind, compute: impl FnOnce(&mut Self) -> Number) -> Number {
        let number = compute(self);
        number.known().map_or(number, |value| Number::of_kind(value, kind))
    }

    fn binary(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Step<Numbers> {
        use naga::TypeInner::{Matrix, Vector};
        let (a, b) = (self.numbers(frame, state, left)?, self.numbers(frame, state, right)?);
        let [one, other] = [left, right].map(|handle| frame.info[handle].ty.inner_with(&self.module.types));
        let kind = self.shape_in(frame, left)?.kind();
        if op == BinaryOperator::Multiply {
            match (one, other) {
                (Matrix { rows, .. }, Vector { .. }) => {
                    return Ok(self.matrix_vector(&a, *rows as usize, &b));
                }
                (Vector { size, .. }, Matrix { .. }) => {
                    if let Some(turned) = transposed(&b, *size as usize) {
                        return Ok(self.matrix_vector(&turned, b.len() / *size as usize, &a));
                    }
                    return Ok(b.chunks(*size as usize).map(|column| self.emit.dot(&a, column)).collect());
                }
                (Matrix { rows, columns, .. }, Matrix { .. }) => {
                    let columns = b
                        .chunks(*columns as usize)
                        .map(|column| self.matrix_vector(&a, *rows as usize, column));
                    return Ok(columns.collect::<Vec<_>>().concat());
                }
                _ => {}
            }
        }
        let count = a.len().max(b.len());
        let spread = |numbers: Numbers| if numbers.len() == 1 { vec![numbers[0]; count] } else { numbers };
        let (a, b) = (spread(a), spread(b));
        if a.len() != b.len() {
            return self.unsupported("the two sides have different sizes");
        }
        if matches!(kind, ScalarKind::Sint | ScalarKind::Uint | ScalarKind::AbstractInt)
            && let Some(result) = self.integers(op, kind, &a, &b)?
        {
            return Ok(result);
        }
        // Matrices column by column.
        let width = match one {
            Matrix { rows, .. } => *rows as usize,
            _ => count.max(1),
        };
        let plain = |walk: &mut Self, op: Op2| -> Numbers {
            let columns = a.chunks(width).zip(b.chunks(width));
            columns.flat_map(|(a, b)| walk.emit.map2(op, a, b)).collect()
        };
        let result = match op {
            BinaryOperator::Add => plain(self, Op2::FAdd),
            BinaryOperator::Subtract => plain(self, Op2::FSub),
            BinaryOperator::Multiply => plain(self, Op2::FMul),
            BinaryOperator::Divide => plain(self, Op2::FDiv),
            BinaryOperator::Modulo => {
                // a - b · trunc(a ÷ b)
                let quotient = self.emit.map2(Op2::FDiv, &a, &b);
                let whole = self.truncate(&quotient);
                let product = self.emit.map2(Op2::FMul, &whole, &b);
                self.emit.map2(Op2::FSub, &a, &product)
            }
            BinaryOperator::Less => self.condition(Op2::FSlt, &a, &b),
            BinaryOperator::Greater => self.condition(Op2::FSlt, &b, &a),
            BinaryOperator::GreaterEqual => self.condition(Op2::FSge, &a, &b),
            BinaryOperator::LessEqual => self.condition(Op2::FSge, &b, &a),
            BinaryOperator::Equal => self.equal_all(&a, &b),
            BinaryOperator::NotEqual => {
                let same = self.equal_all(&a, &b);
                let one = vec![Number::Float(1.0); count];
                let other = self.emit.map2(Op2::FSub, &one, &same);
                conditions(other)
            }
            BinaryOperator::And | BinaryOperator::LogicalAnd => conditions(self.emit.map2(Op2::FMul, &a, &b)),
            BinaryOperator::InclusiveOr | BinaryOperator::LogicalOr => {
                conditions(a.iter().zip(&b).map(|(a, b)| self.or(*a, *b)).collect())
            }
            BinaryOperator::ExclusiveOr => {
                let difference = self.emit.map2(Op2::FSub, &a, &b);
                conditions(self.emit.map1(Op1::FAbs, &difference))
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                return self.unsupported("only integers can be shifted");
            }
        };
        Ok(result)
    }

    /// The sum of a matrix's columns, each times a component of a vector.
    pub(super) fn matrix_vector(&mut self, matrix: &[Number], rows: usize, vector: &[Number]) -> Numbers {
        if let Some(turned) = transposed(matrix, rows) {
            return turned.chunks(vector.len().max(1)).map(|row| self.emit.dot(vector, row)).collect();
        }
        let columns: Vec<&[Number]> = matrix.chunks(rows.max(1)).collect();
        // A column that is not scaled is where the sum begins: no product for it.
        let ones: Vec<usize> =
            (0..columns.len()).filter(|at| vector.get(*at).is_some_and(|v| v.is(1.0))).collect();
        let rest = (0..columns.len()).filter(|at| !ones.contains(at));
        let mut sum = vec![Number::Float(0.0); rows];
        for at in ones.iter().copied().chain(rest) {
            let factor = vec![vector.get(at).copied().unwrap_or(Number::Nothing); rows];
            sum = self.emit.mad(columns[at], &factor, &sum);
        }
        sum
    }

    /// A comparison, component by component.
    pub(super) fn condition(&mut self, op: Op2, a: &[Number], b: &[Number]) -> Numbers {
        conditions(self.emit.map2(op, a, b))
    }

    fn equal_all(&mut self, a: &[Number], b: &[Number]) -> Numbers {
        let (below, above) = (self.emit.map2(Op2::FSge, a, b), self.emit.map2(Op2::FSge, b, a));
        conditions(self.emit.map2(Op2::FMul, &below, &above))
    }
}

/// Known numbers as conditions.
fn conditions(numbers: Numbers) -> Numbers {
    let condition = |number: Number| number.known().map_or(number, |value| Number::Bool(value != 0.0));
    numbers.into_iter().map(condition).collect()
}

/// The numbers of a matrix row by row, if each row and no column is one value: it is the transpose of one that is kept by its columns.
fn transposed(matrix: &[Number], rows: usize) -> Option<Numbers> {
    let columns = matrix.len() / rows.max(1);
    let row = |row: usize| (0..columns).map(move |column| matrix[column * rows + row]);
    let is_whole = |numbers: &mut dyn Iterator<Item = Number>| {
        let first = numbers.next();
        let Some(Number::Lane(value, 0)) = first else { return false };
        (1..).zip(numbers).all(|(at, number)| number == Number::Lane(value, at))
    };
    let is_turned = rows > 1 && columns > 1 && (0..rows).all(|at| is_whole(&mut row(at)));
    is_turned.then(|| (0..rows).flat_map(row).collect())
}
