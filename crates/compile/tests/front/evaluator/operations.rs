//! Instructions that compute a value (SPIR-V specification, sections 3.52.8 and 3.52.11 to 3.52.15).

use super::{Instruction, Run, Stop, Type, Value};
use std::collections::HashMap;

/// A function of each component of its operands.
pub fn map(operands: &[&Value], of: &impl Fn(&[&Value]) -> Result<Value, Stop>) -> Result<Value, Stop> {
    let Some(Value::Parts(first)) = operands.first() else { return of(operands) };
    let mut parts = Vec::new();
    for at in 0..first.len() {
        let part = |operand: &&Value| {
            operand.parts()?.get(at).cloned().ok_or(Stop::Unsupported("vectors of two sizes".to_owned()))
        };
        let own = operands.iter().map(part).collect::<Result<Vec<_>, _>>()?;
        parts.push(map(&own.iter().collect::<Vec<_>>(), of)?);
    }
    Ok(Value::Parts(parts))
}

pub fn floats(operands: &[&Value], of: impl Fn(&[f32]) -> f32) -> Result<Value, Stop> {
    map(operands, &|own| {
        let own = own.iter().map(|own| own.to_float()).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::float(of(&own)))
    })
}

fn compare(operands: &[&Value], of: impl Fn(f32, f32) -> bool) -> Result<Value, Stop> {
    map(operands, &|own| Ok(Value::Bool(of(own[0].to_float()?, own[1].to_float()?))))
}

pub fn words(operands: &[&Value], of: impl Fn(&[u32]) -> Option<u32>) -> Result<Value, Stop> {
    map(operands, &|own| {
        let own = own.iter().map(|own| own.word()).collect::<Result<Vec<_>, _>>()?;
        of(&own).map(Value::Word).ok_or(Stop::Undefined("an integer operation without a result"))
    })
}

fn integers(operands: &[&Value], of: impl Fn(i32, i32) -> Option<i32>) -> Result<Value, Stop> {
    words(operands, |own| of(own[0] as i32, own[1] as i32).map(|x| x as u32))
}

fn order(operands: &[&Value], of: impl Fn(u32, u32) -> bool) -> Result<Value, Stop> {
    map(operands, &|own| Ok(Value::Bool(of(own[0].word()?, own[1].word()?))))
}

fn conditions(operands: &[&Value], of: impl Fn(bool, bool) -> bool) -> Result<Value, Stop> {
    map(operands, &|own| Ok(Value::Bool(of(own[0].bool()?, own[own.len() - 1].bool()?))))
}

pub fn dot(one: &Value, other: &Value) -> Result<f32, Stop> {
    let mut sum = 0.0;
    for (a, b) in one.parts()?.iter().zip(other.parts()?) {
        sum += a.to_float()? * b.to_float()?;
    }
    Ok(sum)
}

pub fn transposed(matrix: &Value) -> Result<Value, Stop> {
    let columns = matrix.parts()?;
    let rows = columns.first().map_or(Ok(0), |column| column.parts().map(<[Value]>::len))?;
    let row = |at: usize| {
        Ok(Value::Parts(columns.iter().map(|own| Ok(own.parts()?[at].clone())).collect::<Result<_, Stop>>()?))
    };
    Ok(Value::Parts((0..rows).map(row).collect::<Result<_, Stop>>()?))
}

/// A matrix, by its rows, times a vector.
fn rows_times(rows: &Value, vector: &Value) -> Result<Value, Stop> {
    let parts = rows.parts()?.iter().map(|row| dot(row, vector).map(Value::float));
    Ok(Value::Parts(parts.collect::<Result<_, _>>()?))
}

fn scaled(value: &Value, factor: &Value) -> Result<Value, Stop> {
    let factor = factor.to_float()?;
    floats(&[value], |own| own[0] * factor)
}

impl Run<'_> {
    /// The value of an instruction that has no other effect.
    pub fn compute(&self, values: &HashMap<u32, Value>, instruction: &Instruction) -> Result<Value, Stop> {
        let [ty, _, ref rest @ ..] = instruction.operands[..] else {
            return Err(Stop::Unsupported(format!("{instruction:?}")));
        };
        let unsupported = || Stop::Unsupported(format!("{instruction:?}"));
        // How many of the operands are ids: literals are behind them.
        let ids = match instruction.op {
            79 | 82 => 2,
            81 => 1,
            61 => 1,
            _ => rest.len(),
        };
        let all = rest.iter().take(ids).map(|id| self.get(values, *id)).collect::<Result<Vec<_>, _>>()?;
        let all: Vec<&Value> = all.iter().collect();
        let operand = |at: usize| all.get(at).copied().ok_or_else(unsupported);
        Ok(match instruction.op {
            1 => self.undefined(ty),
            61 => {
                let Value::Pointer { variable, path } = operand(0)? else { return Err(unsupported()) };
                path.iter().try_fold(&self.memory[*variable], |own, at| part(own, *at))?.clone()
            }
            65 | 66 => {
                let Value::Pointer { variable, path } = operand(0)? else { return Err(unsupported()) };
                let more = all[1..].iter().map(|own| own.word()).collect::<Result<Vec<_>, _>>()?;
                Value::Pointer { variable: *variable, path: [&path[..], &more].concat() }
            }
            77 => part(operand(0)?, operand(1)?.word()?)?.clone(),
            78 => replaced(operand(0)?, &[operand(2)?.word()?], operand(1)?)?,
            79 => {
                let both = [operand(0)?.parts()?, operand(1)?.parts()?].concat();
                let pick = |at: &u32| both.get(*at as usize).cloned().unwrap_or(Value::Undefined);
                Value::Parts(rest[2..].iter().map(pick).collect())
            }
            80 => {
                let is_vector = matches!(self.module.ty(ty), Type::Vector { .. });
                let parts = all.iter().flat_map(|own| match own {
                    Value::Parts(parts) if is_vector => parts.clone(),
                    other => vec![(*other).clone()],
                });
                Value::Parts(parts.collect())
            }
            81 => rest[1..].iter().try_fold(operand(0)?, |own, at| part(own, *at))?.clone(),
            82 => replaced(operand(1)?, &rest[2..], operand(0)?)?,
            83 | 400 => operand(0)?.clone(),
            84 => transposed(operand(0)?)?,
            // Out of range there is no result; what front ends mean then, their tests state.
            109 => words(&all, |own| Some(f32::from_bits(own[0]) as u32))?,
            110 => words(&all, |own| Some(f32::from_bits(own[0]) as i32 as u32))?,
            111 => words(&all, |own| Some((own[0] as i32 as f32).to_bits()))?,
            112 => words(&all, |own| Some((own[0] as f32).to_bits()))?,
            124 => operand(0)?.clone(),
            126 => words(&all, |own| Some(own[0].wrapping_neg()))?,
            127 => floats(&all, |own| -own[0])?,
            128 => words(&all, |own| Some(own[0].wrapping_add(own[1])))?,
            129 => floats(&all, |own| own[0] + own[1])?,
            130 => words(&all, |own| Some(own[0].wrapping_sub(own[1])))?,
            131 => floats(&all, |own| own[0] - own[1])?,
            132 => words(&all, |own| Some(own[0].wrapping_mul(own[1])))?,
            133 => floats(&all, |own| own[0] * own[1])?,
            134 => words(&all, |own| own[0].checked_div(own[1]))?,
            135 => integers(&all, i32::checked_div)?,
            136 => floats(&all, |own| own[0] / own[1])?,
            137 => words(&all, |own| own[0].checked_rem(own[1]))?,
            // The sign of a remainder is that of the first operand, a modulo's that of the second.
            138 => integers(&all, i32::checked_rem)?,
            139 => integers(&all, |a, b| {
                a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            })?,
            140 => floats(&all, |own| own[0] - own[1] * (own[0] / own[1]).trunc())?,
            141 => floats(&all, |own| own[0] - own[1] * (own[0] / own[1]).floor())?,
            142 | 143 => scaled(operand(0)?, operand(1)?)?,
            144 => rows_times(operand(1)?, operand(0)?)?,
            145 => rows_times(&transposed(operand(0)?)?, operand(1)?)?,
            146 => {
                let rows = transposed(operand(0)?)?;
                let columns = operand(1)?.parts()?.iter().map(|column| rows_times(&rows, column));
                Value::Parts(columns.collect::<Result<_, _>>()?)
            }
            147 => {
                let columns = operand(1)?.parts()?.iter().map(|factor| scaled(operand(0)?, factor));
                Value::Parts(columns.collect::<Result<_, _>>()?)
            }
            148 => Value::float(dot(operand(0)?, operand(1)?)?),
            154 | 155 => {
                let parts = operand(0)?.parts()?.iter().map(Value::bool).collect::<Result<Vec<_>, _>>()?;
                let is_any = instruction.op == 154;
                Value::Bool(if is_any { parts.contains(&true) } else { !parts.contains(&false) })
            }
            156 => map(&all, &|own| Ok(Value::Bool(own[0].to_float()?.is_nan())))?,
            157 => map(&all, &|own| Ok(Value::Bool(own[0].to_float()?.is_infinite())))?,
            164 => conditions(&all, |a, b| a == b)?,
            165 => conditions(&all, |a, b| a != b)?,
            166 => conditions(&all, |a, b| a || b)?,
            167 => conditions(&all, |a, b| a && b)?,
            168 => conditions(&all, |a, _| !a)?,
            169 => match operand(0)? {
                Value::Bool(is_first) => operand(if *is_first { 1 } else { 2 })?.clone(),
                Value::Parts(which) => {
                    let [one, other] = [operand(1)?.parts()?, operand(2)?.parts()?];
                    let picks = which.iter().zip(one.iter().zip(other));
                    let parts = picks.map(|(which, (one, other))| {
                        Ok(if which.bool()? { one.clone() } else { other.clone() })
                    });
                    Value::Parts(parts.collect::<Result<_, Stop>>()?)
                }
                _ => return Err(unsupported()),
            },
            170 => order(&all, |a, b| a == b)?,
            171 => order(&all, |a, b| a != b)?,
            172 => order(&all, |a, b| a > b)?,
            173 => order(&all, |a, b| (a as i32) > b as i32)?,
            174 => order(&all, |a, b| a >= b)?,
            175 => order(&all, |a, b| a as i32 >= b as i32)?,
            176 => order(&all, |a, b| a < b)?,
            177 => order(&all, |a, b| (a as i32) < b as i32)?,
            178 => order(&all, |a, b| a <= b)?,
            179 => order(&all, |a, b| a as i32 <= b as i32)?,
            180 => compare(&all, |a, b| a == b)?,
            181 => compare(&all, |a, b| a == b || a.is_nan() || b.is_nan())?,
            182 => compare(&all, |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne()))?,
            183 => compare(&all, |a, b| a != b)?,
            184 => compare(&all, |a, b| a < b)?,
            // The negation of the opposite comparison holds for NaN, too.
            185 => compare(&all, |a, b| a < b || a.is_nan() || b.is_nan())?,
            186 => compare(&all, |a, b| a > b)?,
            187 => compare(&all, |a, b| a > b || a.is_nan() || b.is_nan())?,
            188 => compare(&all, |a, b| a <= b)?,
            189 => compare(&all, |a, b| a <= b || a.is_nan() || b.is_nan())?,
            190 => compare(&all, |a, b| a >= b)?,
            191 => compare(&all, |a, b| a >= b || a.is_nan() || b.is_nan())?,
            194 => words(&all, |own| own[0].checked_shr(own[1]))?,
            195 => words(&all, |own| (own[0] as i32).checked_shr(own[1]).map(|x| x as u32))?,
            196 => words(&all, |own| own[0].checked_shl(own[1]))?,
            197 => words(&all, |own| Some(own[0] | own[1]))?,
            198 => words(&all, |own| Some(own[0] ^ own[1]))?,
            199 => words(&all, |own| Some(own[0] & own[1]))?,
            200 => words(&all, |own| Some(!own[0]))?,
            204 => words(&all, |own| Some(own[0].reverse_bits()))?,
            205 => words(&all, |own| Some(own[0].count_ones()))?,
            _ => return Err(unsupported()),
        })
    }
}

fn part(value: &Value, at: u32) -> Result<&Value, Stop> {
    value.parts()?.get(at as usize).ok_or(Stop::Undefined("an index out of range"))
}

/// A composite with another value for a part.
fn replaced(value: &Value, path: &[u32], with: &Value) -> Result<Value, Stop> {
    let Some((at, rest)) = path.split_first() else { return Ok(with.clone()) };
    let mut parts = value.parts()?.to_vec();
    parts[*at as usize] = replaced(part(value, *at)?, rest, with)?;
    Ok(Value::Parts(parts))
}
