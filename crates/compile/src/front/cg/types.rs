//! Cg's types, and what stands for them in the module.
//!
//! `floatRxC` has R rows of C components. It is naga's matrix of R columns, each of C components: a row in Cg, and in the
//! constants of the machine, is a column there.

use super::tree::Semantic;
use gpuzoo_diag::Span;
use naga::{Scalar, TypeInner, VectorSize};
use std::fmt;
use std::rc::Rc;

/// What components are; the later ones can hold what the earlier ones do. `half`, `fixed` and `double` are floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `float`
    Float,
}

/// How many components there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One.
    Scalar,
    /// 2 to 4.
    Vector(u8),
    /// 2 to 4 rows of 2 to 4 components.
    Matrix(u8, u8),
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numeric {
    /// What its components are.
    pub base: Base,
    /// How many there are.
    pub shape: Shape,
}

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// Numbers.
    Numeric(Numeric),
    /// So many elements.
    Array(Rc<Type>, u32),
    /// A struct.
    Struct(Rc<StructType>),
    /// A type of which nothing can be done here: `sampler2D`.
    Opaque(Rc<str>),
}

/// A struct.
#[derive(Debug)]
pub struct StructType {
    /// Its name.
    pub name: Rc<str>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Names of fields that are textures, for which nothing stands.
    pub textures: Vec<Rc<str>>,
    /// What stands for it.
    pub handle: naga::Handle<naga::Type>,
    /// Its size in bytes, a multiple of 16.
    pub size: u32,
    /// How deep it is made of other types.
    pub depth: usize,
}

/// How deep types may be made of other types: arrays of arrays of structs.
pub const MAX_DEPTH: usize = 32;

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: Rc<str>,
    /// Its type.
    pub ty: Type,
    /// What it is in the pipeline.
    pub semantics: Vec<Semantic>,
    /// True if it is declared `uniform`.
    pub is_uniform: bool,
    /// Where it is declared.
    pub span: Span,
}

/// `float`.
pub const FLOAT: Numeric = Numeric { base: Base::Float, shape: Shape::Scalar };
/// `int`.
pub const INT: Numeric = Numeric { base: Base::Int, shape: Shape::Scalar };
/// `bool`.
pub const BOOL: Numeric = Numeric { base: Base::Bool, shape: Shape::Scalar };

/// What a word is as a type's name, if it is one of the language.
pub fn named(word: &str) -> Option<Type> {
    if word == "void" {
        return Some(Type::Void);
    }
    if word.starts_with("sampler") || word == "AttribArray" {
        return Some(Type::Opaque(word.into()));
    }
    let bases = [
        ("float", Base::Float),
        ("half", Base::Float),
        ("double", Base::Float),
        ("fixed", Base::Float),
        ("int", Base::Int),
        ("bool", Base::Bool),
    ];
    let (base, sizes) = bases.into_iter().find_map(|(name, base)| Some((base, word.strip_prefix(name)?)))?;
    let shape = match sizes.as_bytes() {
        [] | [b'1'] | [b'1', b'x', b'1'] => Shape::Scalar,
        [size @ b'2'..=b'4'] => Shape::Vector(size - b'0'),
        [rows @ b'2'..=b'4', b'x', columns @ b'2'..=b'4'] => Shape::Matrix(rows - b'0', columns - b'0'),
        _ => return None,
    };
    Some(Type::Numeric(Numeric { base, shape }))
}

/// Names of types, for what is near to a wrong one.
pub const NAMES: &[&str] = &[
    "float", "float2", "float3", "float4", "float2x2", "float3x3", "float3x4", "float4x3", "float4x4",
    "half", "half2", "half3", "half4", "fixed", "fixed4", "int", "int2", "int3", "int4", "bool", "bool2",
    "bool3", "bool4", "void",
];

impl Shape {
    /// How many components there are.
    pub fn count(self) -> u8 {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(size) => size,
            Shape::Matrix(rows, columns) => rows * columns,
        }
    }

    /// One component, or so many.
    pub fn of(count: u8) -> Shape {
        if count == 1 { Shape::Scalar } else { Shape::Vector(count) }
    }
}

impl Numeric {
    /// The same shape of other components.
    pub fn with(self, base: Base) -> Numeric {
        Numeric { base, ..self }
    }

    /// Other shapes of the same components.
    pub fn shaped(self, shape: Shape) -> Numeric {
        Numeric { shape, ..self }
    }

    /// What stands for it.
    pub fn inner(self) -> TypeInner {
        let scalar = self.scalar();
        match self.shape {
            Shape::Scalar => TypeInner::Scalar(scalar),
            Shape::Vector(size) => TypeInner::Vector { size: vector_size(size), scalar },
            Shape::Matrix(rows, columns) => {
                TypeInner::Matrix { columns: vector_size(rows), rows: vector_size(columns), scalar }
            }
        }
    }

    /// What stands for a component.
    pub fn scalar(self) -> Scalar {
        match self.base {
            Base::Bool => Scalar::BOOL,
            Base::Int => Scalar::I32,
            Base::Float => Scalar::F32,
        }
    }

    fn size(self) -> u32 {
        match self.shape {
            Shape::Scalar => 4,
            Shape::Vector(size) => 4 * u32::from(size),
            Shape::Matrix(rows, 2) => 8 * u32::from(rows),
            Shape::Matrix(rows, _) => 16 * u32::from(rows),
        }
    }
}

/// naga's word for a size from 2 to 4.
pub fn vector_size(size: u8) -> VectorSize {
    match size {
        2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

impl Type {
    /// The numbers of it, if it has nothing else.
    pub fn numeric(&self) -> Option<Numeric> {
        match self {
            Type::Numeric(numeric) => Some(*numeric),
            _ => None,
        }
    }

    /// Bytes in memory, in which elements and fields begin at multiples of 16.
    pub fn size(&self) -> u32 {
        match self {
            Type::Void | Type::Opaque(_) => 0,
            Type::Numeric(numeric) => numeric.size(),
            Type::Array(of, count) => of.stride().saturating_mul(*count),
            Type::Struct(of) => of.size,
        }
    }

    /// How deep it is made of other types.
    pub fn depth(&self) -> usize {
        let (mut of, mut arrays) = (self, 0);
        while let Type::Array(next, _) = of {
            (of, arrays) = (next, arrays + 1);
        }
        arrays + if let Type::Struct(of) = of { of.depth } else { 0 }
    }

    /// Bytes from one to the next.
    pub fn stride(&self) -> u32 {
        self.size().checked_next_multiple_of(16).unwrap_or(u32::MAX)
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Void, Type::Void) => true,
            (Type::Numeric(one), Type::Numeric(other)) => one == other,
            (Type::Array(one, count), Type::Array(other, length)) => count == length && one == other,
            (Type::Struct(one), Type::Struct(other)) => Rc::ptr_eq(one, other),
            (Type::Opaque(one), Type::Opaque(other)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Display for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match self.base {
            Base::Bool => "bool",
            Base::Int => "int",
            Base::Float => "float",
        };
        match self.shape {
            Shape::Scalar => f.write_str(base),
            Shape::Vector(size) => write!(f, "{base}{size}"),
            Shape::Matrix(rows, columns) => write!(f, "{base}{rows}x{columns}"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Numeric(numeric) => write!(f, "{numeric}"),
            Type::Array(of, count) => {
                let (mut of, mut sizes) = (of, format!("[{count}]"));
                while let Type::Array(next, count) = &**of {
                    sizes += &format!("[{count}]");
                    of = next;
                }
                write!(f, "{of}{sizes}")
            }
            Type::Struct(of) => f.write_str(&of.name),
            Type::Opaque(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["float", "float2", "int3", "bool4", "float3x4", "void", "sampler2D"] {
            assert_eq!(named(name).map(|ty| ty.to_string()).as_deref(), Some(name));
        }
        assert_eq!(
            [named("half1"), named("fixed3")],
            [FLOAT, FLOAT.shaped(Shape::Vector(3))].map(|ty| Some(Type::Numeric(ty)))
        );
        for name in ["float5", "float4x", "float1x4", "floats", "uint", ""] {
            assert_eq!(named(name), None, "{name}");
        }
        assert!(NAMES.iter().all(|name| named(name).is_some()));
    }

    #[test]
    fn rows_are_columns() {
        let inner = FLOAT.shaped(Shape::Matrix(3, 4)).inner();
        let (columns, rows) = (VectorSize::Tri, VectorSize::Quad);
        assert_eq!(inner, TypeInner::Matrix { columns, rows, scalar: Scalar::F32 });
    }
}
