//! Operations on the host's GPU, one lane for each set of arguments; and the numbers to try.

use gpuzoo_host::{Buffer, Error, Host, Kernel, Shader};
use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use naga::Module;

/// Which of an operation's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The one that programs call.
    Chosen,
    /// The one of the record.
    Recorded,
}

/// How many arguments its function has.
pub fn arity(operation: Operation) -> usize {
    match operation {
        Operation::One(_) => 1,
        Operation::Two(_) => 2,
        Operation::Three(_) => 3,
        Operation::Dot(_) => 8,
    }
}

/// What the evaluator has.
pub fn expected(operation: Operation, arguments: &[u32]) -> u32 {
    match (operation, arguments) {
        (Operation::One(op), [a]) => op.eval(*a),
        (Operation::Two(op), [a, b]) => op.eval(*a, *b),
        (Operation::Three(op), [a, b, c]) => op.eval(*a, *b, *c),
        (Operation::Dot(dot), [ax, bx, ay, by, az, bz, aw, bw]) => {
            dot.eval([*ax, *ay, *az, *aw], [*bx, *by, *bz, *bw])
        }
        _ => unreachable!("{} arguments for {}", arguments.len(), operation.name()),
    }
}

/// A module whose entry `main` applies the function to lane after lane: `input` has a lane's arguments side by side.
pub fn module(operation: Operation, form: Form) -> Module {
    let count = arity(operation);
    let arguments: Vec<String> =
        (0..count).map(|index| format!("input[lane * {count}u + {index}u]")).collect();
    let (functions, before) = match form {
        Form::Chosen => (exact::functions([operation]), ""),
        Form::Recorded => (exact::of_record(operation), "recorded_"),
    };
    let text = format!(
        "{functions}
        @group(0) @binding(0) var<storage, read> input: array<u32>;
        @group(0) @binding(1) var<storage, read_write> output: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let lane = id.x;
            if lane < arrayLength(&output) {{ output[lane] = {before}{}({}); }}
        }}",
        operation.name(),
        arguments.join(", "),
    );
    naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)))
}

/// A module's words, as SPIR-V 1.3.
pub fn spirv(module: &Module) -> Vec<u32> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string("")));
    let options = naga::back::spv::Options { lang_version: (1, 3), ..Default::default() };
    naga::back::spv::write_vec(module, &info, &options, None).expect("SPIR-V can express it")
}

/// Runs a kernel over all lanes.
pub fn run(kernel: &Kernel, lanes: &[u32], arity: usize) -> Result<Vec<u32>, Error> {
    let count = lanes.len() / arity;
    let buffers = [Buffer::Read(lanes), Buffer::Write(count)];
    Ok(kernel.run([count.div_ceil(64) as u32, 1, 1], &buffers)?.remove(0))
}

/// The kernel of an operation.
pub fn kernel(host: &Host, operation: Operation, form: Form) -> Result<Kernel<'_>, Error> {
    let words = spirv(&module(operation, form));
    host.kernel(&Shader::Spirv(&words), "main", &[Buffer::Read(&[]), Buffer::Write(0)])
}

/// Numbers where something ends or begins, without their signs.
#[rustfmt::skip]
const EDGES: [u32; 42] = [
    0x0000_0000, 0x0000_0001, 0x0000_0002, 0x0012_3456, 0x0040_0000, 0x007f_ffff, // zero, subnormal numbers
    0x0080_0000, 0x0080_0001, 0x00ff_ffff, 0x0100_0000, 0x1f80_0000, 0x2000_0000, // normal ones, 2⁻⁶⁴
    0x33ff_ffff, 0x3400_0000, 0x3e80_0000, 0x3eff_ffff, 0x3f00_0000, 0x3f00_0001, // 2⁻²³, to ½
    0x3f7f_ffff, 0x3f80_0000, 0x3f80_0001, 0x3fb5_04f3, 0x3fc0_0000, 0x4000_0000, // 1, √2, 1½, 2
    0x4020_0000, 0x4049_0fdb, 0x42c8_0000, 0x42fe_ffff, 0x4300_0000, 0x4316_0000, // 2½, π, 100, 128, 150
    0x4880_0000, 0x4aff_ffff, 0x4b00_0000, 0x4b80_0001, 0x4eff_ffff, 0x4f00_0000, // 2¹⁸, 2²³, 2³¹
    0x5f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff, // 2⁶⁴, the largest, infinity, NaNs
];

/// The edges with both signs.
pub fn specials() -> Vec<u32> {
    EDGES.iter().flat_map(|edge| [*edge, *edge | 0x8000_0000]).collect()
}

/// Every combination of special values for three arguments or less; some for more.
pub fn edges(arity: usize, random: &mut Random) -> Vec<u32> {
    let all = specials();
    // Triples of every second one, the others being near them.
    let some: Vec<u32> =
        all.chunks(4).map(|near| near[0]).chain(all.chunks(4).map(|near| near[near.len() - 1])).collect();
    match arity {
        1 => all,
        2 => all.iter().flat_map(|a| all.iter().flat_map(move |b| [*a, *b])).collect(),
        3 => {
            let pairs = some.iter().flat_map(|a| some.iter().map(move |b| (*a, *b)));
            pairs.flat_map(|(a, b)| some.iter().flat_map(move |c| [a, b, *c])).collect()
        }
        _ => (0..20_000 * arity).map(|_| all[random.next() as usize % all.len()]).collect(),
    }
}

/// Numbers as good as random ones: xorshift64*, by S. Vigna.
pub struct Random(u64);

impl Random {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    /// 32 bits.
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// Arguments of one lane: any bits, numbers near one another, near 1, with few digits, integers; some special ones.
    pub fn lane(&mut self, arity: usize, lanes: &mut Vec<u32>) {
        let kind = self.next() % 8;
        let exponent = self.next() % 255;
        for _ in 0..arity {
            let bits = self.next();
            lanes.push(match kind {
                0..3 => bits,
                3 => (bits & 0x807f_ffff) | ((exponent + bits % 7).min(254) << 23),
                4 => (bits & 0x807f_ffff) | ((119 + self.next() % 16) << 23),
                5 => (bits & 0x8060_0000) | ((112 + self.next() % 32) << 23),
                6 => ((bits as i32 >> (8 + self.next() % 20)) as f32 * 0.5).to_bits(),
                _ if self.next() & 1 == 0 => EDGES[bits as usize % EDGES.len()] | (bits & 0x8000_0000),
                _ => (bits & 0x807f_ffff) | ((96 + self.next() % 64) << 23),
            });
        }
    }
}
