//! From an operation's record to a function in WGSL that calls the library's primitives, step by step.

use super::tables::choices;
use gpuzoo_ir::NAN;
use gpuzoo_ir::record::{Id, Node, Operation, Record, Type as Kind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A function of an operation.
pub(super) struct Recorded {
    /// Its text.
    pub text: String,
    /// The functions of the library that it calls.
    pub calls: Vec<&'static str>,
    /// The tables that it looks things up in: functions by name.
    pub tables: BTreeMap<String, String>,
}

/// The function of an operation under a name: `u32` patterns to a `u32` pattern.
pub(super) fn recorded(operation: Operation, name: &str) -> Recorded {
    let record = operation.record();
    let mut writer = Writer { record, text: String::new(), calls: Vec::new(), tables: BTreeMap::new() };
    let count = record.nodes.iter().filter(|node| matches!(node, Node::Argument(_))).count();
    let arguments: Vec<String> = (0..count).map(|index| format!("{}: u32", argument(index))).collect();
    let _ = writeln!(writer.text, "fn {name}({}) -> u32 {{", arguments.join(", "));
    let live = live(record);
    let mut values = vec![String::new(); record.nodes.len()];
    for (id, node) in record.nodes.iter().enumerate().filter(|(id, _)| live[*id]) {
        values[id] = writer.node(id, *node, &values);
    }
    let _ = writeln!(writer.text, "    return {};\n}}", values[record.result]);
    writer.calls.sort_unstable();
    writer.calls.dedup();
    Recorded { text: writer.text, calls: writer.calls, tables: writer.tables }
}

/// The name of an argument by its place.
fn argument(index: usize) -> &'static str {
    ["a", "b", "c", "d", "e", "f", "g", "h"][index.min(7)]
}

/// The nodes that the result depends on.
fn live(record: &Record) -> Vec<bool> {
    let mut live = vec![false; record.nodes.len()];
    live[record.result] = true;
    for (id, node) in record.nodes.iter().enumerate().rev() {
        if live[id] {
            node.operands(|operand| live[operand] = true);
        }
    }
    live
}

/// A function that grows by one statement at a time.
struct Writer {
    record: &'static Record,
    text: String,
    calls: Vec<&'static str>,
    tables: BTreeMap<String, String>,
}

impl Writer {
    /// What a node's value is called; literals and arguments are what they are.
    fn node(&mut self, id: Id, node: Node, values: &[String]) -> String {
        let value = |id: Id| values[id].as_str();
        let is_double = |id: Id| self.record.types[id] == Kind::Double;
        let of_kind = |double, single, id| if is_double(id) { double } else { single };
        let expression = match node {
            Node::Argument(index) => return argument(index).to_owned(),
            Node::Single(bits) => return format!("{bits:#x}u"),
            Node::Double(bits) => return format!("vec2<u32>({:#x}u, {:#x}u)", bits as u32, bits >> 32),
            Node::Arithmetic(sign, [a, b]) => {
                let name = match sign {
                    '+' => of_kind("double_add", "single_add", a),
                    '-' => of_kind("double_sub", "single_sub", a),
                    '*' => of_kind("double_mul", "single_mul", a),
                    _ => of_kind("double_div", "single_div", a),
                };
                self.call(name, &[value(a), value(b)])
            }
            Node::Sqrt(a) => self.call(of_kind("double_sqrt", "single_sqrt", a), &[value(a)]),
            Node::Less([a, b]) => self.call(of_kind("double_less", "single_less", a), &[value(a), value(b)]),
            Node::Same([a, b]) => self.call(of_kind("double_same", "single_same", a), &[value(a), value(b)]),
            Node::LessTotal([a, b]) => {
                self.call(of_kind("double_less_total", "single_less_total", a), &[value(a), value(b)])
            }
            Node::Logic(sign, [a, b]) => format!("{} {sign} {}", value(a), value(b)),
            Node::Not(a) => format!("!{}", value(a)),
            Node::Select([condition, yes, no]) => {
                match (self.record.nodes[yes], self.record.nodes[no]) {
                    // By bits: a choice between the patterns of -1 and 0 Mesa 22 takes for one of floats that may as well
                    // have -0.
                    (Node::Single(yes), Node::Single(no)) => {
                        let chosen = format!("(0u - select(0u, 1u, {}))", value(condition));
                        format!("({chosen} & {:#x}u) ^ {no:#x}u", yes ^ no)
                    }
                    _ => format!("select({}, {}, {})", value(no), value(yes), value(condition)),
                }
            }
            Node::Bits('+', [a, b]) => self.call("add64", &[value(a), value(b)]),
            Node::Bits('-', [a, b]) => self.call("sub64", &[value(a), value(b)]),
            Node::Bits(sign, [a, b]) => format!("{} {sign} {}", value(a), value(b)),
            Node::Shift(direction, a, count) => shift(direction, value(a), count),
            Node::Widen(a) => self.call("widen", &[value(a)]),
            Node::WidenBits(a) => format!("vec2<u32>({}, 0u)", value(a)),
            Node::Narrow(a) => self.call("narrow", &[value(a)]),
            Node::NarrowBits(a) => format!("{}.x", value(a)),
            // The primitives for arithmetic have this NaN already.
            Node::WithNan(a, nan) if nan == NAN && computes(self.record.nodes[a]) => {
                return value(a).to_owned();
            }
            Node::WithNan(a, nan) => self.call("with_nan", &[value(a), &format!("{nan:#x}u")]),
            Node::Pick(number, a) => {
                let (name, text) = table(&self.record.tables[number]);
                let call = format!("{name}({}.x)", value(a));
                self.tables.insert(name, text);
                call
            }
        };
        let _ = writeln!(self.text, "    let t{id} = {expression};");
        format!("t{id}")
    }

    /// A call of a primitive.
    fn call(&mut self, name: &'static str, arguments: &[&str]) -> String {
        self.calls.push(name);
        format!("{name}({})", arguments.join(", "))
    }
}

/// True for what gives [`NAN`] for every NaN by itself.
fn computes(node: Node) -> bool {
    matches!(node, Node::Arithmetic(..) | Node::Sqrt(_))
}

/// A pair of words shifted by a count below 64.
fn shift(direction: char, a: &str, count: u32) -> String {
    let step = count & 31;
    let along = |word: &str| match step {
        0 => format!("{a}.{word}"),
        _ => format!("({a}.{word} {direction}{direction} {step}u)"),
    };
    // The word that bits come into from the other one, and that other one.
    let (near, far) = if direction == '<' { ("y", "x") } else { ("x", "y") };
    let back = if direction == '<' { '>' } else { '<' };
    let (moved, rest) = match (count >= 32, step) {
        (true, _) => (along(far), "0u".to_owned()),
        (false, 0) => return a.to_owned(),
        (false, _) => (format!("{} | ({a}.{far} {back}{back} {}u)", along(near), 32 - step), along(far)),
    };
    if direction == '<' {
        format!("vec2<u32>({rest}, {moved})")
    } else {
        format!("vec2<u32>({moved}, {rest})")
    }
}

/// The function that looks a pair of words up by the lowest 7 bits of its argument. Tables are known by what is in
/// them, since several operations look things up in the same ones.
///
/// GPUs would keep an array that is indexed by a value in memory, each lane its own: that is slower than a tree of choices,
/// and Mesa's lavapipe needs seconds to compile it.
fn table(entries: &[u64; 128]) -> (String, String) {
    // Fowler, Noll and Vo's hash (FNV-1a) of the words.
    let words = entries.iter().flat_map(|entry| entry.to_le_bytes());
    let hash = words.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let name = format!("table_{hash:08x}");
    let mut text = format!("fn {name}(a: u32) -> vec2<u32> {{\n");
    let [low, high] =
        [0, 32].map(|shift| entries.iter().map(|entry| (entry >> shift) as u32).collect::<Vec<u32>>());
    let [low, high] = choices("a", [&low, &high], &mut text);
    let _ = writeln!(text, "    return vec2<u32>({low}, {high});\n}}");
    (name, text)
}
