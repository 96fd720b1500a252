//! The instructions of `GLSL.std.450` (SPIR-V extended instructions for GLSL, section 2), with the host's functions of
//! floats.

use super::operations::{dot, floats, words};
use super::{Run, Stop, Value};

fn vector(floats: impl IntoIterator<Item = f32>) -> Value {
    Value::Parts(floats.into_iter().map(Value::float).collect())
}

fn elements(value: &Value) -> Result<Vec<f32>, Stop> {
    value.parts()?.iter().map(Value::to_float).collect()
}

/// A scalar is a vector of one.
fn length(value: &Value) -> Result<f32, Stop> {
    match value {
        Value::Parts(_) => dot(value, value).map(f32::sqrt),
        scalar => scalar.to_float().map(f32::abs),
    }
}

fn product(one: &Value, other: &Value) -> Result<f32, Stop> {
    match one {
        Value::Parts(_) => dot(one, other),
        scalar => Ok(scalar.to_float()? * other.to_float()?),
    }
}

fn sum(one: &Value, factor: f32, other: &Value) -> Result<Value, Stop> {
    floats(&[one, other], |own| own[0] + factor * own[1])
}

/// By the first row.
fn determinant(rows: &[Vec<f32>]) -> f32 {
    if rows.len() == 1 {
        return rows[0][0];
    }
    (0..rows.len()).map(|at| cofactor(rows, 0, at) * rows[0][at]).sum()
}

fn cofactor(rows: &[Vec<f32>], row: usize, column: usize) -> f32 {
    let minor: Vec<Vec<f32>> = (rows.iter().enumerate().filter(|(at, _)| *at != row))
        .map(|(_, own)| own.iter().enumerate().filter(|(at, _)| *at != column).map(|(_, own)| *own).collect())
        .collect();
    determinant(&minor) * if (row + column).is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The nearest integer, and from the middle the even one.
fn nearest(x: f32) -> f32 {
    x.round_ties_even()
}

/// The sign, and 0 of 0.
fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

impl Run<'_> {
    pub fn extended(&mut self, op: u32, operands: &[Value]) -> Result<Value, Stop> {
        let all: Vec<&Value> = operands.iter().collect();
        let unsupported = || Stop::Unsupported(format!("GLSL.std.450 {op}"));
        let operand = |at: usize| all.get(at).copied().ok_or_else(unsupported);
        let unary = |of: fn(f32) -> f32| floats(&all, |own| of(own[0]));
        let signed = |of: fn(i32, i32) -> i32| {
            words(&all, |own| Some(own[1..].iter().fold(own[0] as i32, |a, b| of(a, *b as i32)) as u32))
        };
        Ok(match op {
            1 | 2 => unary(nearest)?,
            3 => unary(f32::trunc)?,
            4 => unary(f32::abs)?,
            5 => words(&all, |own| Some((own[0] as i32).wrapping_abs() as u32))?,
            6 => unary(sign)?,
            7 => words(&all, |own| Some((own[0] as i32).signum() as u32))?,
            8 => unary(f32::floor)?,
            9 => unary(f32::ceil)?,
            10 => unary(|x| x - x.floor())?,
            11 => unary(f32::to_radians)?,
            12 => unary(f32::to_degrees)?,
            13 => unary(f32::sin)?,
            14 => unary(f32::cos)?,
            15 => unary(f32::tan)?,
            16 => unary(f32::asin)?,
            17 => unary(f32::acos)?,
            18 => unary(f32::atan)?,
            19 => unary(f32::sinh)?,
            20 => unary(f32::cosh)?,
            21 => unary(f32::tanh)?,
            22 => unary(f32::asinh)?,
            23 => unary(f32::acosh)?,
            24 => unary(f32::atanh)?,
            25 => floats(&all, |own| own[0].atan2(own[1]))?,
            26 => floats(&all, |own| own[0].powf(own[1]))?,
            27 => unary(f32::exp)?,
            28 => unary(f32::ln)?,
            29 => unary(f32::exp2)?,
            30 => unary(f32::log2)?,
            31 => unary(f32::sqrt)?,
            32 => unary(|x| 1.0 / x.sqrt())?,
            33 => {
                let columns = operand(0)?.parts()?.iter().map(elements).collect::<Result<Vec<_>, _>>()?;
                Value::float(determinant(&columns))
            }
            34 => {
                let columns = operand(0)?.parts()?.iter().map(elements).collect::<Result<Vec<_>, _>>()?;
                let (size, all) = (columns.len(), determinant(&columns));
                let column = |at: usize| vector((0..size).map(|own| cofactor(&columns, own, at) / all));
                Value::Parts((0..size).map(column).collect())
            }
            35 => {
                let whole = floats(&all[..1], |own| own[0].trunc())?;
                *self.place(operand(1)?)? = whole;
                floats(&all[..1], |own| own[0] - own[0].trunc())?
            }
            36 => {
                let rest = floats(&all, |own| own[0] - own[0].trunc())?;
                Value::Parts(vec![rest, floats(&all, |own| own[0].trunc())?])
            }
            37 => floats(&all, |own| own[0].min(own[1]))?,
            38 => words(&all, |own| Some(own[0].min(own[1])))?,
            39 => signed(i32::min)?,
            40 => floats(&all, |own| own[0].max(own[1]))?,
            41 => words(&all, |own| Some(own[0].max(own[1])))?,
            42 => signed(i32::max)?,
            43 => floats(&all, |own| own[0].max(own[1]).min(own[2]))?,
            44 => words(&all, |own| Some(own[0].max(own[1]).min(own[2])))?,
            45 => words(&all, |own| Some((own[0] as i32).max(own[1] as i32).min(own[2] as i32) as u32))?,
            46 => floats(&all, |own| own[0] * (1.0 - own[2]) + own[1] * own[2])?,
            48 => floats(&all, |own| if own[1] < own[0] { 0.0 } else { 1.0 })?,
            49 => floats(&all, |own| {
                let t = ((own[2] - own[0]) / (own[1] - own[0])).clamp(0.0, 1.0);
                t * t * (3.0 - 2.0 * t)
            })?,
            50 => floats(&all, |own| own[0] * own[1] + own[2])?,
            66 => Value::float(length(operand(0)?)?),
            67 => Value::float(length(&sum(operand(0)?, -1.0, operand(1)?)?)?),
            68 => {
                let [a, b] = [elements(operand(0)?)?, elements(operand(1)?)?];
                let at = |one: usize, other: usize| a[one] * b[other] - a[other] * b[one];
                vector([at(1, 2), at(2, 0), at(0, 1)])
            }
            69 => {
                let length = length(operand(0)?)?;
                floats(&all, |own| own[0] / length)?
            }
            70 => {
                let is_before = product(operand(2)?, operand(1)?)? < 0.0;
                floats(&all[..1], |own| if is_before { own[0] } else { -own[0] })?
            }
            71 => {
                let along = product(operand(1)?, operand(0)?)?;
                sum(operand(0)?, -2.0 * along, operand(1)?)?
            }
            72 => {
                let (along, eta) = (product(operand(1)?, operand(0)?)?, operand(2)?.to_float()?);
                let k = 1.0 - eta * eta * (1.0 - along * along);
                match k < 0.0 {
                    true => floats(&all[..1], |_| 0.0)?,
                    false => {
                        let scaled = floats(&all[..1], |own| eta * own[0])?;
                        sum(&scaled, -(eta * along + k.sqrt()), operand(1)?)?
                    }
                }
            }
            _ => return Err(unsupported()),
        })
    }
}
