//! `assemble --emit c-kernel`: a program's meaning as a C function over columns.
//!
//! The C computes the evaluator's bits, NaNs included: each operation is written out from a record of the evaluator's
//! own function ([`gpuzoo_ir::record`]). A compiler that neither fuses nor reorders (`-ffp-contract=off`, no
//! `-ffast-math`) keeps them. Columns and a plain loop are what compilers vectorise.

mod text;

use crate::codes::NOT_IN_C;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::record::Operation;
use gpuzoo_ir::scalar::{self, Graph, Id, Node};
use gpuzoo_ir::{Function, Inst, passes};
use gpuzoo_isa::{FileKind, Isa, Output, Program};
use gpuzoo_machine::unit::draw::leaves_constants;
use gpuzoo_machine::{Profile, ShaderUnit};
use std::collections::BTreeSet;
use std::fmt::Write;
use text::Tables;

/// The letters of the components.
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The C text of a program under a profile; `name` is an identifier.
///
/// # Errors
/// `G0235` for what C cannot say: texture reads, kills, and constants that a program writes for the next vertex and
/// reads.
pub fn emit(
    gpu: &dyn ShaderUnit,
    program: &Program,
    profile: Profile,
    name: &str,
) -> Result<String, Diagnostic> {
    let function = passes::optimize(&gpu.lower(program, &profile.into()).0.function);
    let isa = gpu.isa();
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
#[non_exhaustive]
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
fn header(gpu: &dyn ShaderUnit, function: &Function, profile: Profile, name: &str, isa: &Isa) -> String {
    let (about, profile) = (gpu.about(), gpu.about().profile_name(profile));
    let mut text = format!("// {name}: a program for {}, profile {profile}.\n//\n", about.name);
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
        names.push(match Output::of(number) {
            Output::Constant(index) => of_kind(|kind| kind == FileKind::Constant, index),
            Output::Register(index) if outputs.contains(&index) => {
                of_kind(|kind| matches!(kind, FileKind::Output(_)), index)
            }
            _ => number.to_string(),
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

/// The C of a function: helpers, the operations that it uses, and the loop.
///
/// # Errors
/// If it reads textures, kills, or reads constants that it writes.
pub fn kernel(function: &Function, name: &str) -> Result<String, Obstacle> {
    if let Some(obstacle) = obstacle(function) {
        return Err(obstacle);
    }
    let kernel = Kernel::new(function);
    let mut tables = Tables::default();
    let operations: BTreeSet<Operation> = kernel.live().filter_map(|(_, node)| node.operation()).collect();
    let operations: String = operations
        .into_iter()
        .map(|op| text::function(op.name(), arguments(op), op.record(), &mut tables))
        .collect();
    Ok(text::HELPERS.to_owned() + &tables.text() + &operations + &kernel.text(name))
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
    let written = |index: u16| {
        function.outputs.iter().any(|(output, _)| Output::of(*output) == Output::Constant(index))
    };
    let writes = leaves_constants(function);
    for (inst, origin) in function.insts.iter().zip(&function.origins).filter(|_| writes) {
        let reads = match *inst {
            Inst::Uniform(number) => written(number),
            Inst::UniformAt { count, .. } => (0..count).any(written),
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

/// A function component by component, and what is known of it.
struct Kernel {
    graph: Graph,
    uses: Vec<u32>,
    /// True where the bits of a NaN matter.
    exact: Vec<bool>,
}

impl Kernel {
    fn new(function: &Function) -> Kernel {
        let graph = Graph::new(function, &scalar::Options::default());
        let (uses, exact) = (graph.uses(), graph.exact());
        Kernel { graph, uses, exact }
    }

    /// The nodes that are read.
    fn live(&self) -> impl Iterator<Item = (Id, Node)> {
        let nodes = (0..).zip(self.graph.nodes().iter().copied());
        nodes.filter(|(id, _)| self.uses[*id as usize] > 0)
    }

    /// A node as an operand.
    fn operand(&self, id: Id) -> String {
        let letter = |component: u8| LETTERS[usize::from(component & 3)];
        match self.graph.node(id) {
            Node::Const(bits) => text::single(bits),
            Node::Uniform { number, component } => format!("u{number}{}", letter(component)),
            Node::Input { number, component } => format!("v{number}{}", letter(component)),
            _ => format!("t{id}"),
        }
    }

    /// The function itself.
    fn text(&self, name: &str) -> String {
        // The prototype is what a caller copies, perhaps into C++.
        let head = format!(
            "void {name}(const float *const *inputs, const float *uniforms, float *const *outputs, size_t lanes)"
        );
        let mut text = format!("#ifdef __cplusplus\nextern \"C\"\n#endif\n{head};\n\n{head}\n{{\n");
        let (mut columns, mut uniforms) = (BTreeSet::new(), BTreeSet::new());
        let (mut before, mut body) = (String::new(), String::new());
        for (id, node) in self.live() {
            let own = self.operand(id);
            match node {
                Node::Const(_) => {}
                Node::Uniform { number, component } => {
                    uniforms.insert((number, component));
                }
                Node::Input { number, component } => {
                    columns.insert((number, component));
                }
                _ => {
                    let (to, indent) =
                        if self.graph.varies(id) { (&mut body, "        ") } else { (&mut before, "    ") };
                    let _ = writeln!(to, "{indent}const float {own} = {};", self.expression(id, node));
                }
            }
        }
        let places = |from: &BTreeSet<(u16, u8)>| -> Vec<(u16, char, usize)> {
            from.iter()
                .map(|&(number, component)| {
                    let component = usize::from(component);
                    (number, LETTERS[component], usize::from(number) * 4 + component)
                })
                .collect()
        };
        let (columns, uniforms) = (places(&columns), places(&uniforms));
        for (number, letter, at) in &columns {
            let _ = writeln!(text, "    const float *const in{number}{letter} = inputs[{at}];");
        }
        for (number, letter, at) in &uniforms {
            let _ = writeln!(text, "    const float u{number}{letter} = uniforms[{at}];");
        }
        let outputs = self.graph.outputs();
        for at in 0..outputs.len() * 4 {
            let _ = writeln!(text, "    float *const out{}{} = outputs[{at}];", at / 4, LETTERS[at % 4]);
        }
        let unused = [
            ("inputs", columns.is_empty()),
            ("uniforms", uniforms.is_empty()),
            ("outputs", outputs.is_empty()),
        ];
        for (name, _) in unused.iter().filter(|(_, unused)| *unused) {
            let _ = writeln!(text, "    (void){name};");
        }
        text += &before;
        text += "    GZ_INDEPENDENT\n    for (size_t lane = 0; lane < lanes; lane++) {\n";
        for (number, letter, _) in &columns {
            let _ = writeln!(text, "        const float v{number}{letter} = in{number}{letter}[lane];");
        }
        text += &body;
        for (output, ids) in outputs.iter().enumerate() {
            for (letter, id) in LETTERS.into_iter().zip(ids) {
                let _ = writeln!(text, "        out{output}{letter}[lane] = {};", self.operand(*id));
            }
        }
        text + "    }\n}\n"
    }

    /// What computes a node.
    fn expression(&self, id: Id, node: Node) -> String {
        if let Node::UniformAt { index, base, count, component } = node {
            return self.look_up(index, base, count, component);
        }
        let Some(op) = node.operation() else { unreachable!("{node:?} is an obstacle, or no expression") };
        let mut operands: Vec<String> = Vec::new();
        node.operands(|operand| operands.push(self.operand(operand)));
        let call = format!("gz_{}({})", op.name(), operands.join(", "));
        match text::rule(op.record()) {
            Some((_, nan)) if self.exact[id as usize] => text::canonical(&call, nan),
            _ => call,
        }
    }

    /// A uniform at a computed place.
    fn look_up(&self, index: Id, base: i32, count: u16, component: u8) -> String {
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
        let index = format!("(int32_t)gz_bits({})", self.operand(index));
        let inside = format!("{index} >= {first} && {index} <= {last}");
        format!("{inside} ? uniforms[4 * (size_t)((int64_t){index} + {base}) + {component}] : 0.0f")
    }
}
