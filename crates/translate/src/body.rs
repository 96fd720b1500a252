//! The function that a program is: its statements, one for each operation.

use crate::fast::{self, Form};
use crate::program::Program;
use crate::values::{Component, Kind, Variables, letters};
use crate::words::{argument, comment};
use crate::{Fidelity, exact, kept};
use gpuzoo_ir::record::Operation;
use gpuzoo_ir::{Inst, Op3, Pick, Value, passes};
use gpuzoo_machine::TextureRead;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// The text of a function's statements, and what they need.
#[derive(Debug)]
pub struct Body {
    /// The statements.
    pub text: String,
    /// The components of the outputs, as vectors.
    pub outputs: Vec<String>,
    /// True where a run ends without outputs; none if there is no such place.
    pub killed: Option<String>,
    /// The operations, each once, with how often they are written.
    pub operations: Vec<(Operation, usize)>,
    /// With the host's floats: operations that are computed in integers all the same, with how often they are written.
    pub kept: Vec<(Operation, usize)>,
    /// The functions of the library beside those of operations.
    pub helpers: BTreeSet<&'static str>,
    /// For each name the slot that it was written in.
    pub slots: HashMap<String, usize>,
}

/// The statements of a program.
pub fn body(program: &Program, fidelity: Fidelity) -> Body {
    let mut writer = Writer::new(program, fidelity);
    let masks = passes::demand(&program.function);
    for (index, mask) in masks.into_iter().enumerate() {
        let inst = &program.function.insts[index];
        let components = match mask == 0 && !inst.has_effect() {
            true => ZEROS,
            false => writer.inst(index, inst, mask),
        };
        writer.values.push(components);
    }
    writer.text.push_str(&std::mem::take(&mut writer.loads));
    let kind = Kind::stored(fidelity);
    let outputs = program.function.outputs.iter().map(|(_, value)| writer.values[value.index()]);
    let outputs: Vec<[Component; 4]> = outputs.collect();
    let outputs = outputs.into_iter().map(|own| writer.variables.expression(&own, kind)).collect();
    if writer.variables.unsayable {
        writer.helpers.insert("number");
    }
    Body {
        text: writer.text,
        outputs,
        killed: (!writer.kills.is_empty()).then(|| writer.kills.join(" || ")),
        operations: writer.operations.into_iter().collect(),
        kept: writer.kept_operations.into_iter().collect(),
        helpers: writer.helpers,
        slots: writer.slots,
    }
}

const ZEROS: [Component; 4] = [Component::Const(0); 4];

struct Writer<'a> {
    program: &'a Program,
    fidelity: Fidelity,
    /// What registers hold.
    stored: Kind,
    variables: Variables,
    /// The components of each value.
    values: Vec<[Component; 4]>,
    text: String,
    taken: HashSet<String>,
    slots: HashMap<String, usize>,
    /// The slot whose text was written last.
    shown: Option<usize>,
    /// Statements that load constants for what comes next.
    loads: String,
    /// The variables of constants that were read.
    constants: HashMap<u16, usize>,
    kills: Vec<String>,
    /// Components of sums that hosts' compilers would leave out.
    kept: Vec<u8>,
    kept_operations: BTreeMap<Operation, usize>,
    operations: BTreeMap<Operation, usize>,
    helpers: BTreeSet<&'static str>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, fidelity: Fidelity) -> Writer<'a> {
        Writer {
            program,
            fidelity,
            stored: Kind::stored(fidelity),
            variables: Variables::default(),
            values: Vec::with_capacity(program.function.insts.len()),
            text: String::new(),
            taken: HashSet::new(),
            slots: HashMap::new(),
            shown: None,
            loads: String::new(),
            constants: HashMap::new(),
            kills: Vec::new(),
            kept: if fidelity == Fidelity::Fast { kept::kept(&program.function) } else { Vec::new() },
            kept_operations: BTreeMap::new(),
            operations: BTreeMap::new(),
            helpers: BTreeSet::new(),
        }
    }

    /// The components of an instruction's value; those outside the mask do not count.
    fn inst(&mut self, index: usize, inst: &Inst, mask: u8) -> [Component; 4] {
        let value = |value: Value| self.values[value.index()];
        match *inst {
            Inst::Const(bits) => bits.map(Component::Const),
            Inst::Input(number) => {
                let input = self.program.inputs.iter().find(|input| input.number == number);
                let name = input.map_or_else(String::new, |input| argument(&input.name));
                vector(self.variables.add(name, 4, self.stored))
            }
            Inst::Uniform(number) => {
                if let Some(known) = self.constants.get(&number) {
                    return vector(*known);
                }
                let name = format!("{}{number}v", self.program.constant);
                let _ = writeln!(self.loads, "    let {name} = {}[{number}];", self.program.constant);
                let variable = self.variables.add(name, 4, self.stored);
                self.constants.insert(number, variable);
                vector(variable)
            }
            Inst::UniformAt { index: at, base, count } => {
                let at = value(at)[0];
                self.constant_at(index, at, base, count, mask)
            }
            Inst::Map1(op, a) => self.map(index, Operation::One(op), &[value(a)], mask),
            Inst::Map2(op, [a, b]) => self.map(index, Operation::Two(op), &[value(a), value(b)], mask),
            Inst::Map3(op, [a, b, c]) => {
                self.map(index, Operation::Three(op), &[value(a), value(b), value(c)], mask)
            }
            Inst::Dot(dot, [a, b]) => {
                let (a, b) = (value(a), value(b));
                self.dot(index, Operation::Dot(dot), [&a[..dot.terms()], &b[..dot.terms()]], mask)
            }
            Inst::Shuffle([a, b], picks) => {
                let (a, b) = (value(a), value(b));
                picks.map(|pick| match pick {
                    Pick::A(from) => a[usize::from(from & 3)],
                    Pick::B(from) => b[usize::from(from & 3)],
                    Pick::Zero => Component::Const(0),
                    Pick::One => Component::Const(gpuzoo_ir::ONE),
                })
            }
            Inst::Sample(number, at) => {
                let at = value(at);
                self.sample(index, number, at, mask)
            }
            Inst::Kill(a) => {
                let components = value(a);
                self.kill(index, components);
                components
            }
        }
    }

    /// Writes the text of the slot that an instruction comes from, if it is another one than before, and loads constants.
    fn show(&mut self, index: usize) {
        let slot = self.program.function.origins.get(index).copied().flatten().map(|slot| slot as usize);
        if slot.is_some() && slot != self.shown {
            let text = slot.and_then(|slot| self.program.slots.get(slot));
            if let (Some(slot), Some(text)) = (slot, text) {
                let _ = writeln!(self.text, "    // {slot}: {}", comment(text));
            }
            self.shown = slot;
        }
        self.text.push_str(&std::mem::take(&mut self.loads));
    }

    /// Writes `let NAME = EXPRESSION;` for some components of a value, and gives the variable.
    fn define(
        &mut self,
        index: usize,
        components: &[u8],
        kind: Kind,
        size: usize,
        expression: &str,
    ) -> usize {
        self.show(index);
        let name = self.name(index, components);
        let _ = writeln!(self.text, "    let {name} = {expression};");
        if let Some(slot) = self.program.function.origins.get(index).copied().flatten() {
            self.slots.insert(name.clone(), slot as usize);
        }
        self.variables.add(name, size, kind)
    }

    /// Writes `let SLOT_WHAT = EXPRESSION;` for what is no value of the program, and gives its name.
    fn aside(&mut self, index: usize, what: &str, expression: &str) -> String {
        self.show(index);
        let slot = self.program.function.origins.get(index).copied().flatten();
        let base = slot.map_or_else(|| "start".to_owned(), |slot| format!("slot{slot}"));
        let first = format!("{base}_{what}");
        let others = (2..).map(|number: usize| format!("{base}_{number}{what}"));
        let free = std::iter::once(first).chain(others).find(|name| self.taken.insert(name.clone()));
        let name = free.unwrap_or_default();
        let _ = writeln!(self.text, "    let {name} = {expression};");
        self.slots.extend(slot.map(|slot| (name.clone(), slot as usize)));
        name
    }

    /// A name that nothing has yet for some components of a value.
    fn name(&mut self, index: usize, components: &[u8]) -> String {
        let own = &self.program.names[index];
        let named = components.iter().find_map(|component| own[usize::from(*component)].as_deref());
        let origin = self.program.function.origins.get(index).copied().flatten();
        let base = match (named, origin) {
            (Some(name), _) => name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect(),
            (None, Some(slot)) => format!("t_{slot}"),
            (None, None) => "start".to_owned(),
        };
        let letters = letters(components);
        let first = format!("{base}_{letters}");
        let others = (2..).map(|number: usize| format!("{base}_{number}{letters}"));
        let free = std::iter::once(first).chain(others).find(|name| self.taken.insert(name.clone()));
        free.unwrap_or_default()
    }

    /// An operation on each component that is read. Components that are computed from the same are computed once, those that are
    /// known not at all: shading languages refuse some that give no number.
    fn map(
        &mut self,
        index: usize,
        operation: Operation,
        operands: &[[Component; 4]],
        mask: u8,
    ) -> [Component; 4] {
        let mut distinct: Vec<Vec<Component>> = Vec::new();
        let mut owners: Vec<u8> = Vec::new();
        let mut place = [None; 4];
        let mut results = [Component::Const(0); 4];
        for component in (0..4u8).filter(|component| mask >> component & 1 == 1) {
            let own: Vec<Component> =
                operands.iter().map(|operand| operand[usize::from(component)]).collect();
            if let Some(known) = folded(operation, &own) {
                results[usize::from(component)] = known;
                continue;
            }
            let at = distinct.iter().position(|known| *known == own).unwrap_or_else(|| {
                distinct.push(own);
                owners.push(component);
                distinct.len() - 1
            });
            place[usize::from(component)] = Some(at as u8);
        }
        if distinct.is_empty() {
            return results;
        }
        let is_kept = self.kept.get(index).is_some_and(|kept| kept & mask != 0);
        let counts = if is_kept { &mut self.kept_operations } else { &mut self.operations };
        *counts.entry(operation).or_default() += distinct.len();
        let size = distinct.len();
        let column = |operand: usize| distinct.iter().map(|own| own[operand]).collect::<Vec<Component>>();
        let fidelity = if is_kept { Fidelity::Exact } else { self.fidelity };
        let (expression, kind) = match fidelity {
            Fidelity::Exact => {
                let call = |own: &Vec<Component>| match (operation, &own[..]) {
                    (
                        Operation::Three(Op3::ISelect),
                        &[by, Component::Const(one), Component::Const(zero)],
                    ) if one ^ zero == ONE_OR_ZERO => {
                        let parts = [1 << 31, !(1 << 31)].map(|part| {
                            let known = [one, zero].map(|bits| Component::Const(bits & part));
                            self.call(operation.name(), &[by, known[0], known[1]], Kind::Bits)
                        });
                        format!("({})", parts.join(" | "))
                    }
                    (_, own) => self.call(operation.name(), own, Kind::Bits),
                };
                let calls = distinct.iter().map(call).collect();
                (vector_of(calls, Kind::Bits), Kind::Bits)
            }
            Fidelity::Fast => {
                let (form, takes, gives) = fast::form(operation);
                let first = if operation == Operation::Three(Op3::ISelect) { Kind::Bits } else { takes };
                let text = match form {
                    Form::Vector(template) => {
                        let columns: Vec<Vec<Component>> = (0..operands.len()).map(column).collect();
                        self.filled(template, &columns, [first, takes, gives], size)
                    }
                    Form::Sized(names) => {
                        let name = names[size - 1];
                        self.helpers.insert(name);
                        let columns: Vec<Vec<Component>> = (0..operands.len()).map(column).collect();
                        let operands = columns.iter().map(|column| self.variables.expression(column, takes));
                        let operands: Vec<String> = operands.collect();
                        format!("{name}({})", operands.join(", "))
                    }
                    Form::Scalar(name) => {
                        self.helpers.insert(name);
                        let calls = distinct.iter().map(|own| self.call(name, own, takes)).collect();
                        vector_of(calls, gives)
                    }
                };
                (text, gives)
            }
        };
        let variable = self.define(index, &owners, kind, size, &expression);
        for (result, at) in results.iter_mut().zip(place) {
            *result = at.map_or(*result, |at| Component::Of { variable, at });
        }
        results
    }

    /// A template with its operands.
    fn filled(
        &mut self,
        template: &str,
        columns: &[Vec<Component>],
        [first, takes, gives]: [Kind; 3],
        size: usize,
    ) -> String {
        let mut text = template
            .replace("$T", gives.of(size))
            .replace("$U", Kind::Bits.of(size))
            .replace("$I", Kind::signed(size));
        for (name, column) in ["$a", "$b", "$c"].into_iter().zip(columns) {
            // What is chosen by is looked at as bits: as a float it could be a subnormal number, which hosts take for zero.
            let kind = if name == "$a" { first } else { takes };
            let operand = self.variables.expression(column, kind);
            // `--` is a token of its own.
            let operand = if operand.starts_with('-') { format!("({operand})") } else { operand };
            text = text.replace(name, &operand);
        }
        text
    }

    fn call(&mut self, name: &str, arguments: &[Component], kind: Kind) -> String {
        let arguments: Vec<String> =
            arguments.iter().map(|argument| self.variables.single(*argument, kind)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn dot(
        &mut self,
        index: usize,
        operation: Operation,
        [a, b]: [&[Component]; 2],
        mask: u8,
    ) -> [Component; 4] {
        let pairs: Vec<Component> = a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect();
        if let Some(known) = folded(operation, &pairs) {
            return [known; 4];
        }
        *self.operations.entry(operation).or_default() += 1;
        let (expression, kind) = match self.fidelity {
            Fidelity::Exact => {
                let mut pairs = pairs;
                pairs.resize(8, Component::Const(0));
                (self.call(operation.name(), &pairs, Kind::Bits), Kind::Bits)
            }
            Fidelity::Fast => {
                self.helpers.insert(operation.name());
                let operands = [a, b].map(|operand| self.variables.expression(operand, Kind::Float));
                (format!("{}({})", operation.name(), operands.join(", ")), Kind::Float)
            }
        };
        let read: Vec<u8> = (0..4).filter(|component| mask >> component & 1 == 1).collect();
        let variable = self.define(index, &read, kind, 1, &expression);
        [Component::Of { variable, at: 0 }; 4]
    }

    /// A constant at a computed number; zeros where there is none.
    fn constant_at(
        &mut self,
        index: usize,
        at: Component,
        base: i32,
        count: u16,
        mask: u8,
    ) -> [Component; 4] {
        // The least and the greatest number that means a constant; none does if the least is none itself.
        let (low, high) = (-i64::from(base), i64::from(count) - 1 - i64::from(base));
        let Some(low) = i32::try_from(low).ok().filter(|_| count > 0) else { return ZEROS };
        let high = high.min(i64::from(i32::MAX));
        let number = self.variables.single(at, Kind::Bits);
        let given = self.aside(index, "at", &format!("bitcast<i32>({number})"));
        let near = self.aside(index, "near", &format!("clamp({given}, {low}, {high})"));
        let place = match base {
            0 => near.clone(),
            _ => format!("{near} + {base}"),
        };
        let expression =
            format!("select({}(), {}[{place}], {near} == {given})", self.stored.of(4), self.program.constant);
        let read: Vec<u8> = (0..4).filter(|component| mask >> component & 1 == 1).collect();
        vector(self.define(index, &read, self.stored, 4, &expression))
    }

    fn sample(&mut self, index: usize, number: u8, at: [Component; 4], mask: u8) -> [Component; 4] {
        let Some(sample) = self.program.samples.iter().find(|own| own.number == number) else { return ZEROS };
        let unit = sample.unit;
        let expression = match sample.read {
            TextureRead::Filtered => {
                let place = self.variables.expression(&at[..2], Kind::Float);
                format!("textureSample(texture{unit}t, texture{unit}s, {place})")
            }
            TextureRead::Biased => {
                let place = self.variables.expression(&at[..2], Kind::Float);
                let bias = self.variables.single(at[3], Kind::Float);
                format!("textureSampleBias(texture{unit}t, texture{unit}s, {place}, {bias})")
            }
            TextureRead::Texel => {
                self.helpers.insert("texel");
                let place = self.variables.expression(&at, Kind::Float);
                format!("texel(texture{unit}t, {place})")
            }
        };
        let read: Vec<u8> = (0..4).filter(|component| mask >> component & 1 == 1).collect();
        vector(self.define(index, &read, Kind::Float, 4, &expression))
    }

    fn kill(&mut self, index: usize, components: [Component; 4]) {
        let mut different = components.to_vec();
        different.sort_unstable();
        different.dedup();
        let expression = match (self.fidelity, &different[..]) {
            (Fidelity::Fast, [one]) => format!("{} < 0.0", self.variables.single(*one, Kind::Float)),
            (Fidelity::Fast, several) => {
                let type_name = Kind::Float.of(several.len());
                format!("any({} < {type_name}())", self.variables.expression(several, Kind::Float))
            }
            (Fidelity::Exact, several) => {
                self.helpers.insert(exact::BELOW_ZERO);
                let tests: Vec<String> =
                    several.iter().map(|one| self.call(exact::BELOW_ZERO, &[*one], Kind::Bits)).collect();
                tests.join(" || ")
            }
        };
        let name = self.aside(index, "kill", &expression);
        self.kills.push(name);
    }
}

/// The bits that differ between 1.0 and -0.0, and between -1.0 and 0.0. Mesa (22.3, `nir_opt_algebraic`) takes a choice between two
/// such numbers for one between those of the same sign, so that signs are chosen by themselves.
const ONE_OR_ZERO: u32 = 0xbf80_0000;

/// The result of an operation on constants, as the evaluator has it. Of a dot product the operands are its factors, pair by pair.
fn folded(operation: Operation, operands: &[Component]) -> Option<Component> {
    let bits = |component: &Component| match component {
        Component::Const(bits) => Some(*bits),
        Component::Of { .. } => None,
    };
    let known: Vec<u32> = operands.iter().map(bits).collect::<Option<_>>()?;
    Some(Component::Const(match (operation, &known[..]) {
        (Operation::One(op), [a]) => op.eval(*a),
        (Operation::Two(op), [a, b]) => op.eval(*a, *b),
        (Operation::Three(op), [a, b, c]) => op.eval(*a, *b, *c),
        (Operation::Dot(dot), pairs) => {
            let factor =
                |which: usize| std::array::from_fn(|at| pairs.get(2 * at + which).copied().unwrap_or(0));
            dot.eval(factor(0), factor(1))
        }
        _ => return None,
    }))
}

/// Numbers as one vector, or the one that there is.
fn vector_of(parts: Vec<String>, kind: Kind) -> String {
    match &parts[..] {
        [one] => one.clone(),
        _ => format!("{}({})", kind.of(parts.len()), parts.join(", ")),
    }
}

fn vector(variable: usize) -> [Component; 4] {
    [0, 1, 2, 3].map(|at| Component::Of { variable, at })
}
