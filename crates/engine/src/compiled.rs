//! Machine code in place of steps: with the feature `jit`; else there is none.

#[cfg(feature = "jit")]
pub(crate) use with::Jit;
#[cfg(not(feature = "jit"))]
pub(crate) use without::Jit;

#[cfg(not(feature = "jit"))]
mod without {
    use crate::block::{Block, Lanes};
    use crate::program::Program;
    use crate::step::Step;
    use gpuzoo_simd::Supported;

    /// There is none of these.
    #[derive(Debug)]
    pub(crate) enum Jit {}

    impl Jit {
        pub(crate) fn new(_: &Program, _: Supported) -> Option<Jit> {
            None
        }

        pub(crate) fn steps(&self) -> &[Step] {
            match *self {}
        }

        pub(crate) fn make_room(&self, _: &mut Vec<Lanes>) {
            match *self {}
        }

        pub(crate) fn run(&self, _: u16, _: usize, _: &mut Block) {
            match *self {}
        }
    }
}

#[cfg(feature = "jit")]
mod with {
    use crate::block::{BLOCK, Block, Lanes};
    use crate::body::GROUP;
    use crate::jit::{Code, VECTOR, Writer, has_code};
    use crate::program::Program;
    use crate::step::{INPUTS, Step};
    use gpuzoo_ir::scalar::Id;
    use gpuzoo_simd::{Level, Supported};

    /// A program's steps with loops of machine code in place of most of them.
    #[derive(Debug)]
    pub(crate) struct Jit {
        steps: Vec<Step>,
        pub(super) code: Code,
    }

    impl Jit {
        /// That of a program; none if there is nothing to gain, the level is another one, or the system gives no
        /// memory for code.
        pub(crate) fn new(program: &Program, level: Supported) -> Option<Jit> {
            if level.level() != Level::Jit {
                return None;
            }
            let graph = &program.origin.graph;
            let place = |id| program.place(id);
            let mut writer = Writer::new(graph, &place);
            let mut steps = Vec::new();
            let mut nodes: Vec<Id> = Vec::new();
            let mut start = 0;
            while start < program.steps.len() {
                let of = |step: usize| program.origin.nodes[step];
                let code = (start..program.steps.len()).take_while(|step| has_code(&graph.node(of(*step))));
                let end = start + code.count();
                // Copies of scalars belong to the node that reads them.
                nodes.clear();
                nodes.extend((start..end).map(of));
                nodes.dedup();
                match (end > start).then(|| writer.add(&nodes)).flatten() {
                    Some(number) => steps.push(Step::Loop(number)),
                    None => steps.extend_from_slice(&program.steps[start..end]),
                }
                steps.extend(program.steps.get(end));
                start = end + 1;
            }
            Some(Jit { steps, code: writer.finish()? })
        }

        pub(crate) fn steps(&self) -> &[Step] {
            &self.steps
        }

        /// Makes room for the vectors that loops spill.
        pub(crate) fn make_room(&self, spills: &mut Vec<Lanes>) {
            let columns = self.code.spills().div_ceil(BLOCK / VECTOR);
            if spills.len() < columns {
                spills.resize_with(columns, Lanes::default);
            }
        }

        /// Runs a loop over as many groups of lanes.
        pub(crate) fn run(&self, number: u16, groups: usize, block: &mut Block) {
            let Block { registers, context } = block;
            let lanes = groups * GROUP;
            assert!(lanes <= BLOCK, "{lanes} lanes");
            assert!(context.spills.len() * (BLOCK / VECTOR) >= self.code.spills(), "no room to spill");
            let spills = context.spills.as_mut_ptr().cast();
            let column = |column: u16, is_stored: bool| match registers.get_mut(usize::from(column)) {
                Some(Some(register)) => register.as_mut_ptr(),
                _ if column & INPUTS != 0 && !is_stored => context.input(column).as_ptr().cast_mut(),
                _ => unreachable!("no register is away between steps, and no input is stored to"),
            };
            // SAFETY: there is a `Jit` only where the processor has AVX-512. Columns have `BLOCK` numbers, no fewer than there
            // are lanes; those that the code stores to are registers, which are borrowed mutably here. There is room for the
            // spills.
            unsafe { self.code.run(number, lanes, column, context.scalars, spills) }
        }
    }
}

#[cfg(test)]
#[cfg(feature = "jit")]
#[allow(clippy::disallowed_methods, reason = "what is skipped is said")]
mod tests {
    use super::*;
    use crate::kernel::PAYS;
    use crate::program::Program;
    use crate::step::Step;
    use crate::{Call, Columns, ColumnsMut, Kernel, Options};
    use gpuzoo_ir::{Builder, Function, Op1, Op2, Pick, Value, eval, scalar};
    use gpuzoo_simd::{Level, Supported};
    use std::io::Write;

    /// True if a kernel of this level has machine code. If not, the test is named, past its harness, which keeps to
    /// itself what passing tests print.
    fn has_code(level: Level) -> bool {
        let thread = std::thread::current();
        if level != Level::Jit {
            let test = thread.name().unwrap_or("a test");
            let line = format!("skipped: machine code in {test}; this is `{}`\n", level.name());
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
        level == Level::Jit
    }

    /// The machine code of a function, if this processor runs any.
    fn jit(function: &Function) -> Option<Option<Jit>> {
        let level = Supported::or_portable(Level::Jit);
        let program = Program::new(function, &scalar::Options::default()).unwrap();
        has_code(level.level()).then(|| Jit::new(&program, level))
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
        has_code(kernel.level());
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
        assert!(jit.code.spills() >= 28, "{} spilled", jit.code.spills());
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
        let is_loop: Vec<bool> = jit.steps().iter().map(|step| matches!(step, Step::Loop(_))).collect();
        assert_eq!(is_loop, [true, false, true]);
    }

    #[test]
    fn code_is_made_when_it_pays() {
        let kernel = Kernel::compile(&crossed(3)).unwrap();
        if !has_code(kernel.level()) {
            return;
        }
        assert!(kernel.jit(PAYS - 1).is_none());
        assert!(kernel.jit(1).is_some());
    }
}
