//! Values of expressions, places in memory, and how numbers stand there.

use crate::front::cg::types::{Base, Numeric, Shape, Type};
use naga::{Expression, Handle};

/// A value of a type.
#[derive(Clone, Debug)]
pub struct Value {
    /// The expression.
    pub expr: Handle<Expression>,
    /// Its type.
    pub ty: Type,
}

impl Value {
    /// A value of numbers.
    pub fn new(expr: Handle<Expression>, numeric: Numeric) -> Value {
        Value { expr, ty: Type::Numeric(numeric) }
    }
}

/// A place in memory.
#[derive(Clone, Debug)]
pub struct Place {
    /// The pointer.
    pub pointer: Handle<Expression>,
    /// Expression of the place.
    pub ty: Type,
    /// Which components of the vector that the pointer leads to; none for all of it.
    pub lanes: Vec<u8>,
    /// Why it cannot be changed, if it cannot.
    pub fixed: Option<&'static str>,
    /// Form of its numbers in memory.
    pub stored: Stored,
}

/// Form of numbers in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored {
    /// In the form of their type.
    #[default]
    Plain,
    /// Bools are floats, since constants of the machine are.
    Floats,
    /// Rows of two numbers have the room of four, since each is a constant register.
    Wide,
    /// Each element or field as its own type says.
    Parts,
}

impl Place {
    /// True if a component is named twice.
    pub fn repeats(&self) -> bool {
        let behind = |at: usize, lane: &u8| self.lanes.iter().skip(at + 1).any(|other| other == lane);
        self.lanes.iter().enumerate().any(|(at, lane)| behind(at, lane))
    }

    /// A part of it that a pointer leads to.
    pub fn part(&self, pointer: Handle<Expression>, ty: Type) -> Place {
        let is_matrix = matches!(self.ty.numeric(), Some(Numeric { shape: Shape::Matrix(..), .. }));
        let (lanes, stored) = match (self.stored, is_matrix) {
            (Stored::Wide, true) => (vec![0, 1], Stored::Plain),
            (Stored::Parts, _) => (Vec::new(), stored(&ty)),
            (stored, _) => (Vec::new(), stored),
        };
        Place { pointer, ty, lanes, fixed: self.fixed, stored }
    }
}

/// Result of an expression: a place, which may not be loaded, or a value.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A value.
    Value(Value),
    /// A place.
    Place(Place),
}

impl Operand {
    /// Its type.
    pub fn ty(&self) -> &Type {
        match self {
            Operand::Value(value) => &value.ty,
            Operand::Place(place) => &place.ty,
        }
    }
}

/// Form of the numbers of a uniform of a type in memory.
pub fn stored(ty: &Type) -> Stored {
    let parts = |is_plain: bool| if is_plain { Stored::Plain } else { Stored::Parts };
    match ty {
        Type::Numeric(numeric) => match (numeric.base, numeric.shape) {
            (Base::Bool, _) => Stored::Floats,
            (_, Shape::Matrix(_, 2)) => Stored::Wide,
            _ => Stored::Plain,
        },
        Type::Array(of, _) => parts(stored(of) == Stored::Plain),
        Type::Struct(of) => parts(of.fields.iter().all(|field| stored(&field.ty) == Stored::Plain)),
        Type::Void | Type::Opaque(_) => Stored::Plain,
    }
}

/// The bytes from one uniform of a type to the next.
pub fn stride(ty: &Type) -> u32 {
    match (ty, stored(ty)) {
        (Type::Numeric(Numeric { shape: Shape::Matrix(rows, _), .. }), Stored::Wide) => u32::from(*rows) * 16,
        (Type::Array(of, count), Stored::Parts) => stride(of).saturating_mul(*count),
        (Type::Struct(of), Stored::Parts) => {
            of.fields.iter().fold(0, |sum: u32, field| sum.saturating_add(stride(&field.ty)))
        }
        _ => ty.stride(),
    }
}
