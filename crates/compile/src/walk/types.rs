//! Types as lists of numbers, and where uniforms have theirs.

use naga::{ArraySize, Handle, Module, Scalar, ScalarKind, Type, TypeInner};

/// The most numbers that a variable has: 4,096 vectors.
pub const MOST_NUMBERS: usize = 1 << 14;

/// The shape of a type: its vectors, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The kind and the length of each vector; a scalar is a vector of one, a matrix one vector for each column.
    pub vectors: Vec<(ScalarKind, usize)>,
    numbers: usize,
}

impl Shape {
    /// The shape of one vector.
    pub fn of_vector(kind: ScalarKind, length: usize) -> Shape {
        Shape { vectors: vec![(kind, length)], numbers: length }
    }

    /// The shape of a type. None if it holds what no machine has: other widths than 32 bits, resources, sizes unknown before a run.
    pub fn of(module: &Module, ty: Handle<Type>) -> Option<Shape> {
        Shape::of_inner(module, &module.types[ty].inner)
    }

    /// The same for what may have no name.
    pub fn of_inner(module: &Module, inner: &TypeInner) -> Option<Shape> {
        let mut shape = Shape::default();
        shape.add(module, inner)?;
        (shape.len() <= MOST_NUMBERS).then_some(shape)
    }

    fn add(&mut self, module: &Module, inner: &TypeInner) -> Option<()> {
        match inner {
            TypeInner::Scalar(scalar) => self.push(*scalar, 1),
            TypeInner::Vector { size, scalar } => self.push(*scalar, *size as usize),
            TypeInner::Matrix { columns, rows, scalar } => {
                (0..*columns as usize).try_for_each(|_| self.push(*scalar, *rows as usize))
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                let element = Shape::of(module, *base)?;
                let count = count.get() as usize;
                // Arrays beside one another count together.
                let vectors = element.vectors.len().saturating_mul(count);
                if self.vectors.len().saturating_add(vectors) > MOST_NUMBERS {
                    return None;
                }
                (0..count).for_each(|_| self.vectors.extend_from_slice(&element.vectors));
                self.numbers += count * element.numbers;
                Some(())
            }
            TypeInner::Struct { members, .. } => {
                members.iter().try_for_each(|member| self.add(module, &module.types[member.ty].inner))
            }
            _ => None,
        }
    }

    fn push(&mut self, scalar: Scalar, length: usize) -> Option<()> {
        let fits = scalar.width == 4
            || matches!(scalar.kind, ScalarKind::Bool | ScalarKind::AbstractInt | ScalarKind::AbstractFloat);
        if !fits || self.vectors.len() > MOST_NUMBERS {
            return None;
        }
        self.vectors.push((scalar.kind, length));
        self.numbers += length;
        Some(())
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.numbers
    }

    /// The kind of its first number.
    pub fn kind(&self) -> ScalarKind {
        self.vectors.first().map_or(ScalarKind::Float, |(kind, _)| *kind)
    }

    /// The kind of each number.
    pub fn kinds(&self) -> impl Iterator<Item = ScalarKind> + '_ {
        self.vectors.iter().flat_map(|(kind, length)| std::iter::repeat_n(*kind, *length))
    }
}

/// Where the numbers of a uniform are: bytes from its first one on, as the module's layout has them.
///
/// None if one of them is not at a whole number of words.
pub fn offsets(module: &Module, inner: &TypeInner, at: u32, into: &mut Vec<u32>) -> Option<()> {
    if into.len() > MOST_NUMBERS {
        return None;
    }
    match inner {
        TypeInner::Scalar(_) => into.push(at),
        TypeInner::Vector { size, .. } => into.extend((0..*size as u32).map(|component| at + component * 4)),
        TypeInner::Matrix { columns, rows, .. } => {
            // Columns of three numbers take the room of four.
            let stride = if *rows as u32 == 2 { 8 } else { 16 };
            for column in 0..*columns as u32 {
                into.extend((0..*rows as u32).map(|row| at + column * stride + row * 4));
            }
        }
        TypeInner::Array { base, size: ArraySize::Constant(count), stride } => {
            let base = &module.types[*base].inner;
            for element in 0..count.get() {
                offsets(module, base, at.checked_add(element.checked_mul(*stride)?)?, into)?;
            }
        }
        TypeInner::Struct { members, .. } => {
            for member in members {
                offsets(module, &module.types[member.ty].inner, at.checked_add(member.offset)?, into)?;
            }
        }
        _ => return None,
    }
    at.is_multiple_of(4).then_some(())
}

/// How a type is written in WGSL's words, for lists of uniforms.
pub fn name(module: &Module, inner: &TypeInner) -> String {
    let scalar = |scalar: &Scalar| match scalar.kind {
        ScalarKind::Sint | ScalarKind::AbstractInt => "i32",
        ScalarKind::Uint => "u32",
        ScalarKind::Bool => "bool",
        ScalarKind::Float | ScalarKind::AbstractFloat => "f32",
    };
    match inner {
        TypeInner::Scalar(own) => scalar(own).to_owned(),
        TypeInner::Vector { size, scalar: own } => format!("vec{}<{}>", *size as u8, scalar(own)),
        TypeInner::Matrix { columns, rows, scalar: own } => {
            format!("mat{}x{}<{}>", *columns as u8, *rows as u8, scalar(own))
        }
        TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
            format!("array<{}, {count}>", name(module, &module.types[*base].inner))
        }
        _ => "struct".to_owned(),
    }
}
