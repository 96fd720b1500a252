//! C for recorded operations: a function for each.

use gpuzoo_ir::record::{Id, NanUse, Node, Record, Type};
use std::fmt::Write;

/// What every kernel begins with: bits and numbers, and the NaN that counts.
pub const HELPERS: &str = "\
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __FAST_MATH__
#error \"-ffast-math changes results; compile without it\"
#endif
#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0
#error \"float must be computed as float: on 32-bit x86 compile with -msse2 -mfpmath=sse\"
#endif
#if defined __clang__ || !defined __GNUC__
#pragma STDC FP_CONTRACT OFF
#endif

#if defined __clang__
#define GZ_INLINE static inline __attribute__((always_inline))
#define GZ_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")
#elif defined __GNUC__
#define GZ_INLINE static inline __attribute__((always_inline))
#define GZ_INDEPENDENT _Pragma(\"GCC ivdep\")
#else
#define GZ_INLINE static inline
#define GZ_INDEPENDENT
#endif

GZ_INLINE uint32_t gz_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

GZ_INLINE float gz_real(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

GZ_INLINE uint64_t gz_wide_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

GZ_INLINE double gz_wide_real(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Truth values are all ones or all zeros: compilers keep choices by bits in vectors, and make jumps of others.
GZ_INLINE uint32_t gz_mask(int truth)
{
    return -(uint32_t)truth;
}

GZ_INLINE float gz_select(uint32_t mask, float yes, float no)
{
    return gz_real((gz_bits(yes) & mask) | (gz_bits(no) & ~mask));
}

GZ_INLINE double gz_wide_select(uint32_t mask, double yes, double no)
{
    const uint64_t wide = (uint64_t)(int64_t)(int32_t)mask;
    return gz_wide_real((gz_wide_bits(yes) & wide) | (gz_wide_bits(no) & ~wide));
}

// Every NaN becomes this one.
GZ_INLINE float gz_nan(float x, uint32_t nan)
{
    const uint32_t bits = gz_bits(x);
    const uint32_t mask = gz_mask((bits & 0x7fffffffu) > 0x7f800000u);
    return gz_real((nan & mask) | (bits & ~mask));
}

// The order of all bit patterns, as a signed integer.
GZ_INLINE int32_t gz_order(float x)
{
    const uint32_t bits = gz_bits(x);
    return (int32_t)(bits ^ (uint32_t)((int32_t)bits >> 31) >> 1);
}

";

/// A number as C writes it, without a rounding.
pub fn single(bits: u32) -> String {
    let x = f32::from_bits(bits);
    if x.abs() < 1e7 && x.fract() == 0.0 {
        return format!("{x:.1}f");
    }
    if !x.is_normal() {
        return format!("gz_real({bits:#010x}u)");
    }
    // Every number of single precision is one of double precision.
    hexadecimal(f64::from(x).to_bits()) + "f"
}

fn double(bits: u64) -> String {
    let x = f64::from_bits(bits);
    if x.abs() < 1e16 && x.fract() == 0.0 {
        return format!("{x:.1}");
    }
    if !x.is_normal() {
        return format!("gz_wide_real({bits:#018x}u)");
    }
    hexadecimal(bits)
}

/// A normal number in C's hexadecimal form.
fn hexadecimal(bits: u64) -> String {
    let sign = if bits >> 63 != 0 { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    let digits = format!("{:013x}", bits & ((1 << 52) - 1));
    match digits.trim_end_matches('0') {
        "" => format!("{sign}0x1p{exponent}"),
        digits => format!("{sign}0x1.{digits}p{exponent}"),
    }
}

/// Tables that functions share.
#[derive(Default)]
pub struct Tables {
    tables: Vec<[u64; 128]>,
}

impl Tables {
    fn name(&mut self, table: &[u64; 128]) -> String {
        let number = self.tables.iter().position(|other| other == table).unwrap_or_else(|| {
            self.tables.push(*table);
            self.tables.len() - 1
        });
        format!("gz_table_{number}")
    }

    /// Their definitions.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, table) in self.tables.iter().enumerate() {
            let _ = writeln!(text, "static const double gz_table_{number}[128] = {{");
            for row in table.chunks(4) {
                let row: Vec<String> = row.iter().map(|&bits| double(bits)).collect();
                let _ = writeln!(text, "    {},", row.join(", "));
            }
            text += "};\n\n";
        }
        text
    }
}

/// The rule for NaNs that an operation ends in: on what, and the NaN that counts.
pub fn rule(record: &Record) -> Option<(Id, u32)> {
    match record.nodes.get(record.result) {
        Some(&Node::WithNan(operand, nan)) => Some((operand, nan)),
        _ => None,
    }
}

/// A function that computes what was recorded. The [`rule`] at its end is the caller's, with [`canonical`]; rules inside
/// are left out where nothing can tell.
pub fn function(name: &str, arguments: &[&str], record: &Record, tables: &mut Tables) -> String {
    let result = rule(record).map_or(record.result, |(operand, _)| operand);
    let parameters: Vec<String> = arguments.iter().map(|argument| format!("float {argument}")).collect();
    let mut text = format!("GZ_INLINE float gz_{name}({})\n{{\n", parameters.join(", "));
    let needed = needed(record, result);
    let mut writer = Writer { record, arguments, tables, names: vec![String::new(); record.nodes.len()] };
    for id in (0..record.nodes.len()).filter(|&id| needed[id]) {
        let expression = writer.expression(id);
        writer.names[id] = match (record.nodes[id], record.types[id]) {
            (Node::Argument(_) | Node::Single(_) | Node::Double(_), _) => expression,
            (Node::WithNan(operand, _), _) if record.nan_uses[id] == NanUse::None => {
                writer.names[operand].clone()
            }
            _ if id == result => expression,
            (_, is) => {
                let is = match is {
                    Type::Single => "float",
                    Type::Double => "double",
                    Type::Truth => "uint32_t",
                };
                let _ = writeln!(text, "    const {is} t{id} = {expression};");
                format!("t{id}")
            }
        };
    }
    let _ = write!(text, "    return {};\n}}\n\n", writer.names[result]);
    text
}

/// An expression whose NaN has the right bits.
pub fn canonical(expression: &str, nan: u32) -> String {
    format!("gz_nan({expression}, {nan:#010x}u)")
}

/// The nodes that the result needs.
fn needed(record: &Record, result: Id) -> Vec<bool> {
    let mut needed = vec![false; record.nodes.len()];
    needed[result] = true;
    for id in (0..=result).rev().filter(|&id| id < record.nodes.len()) {
        if needed[id] {
            record.nodes[id].operands(|operand| needed[operand] = true);
        }
    }
    needed
}

struct Writer<'a> {
    record: &'a Record,
    arguments: &'a [&'a str],
    tables: &'a mut Tables,
    /// What the nodes so far are called.
    names: Vec<String>,
}

impl Writer<'_> {
    fn expression(&mut self, id: Id) -> String {
        let name = |id: Id| &self.names[id];
        let single = |id: Id| self.record.types[id] == Type::Single;
        match self.record.nodes[id] {
            Node::Argument(index) => self.arguments.get(index).copied().unwrap_or("0.0f").to_owned(),
            Node::Single(bits) => self::single(bits),
            Node::Double(bits) => double(bits),
            Node::Arithmetic(sign, [a, b]) => format!("{} {sign} {}", name(a), name(b)),
            Node::Sqrt(a) => format!("{}({})", if single(a) { "sqrtf" } else { "sqrt" }, name(a)),
            Node::Less([a, b]) => format!("gz_mask({} < {})", name(a), name(b)),
            Node::Same([a, b]) => format!("gz_mask({} == {})", name(a), name(b)),
            Node::LessTotal([a, b]) => format!("gz_mask(gz_order({}) < gz_order({}))", name(a), name(b)),
            Node::Logic(sign, [a, b]) => format!("{} {sign} {}", name(a), name(b)),
            Node::Not(a) => format!("~{}", name(a)),
            Node::Select([mask, yes, no]) => {
                let select = if single(id) { "gz_select" } else { "gz_wide_select" };
                format!("{select}({}, {}, {})", name(mask), name(yes), name(no))
            }
            Node::Bits(sign, [a, b]) if single(a) => {
                format!("gz_real({} {sign} {})", self.bits(a), self.bits(b))
            }
            Node::Bits(sign, [a, b]) => {
                format!("gz_wide_real({} {sign} {})", self.bits(a), self.bits(b))
            }
            Node::Shift(sign, a, count) => format!("gz_wide_real({} {sign}{sign} {count})", self.bits(a)),
            Node::Widen(a) => format!("(double){}", name(a)),
            Node::WidenBits(a) => format!("gz_wide_real((uint64_t){})", self.bits(a)),
            Node::Narrow(a) => format!("(float){}", name(a)),
            Node::NarrowBits(a) => format!("gz_real((uint32_t){})", self.bits(a)),
            Node::WithNan(a, nan) => format!("gz_nan({}, {nan:#010x}u)", name(a)),
            Node::Pick(table, a) => {
                let index = format!("[{} & 127]", self.bits(a));
                self.record.tables.get(table).map(|table| self.tables.name(table)).unwrap_or_default()
                    + &index
            }
        }
    }

    /// The bits of a value, constants as numbers.
    fn bits(&self, id: Id) -> String {
        match (self.record.nodes[id], self.record.types[id]) {
            (Node::Single(bits), _) => format!("{bits:#010x}u"),
            (Node::Double(bits), _) => format!("UINT64_C({bits:#018x})"),
            (_, Type::Single) => format!("gz_bits({})", self.names[id]),
            _ => format!("gz_wide_bits({})", self.names[id]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        for (x, expected) in
            [(1.0, "1.0f"), (-0.0, "-0.0f"), (0.5, "0x1p-1f"), (-1.5, "-0x1.8p0f"), (3e38, "0x1.c363ccp127f")]
        {
            assert_eq!(single(f32::to_bits(x)), expected);
        }
        assert_eq!(single(0x7fc0_0000), "gz_real(0x7fc00000u)");
        assert_eq!(single(1), "gz_real(0x00000001u)");
        assert_eq!(double(f64::to_bits(6_755_399_441_055_744.0)), "6755399441055744.0");
        assert_eq!(double(0xffff), "gz_wide_real(0x000000000000ffffu)");
        assert_eq!(double(f64::to_bits(0.1)), "0x1.999999999999ap-4");
    }
}
