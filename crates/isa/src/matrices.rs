//! Matrices among a program's constants: whether the program multiplies by their rows or by their columns.

use gpuzoo_ir::{Function, Inst, ONE, Op2, Op3, Pick, Value, passes};
use std::collections::{BTreeMap, BTreeSet};

/// The part of a matrix that each of its registers holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixOrder {
    /// A row: a component of the product is the dot product of a register and a vector.
    Rows,
    /// A column: the product is the sum of the registers, each times a component of a vector.
    Columns,
}

impl MatrixOrder {
    /// `rows` or `columns`.
    pub const fn name(self) -> &'static str {
        match self {
            MatrixOrder::Rows => "rows",
            MatrixOrder::Columns => "columns",
        }
    }

    /// The order of that name.
    pub fn from_name(name: &str) -> Option<MatrixOrder> {
        [MatrixOrder::Rows, MatrixOrder::Columns].into_iter().find(|order| order.name() == name)
    }

    /// The order of the transposed matrix.
    #[must_use]
    pub const fn transposed(self) -> MatrixOrder {
        match self {
            MatrixOrder::Rows => MatrixOrder::Columns,
            MatrixOrder::Columns => MatrixOrder::Rows,
        }
    }
}

/// One component of a value, seen through shuffles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lane {
    Bits(u32),
    Of(Value, u8),
}

/// The products of a function's uniforms with vectors.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_ir::text::parse;
/// use gpuzoo_isa::{MatrixOrder, MatrixUses};
///
/// let text = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = uniform 2\nv4 = dot4 v0, v1\nv5 = dot4 v0, v2\n\
///     v6 = dot4 v0, v3\nv7 = v4.x_zw | v5._y__\nv8 = v7.xy_w | v6.__z_\noutput 0 = v8\n";
/// let (function, problems) = parse(&File::new("rows.ir", text));
/// assert!(problems.is_empty());
/// assert_eq!(MatrixUses::new(&function).order(0), Some(MatrixOrder::Rows));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatrixUses {
    /// The vectors that a uniform has a dot product of four components with.
    dotted: BTreeMap<u16, BTreeSet<[Lane; 4]>>,
    /// The numbers that all components of a uniform are multiplied by.
    scaled: BTreeMap<u16, BTreeSet<Lane>>,
    /// Uniforms that are added as they are.
    added: BTreeSet<u16>,
}

impl MatrixUses {
    /// The products of a function.
    pub fn new(function: &Function) -> MatrixUses {
        let function = passes::optimize(function);
        let (lanes, demand) = (lanes(&function), passes::demand(&function));
        let mut uses = MatrixUses::default();
        let whole = |value: Value, mask: u8| whole(&function, &lanes, value, mask);
        for (inst, demand) in function.insts.iter().zip(demand) {
            match *inst {
                Inst::Dot(dot, operands) if dot.terms() == 4 => {
                    for [matrix, vector] in turns(operands) {
                        if let Some(uniform) = whole(matrix, dot.mask()) {
                            uses.dotted.entry(uniform).or_default().insert(lanes[vector.index()]);
                        }
                    }
                }
                Inst::Map2(Op2::FMul | Op2::FMulTrunc | Op2::FMulFinite, operands) => {
                    uses.multiplied(operands, demand, &lanes, &whole);
                }
                Inst::Map2(Op2::FAdd | Op2::FAddTrunc, operands) => {
                    uses.added.extend(operands.into_iter().filter_map(|value| whole(value, demand)));
                }
                Inst::Map3(Op3::FMad, [a, b, addend]) => {
                    uses.multiplied([a, b], demand, &lanes, &whole);
                    uses.added.extend(whole(addend, demand));
                }
                _ => {}
            }
        }
        uses
    }

    /// Notes a product of a uniform and one number.
    fn multiplied(
        &mut self,
        operands: [Value; 2],
        demand: u8,
        lanes: &[[Lane; 4]],
        whole: &dyn Fn(Value, u8) -> Option<u16>,
    ) {
        for [matrix, factor] in turns(operands) {
            let mut read = components(demand).map(|component| lanes[factor.index()][component]);
            let Some(first) = read.next() else { continue };
            if let Some(uniform) = whole(matrix, demand).filter(|_| read.all(|lane| lane == first)) {
                self.scaled.entry(uniform).or_default().insert(first);
            }
        }
    }

    /// The order of the matrix of four registers that begins at a uniform; none if it is no such matrix, or used in
    /// both orders.
    ///
    /// It is read by rows if the first three have dot products with the same vector, and by columns if the first
    /// three are multiplied by x, y and z of a vector, and the fourth one by its w or added as it is.
    pub fn order(&self, first: u16) -> Option<MatrixOrder> {
        let numbers = || (0..3).map_while(|place| first.checked_add(place));
        let rows = || {
            let mut vectors = self.dotted.get(&first).into_iter().flatten();
            vectors.any(|vector| {
                numbers().all(|row| self.dotted.get(&row).is_some_and(|all| all.contains(vector)))
            })
        };
        let columns = || {
            let last = first.checked_add(3)?;
            let mut factors = self.scaled.get(&first).into_iter().flatten();
            factors.find(|factor| {
                let Lane::Of(vector, 0) = **factor else { return false };
                let is_scaled = |column: u16, component: u8| {
                    let factors = self.scaled.get(&column);
                    factors.is_some_and(|factors| factors.contains(&Lane::Of(vector, component)))
                };
                numbers().zip(0..).all(|(column, component)| is_scaled(column, component))
                    && (is_scaled(last, 3) || self.added.contains(&last))
            })
        };
        match (rows(), columns().is_some()) {
            (true, false) => Some(MatrixOrder::Rows),
            (false, true) => Some(MatrixOrder::Columns),
            _ => None,
        }
    }
}

fn turns([a, b]: [Value; 2]) -> [[Value; 2]; 2] {
    [[a, b], [b, a]]
}

fn components(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |component| mask >> component & 1 == 1)
}

/// The components of all values, seen through shuffles.
fn lanes(function: &Function) -> Vec<[Lane; 4]> {
    let mut lanes: Vec<[Lane; 4]> = Vec::with_capacity(function.insts.len());
    for (value, inst) in (0..).zip(&function.insts) {
        let result = match inst {
            Inst::Const(bits) => bits.map(Lane::Bits),
            Inst::Shuffle([a, b], picks) => picks.map(|pick| match pick {
                Pick::A(component) => lanes[a.index()][usize::from(component & 3)],
                Pick::B(component) => lanes[b.index()][usize::from(component & 3)],
                Pick::Zero => Lane::Bits(0),
                Pick::One => Lane::Bits(ONE),
            }),
            _ => [0, 1, 2, 3].map(|component| Lane::Of(Value(value), component)),
        };
        lanes.push(result);
    }
    lanes
}

/// The uniform that a value is in at least three of the components of a mask, each in its place.
fn whole(function: &Function, lanes: &[[Lane; 4]], value: Value, mask: u8) -> Option<u16> {
    if mask.count_ones() < 3 {
        return None;
    }
    let mut uniform = None;
    for component in components(mask) {
        let Lane::Of(of, place) = lanes[value.index()][component] else { return None };
        let Inst::Uniform(number) = function.insts[of.index()] else { return None };
        if usize::from(place) != component || *uniform.get_or_insert(number) != number {
            return None;
        }
    }
    uniform
}
