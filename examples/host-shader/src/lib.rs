//! How an emulator of the Xbox gets its guest's vertex programs onto the host's GPU: each program is translated once, kept by
//! its words, and run for every draw that uses it.
#![forbid(unsafe_code)]

use gpuzoo::Machine;
use gpuzoo::translate::{Fidelity, Shape, Target, TranslateOptions, WORKGROUP};
use gpuzoo_host::{Buffer, Host, Kernel, Shader};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;

/// What the guest's GPU holds for a draw.
#[derive(Clone, Copy, Debug)]
pub struct Guest<'a> {
    /// The program's words, four to a slot.
    pub program: &'a [u32],
    /// The 192 constants, as bits.
    pub constants: &'a [[u32; 4]],
    /// The 16 inputs of each vertex, as bits.
    pub vertices: &'a [[[u32; 4]; 16]],
}

/// A program on the host.
struct Translated<'h> {
    kernel: Kernel<'h>,
    /// The numbers of the inputs that it reads, in the order of its buffer.
    inputs: Vec<usize>,
    /// Its outputs, by name, in the order of the other buffer.
    outputs: Vec<String>,
    /// How many constants it can read.
    constants: usize,
}

/// Translations that were made.
pub struct Shaders<'h> {
    host: &'h Host,
    machine: Machine,
    fidelity: Fidelity,
    known: HashMap<Vec<u32>, Translated<'h>>,
    /// How many programs were translated, which is less often than they were run.
    pub translated: usize,
}

impl<'h> Shaders<'h> {
    /// None yet.
    pub fn new(host: &'h Host, fidelity: Fidelity) -> Shaders<'h> {
        Shaders { host, machine: gpuzoo::nv2a(), fidelity, known: HashMap::new(), translated: 0 }
    }

    /// Runs the guest's program for its vertices: for each vertex the output of this name, `oPos` for example.
    ///
    /// # Errors
    /// What is wrong with the program or the device.
    pub fn run(&mut self, guest: &Guest, output: &str) -> Result<Vec<[u32; 4]>, Box<dyn Error>> {
        let translated = match self.known.entry(guest.program.to_vec()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                self.translated += 1;
                place.insert(translate(self.host, self.machine, self.fidelity, guest.program)?)
            }
        };
        let Translated { kernel, inputs, outputs, constants } = translated;
        let place = outputs.iter().position(|name| name == output).ok_or("the program has no such output")?;
        let mut uniforms = guest.constants.to_vec();
        uniforms.resize(*constants, [0; 4]);
        let mut rows: Vec<[u32; 4]> =
            guest.vertices.iter().flat_map(|vertex| inputs.iter().map(|input| vertex[*input])).collect();
        // A buffer has at least one element.
        rows.resize(rows.len().max(1), [0; 4]);
        let (runs, each) = (guest.vertices.len(), outputs.len());
        let buffers = [
            Buffer::Uniform(uniforms.as_flattened()),
            Buffer::Read(rows.as_flattened()),
            Buffer::Write(runs * each * 4),
        ];
        let groups = (runs as u32).div_ceil(WORKGROUP);
        let results = kernel.run([groups, 1, 1], &buffers)?;
        let (vectors, _) = results[0].as_chunks::<4>();
        Ok(vectors.iter().skip(place).step_by(each).copied().collect())
    }
}

/// A program's bytes to a shader that is compiled for the device.
fn translate<'h>(
    host: &'h Host,
    machine: Machine,
    fidelity: Fidelity,
    program: &[u32],
) -> Result<Translated<'h>, Box<dyn Error>> {
    let program = machine.load(program)?;
    let options = TranslateOptions {
        to: Some(Target::Wgsl),
        shape: Some(Shape::Compute),
        fidelity,
        ..TranslateOptions::default()
    };
    let translation = program.translate("hw", &options)?;
    // Bindings 0, 1 and 2; what the shader does not have is bound all the same.
    let kinds = [Buffer::Uniform(&[]), Buffer::Read(&[]), Buffer::Write(0)];
    let text = translation.text().ok_or("WGSL is a text")?;
    let kernel = host.kernel(&Shader::Wgsl(text), translation.entry().ok_or("no entry point")?, &kinds)?;
    // v0 to v15 are the inputs' names.
    let input = |place: &gpuzoo::translate::Place| place.register.trim_start_matches('v').parse();
    Ok(Translated {
        kernel,
        inputs: translation.inputs().iter().map(input).collect::<Result<_, _>>()?,
        outputs: translation.outputs().iter().map(|place| place.register.clone()).collect(),
        constants: 192,
    })
}
