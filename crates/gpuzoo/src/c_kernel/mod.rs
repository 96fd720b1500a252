//! `assemble --emit c-kernel`: a program's meaning as a C function over columns.
//!
//! The C computes the evaluator's bits, NaNs included: each operation is written out from a record of the evaluator's
//! own function ([`gpuzoo_ir::record`]). A compiler that neither fuses nor reorders (`-ffp-contract=off`, no
//! `-ffast-math`) keeps them. Columns and a plain loop are what compilers vectorise.

mod text;

use crate::codes::NOT_IN_C;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::record::{NanUse, Operation, Record, canonical_operand, nan_use};
use gpuzoo_ir::{Function, Inst, Pick, Value, passes};
use gpuzoo_isa::{CONSTANT_OUTPUT, FileKind, Isa, Program};
use gpuzoo_machine::Gpu;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use text::Tables;

/// The letters of the components.
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The C text of a program under a profile; `name` is an identifier.
///
/// # Errors
/// `G0235` for what C cannot say: texture reads, kills, and constants that a program writes for the next vertex and
/// reads.
pub fn emit(gpu: &dyn Gpu, program: &Program, profile: &str, name: &str) -> Result<String, Diagnostic> {
    let function = passes::optimize(&gpu.lower(program, profile).function);
    let isa = gpu.about().isa;
    let body = kernel(&function, name).map_err(|obstacle| {
        let slot = obstacle.slot.and_then(|slot| program.slots.get(slot as usize));
        let problem = obstacle.diagnostic();
        match slot {
            Some(slot) => problem.label(slot.span, "here"),
            None => problem,
        }
    })?;
    Ok(header(gpu, &function, profile, name, isa) + &body)
}

/// Why a function has no C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The slot that it comes from.
    pub slot: Option<u32>,
    /// What is wrong.
    pub what: &'static str,
    /// What to do instead.
    pub help: &'static str,
}

impl Obstacle {
    /// As a message, without its place.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(&NOT_IN_C, self.what).help(self.help)
    }
}

/// What a user must know to call it.
fn header(gpu: &dyn Gpu, function: &Function, profile: &str, name: &str, isa: &Isa) -> String {
    let mut text = format!("// {name}: a program for {}, profile {profile}.\n//\n", gpu.about().name);
    text += "// Compile with -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math, never with -ffast-math.\n";
    text += "// With AVX-512 add -mprefer-vector-width=512. GCC takes minutes for long programs without -fno-gcse.\n//\n";
    text += "// inputs[4 n + k]: a column of component k (x, y, z, w) of input n, one number a lane; columns that the program does\n";
    text += "// not read may be null. uniforms[4 n + k]: component k of constant n. outputs[4 n + k]: a column of component k of\n";
    text += "// the n-th of these outputs; columns must not overlap:\n//";
    let outputs: Vec<u16> =
        isa.regs(|kind| matches!(kind, FileKind::Output(_))).map(|reg| reg.index).collect();
    let of_kind = |wanted: fn(FileKind) -> bool, index: u16| {
        let file = isa.files.iter().find(|file| wanted(file.kind));
        file.map_or_else(|| index.to_string(), |file| file.reg_name(index))
    };
    let mut names: Vec<String> = Vec::new();
    for &(number, _) in &function.outputs {
        names.push(match number {
            number if number >= CONSTANT_OUTPUT => {
                of_kind(|kind| kind == FileKind::Constant, number - CONSTANT_OUTPUT)
            }
            number if outputs.contains(&number) => {
                of_kind(|kind| matches!(kind, FileKind::Output(_)), number)
            }
            number => number.to_string(),
        });
    }
    for names in names.chunks(12) {
        let _ = write!(text, " {}\n//", names.join(" "));
    }
    if function.outputs.is_empty() {
        text += " none\n//";
    }
    let (inputs, uniforms) = (function.input_count(), function.uniform_count());
    let _ = writeln!(
        text,
        " {} columns in, {} uniforms, {} columns out.",
        inputs * 4,
        uniforms * 4,
        names.len() * 4
    );
    text
}

/// The arguments of an operation in C.
fn arguments(op: Operation) -> &'static [&'static str] {
    match op {
        Operation::One(_) => &["a"],
        Operation::Two(_) => &["a", "b"],
        Operation::Three(_) => &["a", "b", "c"],
        Operation::Dot(dot) if dot.mask() == 0b0111 => &["ax", "bx", "ay", "by", "az", "bz"],
        Operation::Dot(_) => &["ax", "bx", "ay", "by", "az", "bz", "aw", "bw"],
    }
}

/// A component of a value after shuffles: where it is computed, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    At(usize, usize),
    Bits(u32),
}

/// What is known of each component of each value.
struct Plan<'a> {
    function: &'a Function,
    records: BTreeMap<Operation, Record>,
    /// How each argument of each operation uses a NaN.
    nan_uses: BTreeMap<Operation, Vec<NanUse>>,
    needed: Vec<[bool; 4]>,
    /// True where the bits of a NaN matter.
    exact: Vec<[bool; 4]>,
    /// True for what differs from lane to lane.
    varies: Vec<bool>,
}

/// The C of a function: helpers, the operations that it uses, and the loop.
///
/// # Errors
/// If it reads textures, kills, or reads constants that it writes.
pub fn kernel(function: &Function, name: &str) -> Result<String, Obstacle> {
    let plan = Plan::new(function)?;
    let mut tables = Tables::default();
    let mut operations = String::new();
    for (op, record) in &plan.records {
        operations += &text::function(op.name(), arguments(*op), record, &mut tables);
    }
    Ok(text::HELPERS.to_owned() + &tables.text() + &operations + &plan.text(name))
}

fn obstacle(function: &Function) -> Option<Obstacle> {
    for (inst, origin) in function.insts.iter().zip(&function.origins) {
        let what = match inst {
            Inst::Sample(..) => "the program reads a texture, which a C kernel cannot do",
            Inst::Kill(_) => "the program can kill fragments, which a C kernel cannot do",
            _ => continue,
        };
        return Some(Obstacle { slot: *origin, what, help: "`gpuzoo render` draws with such programs" });
    }
    let written =
        |number: u16| function.outputs.iter().any(|(output, _)| *output == CONSTANT_OUTPUT + number);
    let writes = function.outputs.iter().any(|(output, _)| *output >= CONSTANT_OUTPUT);
    for (inst, origin) in function.insts.iter().zip(&function.origins).filter(|_| writes) {
        let reads = match *inst {
            Inst::Uniform(number) => number < CONSTANT_OUTPUT && written(number),
            Inst::UniformAt { count, .. } => (0..count.min(CONSTANT_OUTPUT)).any(written),
            _ => false,
        };
        if reads {
            return Some(Obstacle {
                slot: *origin,
                what: "the program reads a constant that it writes for the next vertex",
                help: "its vertices depend on each other; `gpuzoo run` computes them in order",
            });
        }
    }
    None
}

impl<'a> Plan<'a> {
    fn new(function: &'a Function) -> Result<Plan<'a>, Obstacle> {
        if let Some(obstacle) = obstacle(function) {
            return Err(obstacle);
        }
        let count = function.insts.len();
        let mut plan = Plan {
            function,
            records: BTreeMap::new(),
            nan_uses: BTreeMap::new(),
            needed: vec![[false; 4]; count],
            exact: vec![[false; 4]; count],
            varies: Vec::with_capacity(count),
        };
        for inst in &function.insts {
            let varies = match inst {
                Inst::Input(_) => true,
                inst => inst.operands().any(|operand| plan.varies[operand.index()]),
            };
            plan.varies.push(varies);
        }
        for &(_, value) in &function.outputs {
            (0..4).for_each(|component| plan.need(value, component, true));
        }
        for index in (0..count).rev() {
            for component in (0..4).filter(|component| plan.needed[index][*component]).collect::<Vec<_>>() {
                plan.pass_on(index, component);
            }
        }
        Ok(plan)
    }

    /// Where a component comes from.
    fn source(&self, value: Value, component: usize) -> Source {
        let (mut value, mut component) = (value, component);
        loop {
            match self.function.insts[value.index()] {
                Inst::Shuffle([a, b], picks) => match picks[component] {
                    Pick::A(from) => (value, component) = (a, usize::from(from & 3)),
                    Pick::B(from) => (value, component) = (b, usize::from(from & 3)),
                    Pick::Zero => return Source::Bits(0),
                    Pick::One => return Source::Bits(gpuzoo_ir::ONE),
                },
                Inst::Const(bits) => return Source::Bits(bits[component]),
                // It is the same in all four.
                Inst::Dot(..) => return Source::At(value.index(), 0),
                _ => return Source::At(value.index(), component),
            }
        }
    }

    fn need(&mut self, value: Value, component: usize, exact: bool) {
        if let Source::At(index, component) = self.source(value, component) {
            self.needed[index][component] = true;
            self.exact[index][component] |= exact;
        }
    }

    /// Needs what a needed component needs.
    fn pass_on(&mut self, index: usize, component: usize) {
        if let Inst::UniformAt { index, .. } = self.function.insts[index] {
            return self.need(index, 0, true);
        }
        let Some((op, operands)) = self.operation(index, component) else { return };
        let record = self.records.entry(op).or_insert_with(|| op.record());
        let nan_uses = self
            .nan_uses
            .entry(op)
            .or_insert_with(|| (0..8).map(|argument| nan_use(record, argument)).collect())
            .clone();
        let exact = self.exact[index][component];
        for ((value, component), nan) in operands.into_iter().zip(nan_uses) {
            self.need(value, component, nan == NanUse::Observes || (nan == NanUse::Passes && exact));
        }
    }

    /// The operation of an instruction, and the operand components that one component of its result reads.
    fn operation(&self, index: usize, component: usize) -> Option<(Operation, Vec<(Value, usize)>)> {
        let each = |values: &[Value]| values.iter().map(|&value| (value, component)).collect();
        Some(match &self.function.insts[index] {
            Inst::Map1(op, a) => (Operation::One(*op), each(&[*a])),
            Inst::Map2(op, values) => (Operation::Two(*op), each(values)),
            Inst::Map3(op, values) => (Operation::Three(*op), each(values)),
            Inst::Dot(dot, [a, b]) => {
                let components = (0..4).filter(|component| dot.mask() >> component & 1 != 0);
                (
                    Operation::Dot(*dot),
                    components.flat_map(|component| [(*a, component), (*b, component)]).collect(),
                )
            }
            _ => return None,
        })
    }

    /// A component as an operand.
    fn operand(&self, value: Value, component: usize) -> String {
        match self.source(value, component) {
            Source::Bits(bits) => text::single(bits),
            Source::At(index, component) => match self.function.insts[index] {
                Inst::Uniform(number) => format!("u{number}{}", LETTERS[component]),
                Inst::Dot(..) => format!("v{index}"),
                _ => format!("v{index}{}", LETTERS[component]),
            },
        }
    }

    /// The function itself.
    fn text(&self, name: &str) -> String {
        let mut text = format!(
            "void {name}(const float *const *inputs, const float *uniforms, float *const *outputs, size_t lanes);\n\n\
             void {name}(const float *const *inputs, const float *uniforms, float *const *outputs, size_t lanes)\n{{\n"
        );
        let (mut before, mut body) = (String::new(), String::new());
        let (mut columns, mut uniforms) = (BTreeSet::new(), BTreeSet::new());
        for (index, inst) in self.function.insts.iter().enumerate() {
            for component in (0..4).filter(|component| self.needed[index][*component]) {
                match *inst {
                    Inst::Input(slot) => {
                        columns.insert((slot, component));
                        let letter = LETTERS[component];
                        let _ =
                            writeln!(body, "        const float v{index}{letter} = in{slot}{letter}[lane];");
                    }
                    Inst::Uniform(number) => {
                        uniforms.insert((number, component));
                    }
                    _ => {
                        let expression = self.expression(index, component);
                        let own = self.operand(Value(index as u32), component);
                        let to = if self.varies[index] { &mut body } else { &mut before };
                        let indent = if self.varies[index] { "        " } else { "    " };
                        let _ = writeln!(to, "{indent}const float {own} = {expression};");
                    }
                }
            }
        }
        for (slot, component) in &columns {
            let (letter, at) = (LETTERS[*component], usize::from(*slot) * 4 + component);
            let _ = writeln!(text, "    const float *const in{slot}{letter} = inputs[{at}];");
        }
        for (number, component) in &uniforms {
            let (letter, at) = (LETTERS[*component], usize::from(*number) * 4 + component);
            let _ = writeln!(text, "    const float u{number}{letter} = uniforms[{at}];");
        }
        for at in 0..self.function.outputs.len() * 4 {
            let _ = writeln!(text, "    float *const out{}{} = outputs[{at}];", at / 4, LETTERS[at % 4]);
        }
        let unused = [
            ("inputs", columns.is_empty()),
            ("uniforms", uniforms.is_empty()),
            ("outputs", self.function.outputs.is_empty()),
        ];
        for (name, _) in unused.iter().filter(|(_, unused)| *unused) {
            let _ = writeln!(text, "    (void){name};");
        }
        text += &before;
        text += "    GZ_INDEPENDENT\n    for (size_t lane = 0; lane < lanes; lane++) {\n";
        text += &body;
        for (output, &(_, value)) in self.function.outputs.iter().enumerate() {
            for (component, letter) in LETTERS.into_iter().enumerate() {
                let _ =
                    writeln!(text, "        out{output}{letter}[lane] = {};", self.operand(value, component));
            }
        }
        text + "    }\n}\n"
    }

    /// What computes a component.
    fn expression(&self, index: usize, component: usize) -> String {
        if let Inst::UniformAt { index, base, count } = self.function.insts[index] {
            return self.look_up(index, base, count, component);
        }
        let Some((op, operands)) = self.operation(index, component) else { return "0.0f".to_owned() };
        let operands: Vec<String> =
            operands.into_iter().map(|(value, component)| self.operand(value, component)).collect();
        let call = format!("gz_{}({})", op.name(), operands.join(", "));
        let canonical = self.records.get(&op).is_some_and(|record| canonical_operand(record).is_some());
        if canonical && self.exact[index][component] { text::canonical(&call) } else { call }
    }

    /// A uniform at a computed place.
    fn look_up(&self, index: Value, base: i32, count: u16, component: usize) -> String {
        // The indices that name a uniform; there may be none.
        let first = (-i64::from(base)).max(i32::MIN.into());
        let last = (i64::from(count) - 1 - i64::from(base)).min(i32::MAX.into());
        if first > last {
            return "0.0f".to_owned();
        }
        // -2147483648 is not a literal in C.
        let literal = |number: i64| {
            if number == i64::from(i32::MIN) { "INT32_MIN".to_owned() } else { number.to_string() }
        };
        let (first, last) = (literal(first), literal(last));
        let index = format!("(int32_t)gz_bits({})", self.operand(index, 0));
        let inside = format!("{index} >= {first} && {index} <= {last}");
        format!("{inside} ? uniforms[4 * (size_t)((int64_t){index} + {base}) + {component}] : 0.0f")
    }
}
