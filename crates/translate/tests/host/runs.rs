//! Programs as compute shaders: many runs at once, and what the evaluator makes of them.

use gpuzoo_host::{Buffer, Error, Host, Kernel, Shader};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, WORKGROUP, translate};

/// A program's compute shader.
pub struct Ready<'a> {
    kernel: Kernel<'a>,
    program: &'a Program,
    killed: bool,
}

impl<'a> Ready<'a> {
    /// Of a program that can be one.
    pub fn new(host: &'a Host, program: &'a Program, fidelity: Fidelity) -> Result<Ready<'a>, String> {
        let options = TranslateOptions {
            to: Some(Target::SpirV),
            shape: Some(Shape::Compute),
            fidelity,
            ..TranslateOptions::default()
        };
        let translation = translate(program, &options).map_err(|problem| format!("{problem:?}"))?;
        let words = translation.words().unwrap_or_default();
        let killed = translation.outputs().iter().any(|output| output.register == "killed");
        // The kinds of its buffers.
        let buffers = [Buffer::Uniform(&[]), Buffer::Read(&[]), Buffer::Write(0)];
        let kernel =
            host.kernel(&Shader::Spirv(words), "main", &buffers).map_err(|error| error.to_string())?;
        Ok(Ready { kernel, program, killed })
    }

    /// The outputs of runs with the same constants, run by run; the last vector says if it was killed, where that can be.
    pub fn run(&self, inputs: &[Vec<Vec4>], constants: &[Vec4]) -> Result<Vec<Vec<Vec4>>, Error> {
        let all = self.program.constants.max(1);
        let mut uniform: Vec<u32> = constants.iter().take(all).flatten().copied().collect();
        uniform.resize(all * 4, 0);
        let get = |run: &Vec<Vec4>, number: u16| run.get(usize::from(number)).copied().unwrap_or_default();
        let rows =
            inputs.iter().flat_map(|run| self.program.inputs.iter().map(move |input| get(run, input.number)));
        let mut rows: Vec<u32> = rows.flatten().collect();
        rows.resize(rows.len().max(4), 0);
        let each = (self.program.outputs.len() + usize::from(self.killed)).max(1);
        let groups = inputs.len().div_ceil(WORKGROUP as usize) as u32;
        let buffers =
            [Buffer::Uniform(&uniform), Buffer::Read(&rows), Buffer::Write(inputs.len() * each * 4)];
        let mut results = self.kernel.run([groups, 1, 1], &buffers)?;
        let words = results.pop().unwrap_or_default();
        let vectors = words.as_chunks::<4>().0;
        Ok(vectors.chunks(each).map(<[Vec4]>::to_vec).collect())
    }

    /// The same by the evaluator.
    pub fn evaluated(&self, inputs: &[Vec<Vec4>], constants: &[Vec4]) -> Vec<Vec<Vec4>> {
        let mut run = Run::default();
        let function = &self.program.function;
        let one = |inputs: &Vec<Vec4>| {
            run.run(function, inputs, constants, &NoTextures);
            let mut outputs: Vec<Vec4> =
                function.outputs.iter().map(|(_, value)| run.value(*value)).collect();
            let killed = u32::from(run.killed().is_some());
            outputs.extend(self.killed.then_some([killed; 4]));
            outputs
        };
        inputs.iter().map(one).collect()
    }
}

/// The components of all vectors.
pub fn components(runs: &[Vec<Vec4>]) -> impl Iterator<Item = u32> {
    runs.iter().flatten().flatten().copied()
}

/// How many components two lists of runs have, how many differ in a bit, and the first.
pub fn differences(got: &[Vec<Vec4>], expected: &[Vec<Vec4>]) -> (usize, usize, Option<String>) {
    assert_eq!(got.len(), expected.len());
    let (mut all, mut wrong, mut first) = (0, 0, None);
    for (run, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert_eq!(got.len(), expected.len());
        for (output, (got, expected)) in got.iter().zip(expected).enumerate() {
            for component in 0..4 {
                all += 1;
                let (got, expected) = (got[component], expected[component]);
                if got != expected {
                    wrong += 1;
                    first.get_or_insert_with(|| {
                        format!("run {run}, output {output}.{component}: {got:08x}, expected {expected:08x}")
                    });
                }
            }
        }
    }
    (all, wrong, first)
}
