//! Machine code for runs of cheap steps.
//!
//! A step of the interpreter is one pass over columns; where an operation is a single instruction, memory traffic is
//! what takes the time. Here such steps, as many as follow one another, become one loop over vectors of 16 lanes
//! that keeps its values in registers. What the instructions are comes from the record of the evaluator's own functions
//! ([`gpuzoo_ir::record`]), so that there is no second definition of any operation. Steps that compute in f64 (powers,
//! truncating arithmetic) stay as they are: their loops keep everything in registers anyhow.
//!
//! | file | from | to |
//! |---|---|---|
//! | `template` | operations | instructions |
//! | `segment` | steps | instructions of a loop, NaNs made canonical only where that can be observed |
//! | `allocate` | instructions | registers |
//! | `code` | instructions with registers | bytes |

mod allocate;
mod code;
mod segment;
mod template;

use crate::block::{BLOCK, Block, Lanes};
use crate::body::GROUP;
use crate::level::{Level, Supported};
use crate::program::{Column, INPUTS, Program, Step};
use allocate::{Constants, Needs};
use code::Code;
use segment::Segment;

/// A program's steps with loops of machine code in place of most of them.
#[derive(Debug)]
pub(crate) struct Jit {
    pub(crate) steps: Vec<Step>,
    loops: Vec<Loop>,
    constants: Vec<u32>,
    /// Vectors that loops spill at most.
    spills: usize,
    code: memmap2::Mmap,
}

#[derive(Debug)]
struct Loop {
    /// Where its code begins.
    start: usize,
    columns: Vec<Column>,
}

/// Lanes of a vector.
const VECTOR: usize = 16;

/// The most columns that a loop reads or writes: its table of addresses lies on the stack.
const COLUMNS: usize = 128;

impl Jit {
    /// That of a program; none if there is nothing to gain, the level is another one, or the system gives no memory for
    /// code.
    pub(crate) fn new(program: &Program, level: Supported) -> Option<Jit> {
        if level.level() != Level::Jit {
            return None;
        }
        let runs = segment::runs(&program.steps);
        let live = segment::live_after(program, &runs);
        let mut known: Vec<Option<u32>> = program.scalars.iter().copied().map(Some).collect();
        program.once.iter().for_each(|(scalar, _)| known[usize::from(*scalar)] = None);
        let mut code = Code::default();
        let mut constants = Constants::default();
        let (mut steps, mut loops, mut spills) = (Vec::new(), Vec::new(), 0);
        let mut done = 0;
        for (run, live) in runs.into_iter().zip(live) {
            let segment = Segment::new(&program.steps[run.clone()], &live, &known);
            let start = code.0.len();
            let Some(Needs { columns, spills: own }) = allocate::emit(&segment, &mut code, &mut constants)
            else {
                continue;
            };
            let number = u16::try_from(loops.len()).ok()?;
            steps.extend_from_slice(&program.steps[done..run.start]);
            steps.push(Step::Loop(number));
            done = run.end;
            loops.push(Loop { start, columns });
            spills = spills.max(own);
        }
        if loops.is_empty() {
            return None;
        }
        steps.extend_from_slice(&program.steps[done..]);
        let mut map = memmap2::MmapMut::map_anon(code.0.len()).ok()?;
        map.copy_from_slice(&code.0);
        Some(Jit { steps, loops, constants: constants.bits, spills, code: map.make_exec().ok()? })
    }

    /// Makes room for the vectors that loops spill.
    pub(crate) fn make_room(&self, spills: &mut Vec<Lanes>) {
        let columns = self.spills.div_ceil(BLOCK / VECTOR);
        if spills.len() < columns {
            spills.resize_with(columns, Lanes::default);
        }
    }

    /// Runs a loop over as many groups of lanes.
    pub(crate) fn run(&self, number: u16, groups: usize, block: &mut Block) {
        let Some(Loop { start, columns }) = self.loops.get(usize::from(number)) else { return };
        let mut table = [std::ptr::null_mut(); COLUMNS];
        for (address, &column) in table.iter_mut().zip(columns) {
            *address = match block.registers.get_mut(usize::from(column)) {
                Some(Some(register)) => register.as_mut_ptr(),
                // It is only read.
                _ if column & INPUTS != 0 => block.context.input(column).as_ptr().cast_mut(),
                // No register is away between steps.
                _ => return,
            };
        }
        /// The addresses of the columns, what is the same in all lanes, constants, room for spills, and the
        /// lanes' size in bytes.
        #[cfg(target_arch = "x86_64")]
        type Function = unsafe extern "sysv64" fn(*const *mut u32, *const u32, *const u32, *mut Lanes, usize);
        /// Never called: no other processor has this level.
        #[cfg(not(target_arch = "x86_64"))]
        type Function = unsafe extern "C" fn(*const *mut u32, *const u32, *const u32, *mut Lanes, usize);
        let bytes = groups * GROUP * size_of::<u32>();
        // SAFETY: `start` is where `emit` began a function of this type, and the memory is executable and not writable.
        // The processor has AVX-512, because there is a `Jit`. The code reads and writes whole vectors below
        // `bytes`, which is at most a column's size, in columns that it has addresses of: each is in the table once,
        // those that it writes are registers, which are borrowed mutably here. It reads scalars and constants that are
        // there, and writes to `spills`, for which `make_room` made room.
        unsafe {
            let function: Function = std::mem::transmute(self.code.as_ptr().add(*start));
            function(
                table.as_ptr(),
                block.context.scalars.as_ptr(),
                self.constants.as_ptr(),
                block.context.spills.as_mut_ptr(),
                bytes,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::template::Template;
    use super::*;
    use crate::kernel::PAYS;
    use crate::{Call, Columns, ColumnsMut, Kernel, Options};
    use gpuzoo_ir::record::{Operation, Type};
    use gpuzoo_ir::scalar;
    use gpuzoo_ir::{Builder, Dot, Function, Op1, Op2, Op3, Pick, Value, eval};

    /// The machine code of a function, if this processor runs any.
    fn jit(function: &Function) -> Option<Option<Jit>> {
        let level = Supported::or_portable(Level::Jit);
        let program = Program::new(function, &scalar::Options::default()).unwrap();
        (level.level() == Level::Jit).then(|| Jit::new(&program, level))
    }

    /// Pairs of inputs multiplied, then products of products from both ends summed up: all of them are needed at a
    /// time.
    fn crossed(count: u16) -> Function {
        let mut b = Builder::default();
        let products: Vec<_> = (0..count)
            .map(|index| {
                let [x, y] = [b.input(2 * index), b.input(2 * index + 1)];
                b.map2(Op2::FMul, x, y)
            })
            .collect();
        let mut sum = b.input(0);
        for (x, y) in products.iter().zip(products.iter().rev()) {
            let product = b.map2(Op2::FMul, *x, *y);
            sum = b.map2(Op2::FAdd, sum, product);
        }
        output_x(&mut b, sum);
        b.finish()
    }

    /// Only component x of the value is an output.
    fn output_x(b: &mut Builder, value: Value) {
        let x = b.shuffle(value, value, [Pick::A(0), Pick::Zero, Pick::Zero, Pick::Zero]);
        b.output(0, x);
    }

    /// The x of all lanes, on machine code and on the evaluator.
    fn both(function: &Function, inputs: usize, lanes: usize) -> [Vec<u32>; 2] {
        let number = |index: usize| ((index * 37 % 101) as f32 / 16.0 - 3.0).to_bits();
        let columns: Vec<Vec<u32>> =
            (0..inputs).map(|input| (0..lanes).map(|lane| number(lane * 7 + input * 13)).collect()).collect();
        let slices: Vec<[&[u32]; 4]> = columns.iter().map(|x| [&x[..], &[], &[], &[]]).collect();
        let options = Options { level: Some(Level::Jit), ..Options::default() };
        let kernel = Kernel::compile_with(function, &options).unwrap();
        let mut got = vec![0; lanes];
        let mut outputs =
            ColumnsMut { outputs: vec![[&mut got, &mut [], &mut [], &mut []]], killed: &mut [] };
        kernel.run(0..lanes, &Columns(&slices), &Call::default(), &mut outputs);
        let expected = (0..lanes).map(|lane| {
            let inputs: Vec<_> = columns.iter().map(|x| [x[lane], 0, 0, 0]).collect();
            eval::outputs(function, &inputs, &[])[0][0]
        });
        [got, expected.collect()]
    }

    #[test]
    fn more_values_than_registers() {
        let function = crossed(60);
        let Some(jit) = jit(&function) else { return };
        let jit = jit.unwrap();
        assert!(jit.spills >= 28, "{} spilled", jit.spills);
        let [got, expected] = both(&function, 120, 300);
        assert_eq!(got, expected);
    }

    /// Results need registers while the last operands, which are not read again, are still in memory.
    #[test]
    fn room_for_results_while_operands_are_read() {
        let mut b = Builder::default();
        let x = b.input(0);
        let products: Vec<_> = (0..40)
            .map(|index| {
                let factor = b.floats([index as f32 + 0.5; 4]);
                b.map2(Op2::FMul, x, factor)
            })
            .collect();
        let differences: Vec<_> = products.iter().map(|product| b.map2(Op2::FSub, x, *product)).collect();
        let sum = differences.iter().rev().fold(x, |sum, next| b.map2(Op2::FSub, *next, sum));
        output_x(&mut b, sum);
        let [got, expected] = both(&b.finish(), 1, 300);
        assert_eq!(got, expected);
    }

    /// A minimum with NaN is the other operand, whose column holds another value when the minimum is read.
    #[test]
    fn an_operand_as_it_is() {
        let mut b = Builder::default();
        let (x, nan) = (b.input(0), b.floats([f32::NAN; 4]));
        let sine = b.map1(Op1::FSin, x);
        let least = b.map2(Op2::FMin, sine, nan);
        let sum = b.map2(Op2::FAdd, x, x);
        let difference = b.map2(Op2::FSub, least, sum);
        let cosine = b.map1(Op1::FCos, sum);
        let product = b.map2(Op2::FMul, difference, cosine);
        output_x(&mut b, product);
        let [got, expected] = both(&b.finish(), 1, 300);
        assert_eq!(got, expected);
    }

    #[test]
    fn more_columns_than_a_table_has() {
        // 140 inputs do not fit: the steps stay as they are, and give the same.
        let function = crossed(70);
        let Some(jit) = jit(&function) else { return };
        assert!(jit.is_none());
        let [got, expected] = both(&function, 140, 300);
        assert_eq!(got, expected);
    }

    #[test]
    fn cheap_steps_become_loops() {
        // A sine between sums: two loops with a step between them.
        let mut b = Builder::default();
        let x = b.input(0);
        let sum = b.map2(Op2::FAdd, x, x);
        let sine = b.map1(Op1::FSin, sum);
        let difference = b.map2(Op2::FSub, sine, sum);
        output_x(&mut b, difference);
        let Some(jit) = jit(&b.finish()) else { return };
        let jit = jit.unwrap();
        let is_loop: Vec<bool> = jit.steps.iter().map(|step| matches!(step, Step::Loop(_))).collect();
        assert_eq!(is_loop, [true, false, true]);
    }

    /// What computes in f32 alone has a template, and integer sums, whose f64s are only a way to say them.
    #[test]
    fn operations_with_templates() {
        let all = Op1::ALL.iter().map(|op| Operation::One(*op));
        let all = all.chain(Op2::ALL.iter().map(|op| Operation::Two(*op)));
        let all = all.chain(Op3::ALL.iter().map(|op| Operation::Three(*op)));
        let all = all.chain(Dot::ALL.iter().map(|dot| Operation::Dot(*dot)));
        for operation in all {
            let has_doubles = operation.record().types.contains(&Type::Double);
            let is_sum = ["iadd", "isub", "ineg"].contains(&operation.name());
            assert_eq!(Template::of(operation).is_some(), is_sum || !has_doubles, "{}", operation.name());
        }
    }

    #[test]
    fn code_is_made_when_it_pays() {
        let function = crossed(3);
        let kernel = Kernel::compile(&function).unwrap();
        if kernel.level() != Level::Jit {
            return;
        }
        assert!(kernel.jit(PAYS - 1).is_none());
        assert!(kernel.jit(1).is_some());
    }
}
