//! A function that is being written: its expressions, and the blocks that are open.

use super::Lowering;
use super::values::{Place, Stored, Value};
use crate::front::cg::codes;
use crate::front::cg::types::{FLOAT, Numeric, Shape, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Block, Expression, Function, Handle, Literal, LocalVariable, Statement};
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// What a name in a function is.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its place; nothing for a texture.
    pub place: Option<Place>,
    /// Its value, if it is an integer that is known.
    pub constant: Option<i64>,
    /// True if the loop that declares it has ended: the name is free again.
    pub is_left: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A block under way.
struct Open {
    block: Block,
    /// True behind a `return`, `break` or `continue`: what follows is checked and left out.
    is_dead: bool,
}

/// What `break` leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// A loop.
    Loop,
    /// A `switch`; true if a `break` has left it.
    Switch(bool),
}

/// A function under way.
pub struct Writer<'w, 'a> {
    /// The module.
    pub lowering: &'w mut Lowering<'a>,
    /// What is written.
    pub function: Function,
    blocks: Vec<Open>,
    /// Names, the innermost scope last.
    pub scopes: Vec<HashMap<Rc<str>, Item>>,
    /// The loops and switches that are open, the innermost last.
    pub inside: Vec<Inside>,
    /// What the function gives.
    pub result: Type,
}

impl<'w, 'a> Writer<'w, 'a> {
    /// A function without anything yet.
    pub fn new(lowering: &'w mut Lowering<'a>, name: &str, result: Type) -> Writer<'w, 'a> {
        Writer {
            lowering,
            function: Function { name: Some(name.to_owned()), ..Function::default() },
            blocks: vec![Open { block: Block::new(), is_dead: false }],
            scopes: vec![HashMap::default()],
            inside: Vec::new(),
            result,
        }
    }

    /// Reports a problem.
    pub fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.lowering.fail(problem)
    }

    /// Does something one level deeper.
    pub fn nested<T>(
        &mut self,
        span: Span,
        write: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.lowering.enter(span)?;
        let done = write(self);
        self.lowering.depth -= 1;
        done
    }

    /// The function, with all that was written.
    pub fn finish(mut self) -> Function {
        let (block, _) = self.close();
        self.function.body = block;
        self.function
    }

    /// Begins a block in the one under way.
    pub fn open(&mut self) {
        self.blocks.push(Open { block: Block::new(), is_dead: false });
    }

    /// Ends the block under way: what is in it, and whether its end is never reached.
    pub fn close(&mut self) -> (Block, bool) {
        self.blocks.pop().map_or((Block::new(), false), |open| (open.block, open.is_dead))
    }

    /// True if what is written now would never run.
    pub fn is_dead(&self) -> bool {
        self.blocks.last().is_some_and(|open| open.is_dead)
    }

    /// Says that the end of the block under way is never reached.
    pub fn kill(&mut self) {
        if let Some(open) = self.blocks.last_mut() {
            open.is_dead = true;
        }
    }

    /// Writes a statement.
    pub fn push(&mut self, statement: Statement, span: Span) {
        let span = self.lowering.places.to_naga(span);
        if let Some(open) = self.blocks.last_mut().filter(|open| !open.is_dead) {
            open.block.push(statement, span);
        }
    }

    /// Writes an expression, which is evaluated here.
    pub fn emit(&mut self, expression: Expression, span: Span) -> Handle<Expression> {
        let is_made_before = expression.needs_pre_emit() || matches!(expression, Expression::CallResult(_));
        let handle = self.function.expressions.append(expression, self.lowering.places.to_naga(span));
        if !is_made_before {
            self.push(Statement::Emit(naga::Range::new_from_bounds(handle, handle)), span);
        }
        handle
    }

    /// A float.
    pub fn float(&mut self, value: f32, span: Span) -> Value {
        Value::new(self.emit(Expression::Literal(Literal::F32(value)), span), FLOAT)
    }

    /// A new variable.
    pub fn local(&mut self, name: Option<&str>, ty: &Type, span: Span) -> Result<Place, Failed> {
        let handle = self.lowering.handle(ty, span)?;
        let variable = LocalVariable { name: name.map(str::to_owned), ty: handle, init: None };
        let variable = self.function.local_variables.append(variable, self.lowering.places.to_naga(span));
        let pointer = self.emit(Expression::LocalVariable(variable), span);
        Ok(Place { pointer, ty: ty.clone(), lanes: Vec::new(), fixed: None, stored: Stored::Plain })
    }

    /// A component, row, element or field of a value.
    pub fn part(&mut self, of: &Value, index: u32, ty: Type, span: Span) -> Value {
        Value { expr: self.emit(Expression::AccessIndex { base: of.expr, index }, span), ty }
    }

    /// The rows of a matrix, or the components of a vector, or a scalar itself.
    pub fn parts(&mut self, of: &Value, numeric: Numeric, span: Span) -> Vec<Value> {
        let (count, shape) = match numeric.shape {
            Shape::Scalar => return vec![of.clone()],
            Shape::Vector(size) => (size, Shape::Scalar),
            Shape::Matrix(rows, columns) => (rows, Shape::Vector(columns)),
        };
        let ty = Type::Numeric(numeric.shaped(shape));
        (0..u32::from(count)).map(|at| self.part(of, at, ty.clone(), span)).collect()
    }

    /// A vector of scalars and vectors, a matrix of rows, an array of elements, or a struct of fields.
    pub fn compose(&mut self, ty: &Type, parts: &[Value], span: Span) -> Result<Value, Failed> {
        if let (Some(Numeric { shape: Shape::Scalar, .. }), [part]) = (ty.numeric(), parts) {
            return Ok(part.clone());
        }
        let handle = self.lowering.handle(ty, span)?;
        let components = parts.iter().map(|part| part.expr).collect();
        Ok(Value { expr: self.emit(Expression::Compose { ty: handle, components }, span), ty: ty.clone() })
    }

    /// Zero of a type.
    pub fn zero(&mut self, ty: &Type, span: Span) -> Result<Value, Failed> {
        let handle = self.lowering.handle(ty, span)?;
        Ok(Value { expr: self.emit(Expression::ZeroValue(handle), span), ty: ty.clone() })
    }

    /// The numbers of a value; what has others is reported, with what is wanted.
    pub fn numeric(&mut self, value: &Value, wanted: &str, span: Span) -> Result<Numeric, Failed> {
        match value.ty.numeric() {
            Some(numeric) => Ok(numeric),
            None => {
                let message = format!("`{}` is not a number", value.ty);
                let problem = Diagnostic::error(&codes::TYPE, message);
                self.fail(problem.label(span, format!("expected {wanted}")))
            }
        }
    }
}
