//! Running a fragment program for many fragments of a triangle. This is the only place that knows how it is run.
//!
//! The triangle's vertices are uniforms of the function, so that the engine computes what depends on them alone (edges
//! and area, in the interpolation) once a call.

use crate::meaning::stored::Stored;
use crate::regs::MAX_PORTS;
use gpuzoo_engine::{Call, Columns, ColumnsMut};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};

/// Fragments that are shaded at a time: several of the machine's batches. Programs cannot see each other, so it makes
/// no difference to them.
pub const CHUNK: usize = 256;

/// Columns of fragments: where they are, and what came out.
pub struct Fragments {
    /// How many there are.
    pub count: usize,
    /// Columns of the picture.
    pub x: [u32; CHUNK],
    /// Rows of the picture.
    pub y: [u32; CHUNK],
    /// The same as the units get them: floats.
    position: [[u32; CHUNK]; 2],
    /// Red, green, blue, alpha and depth, as bits.
    pub out: [[u32; CHUNK]; 5],
}

impl Fragments {
    /// None yet.
    pub fn new() -> Box<Fragments> {
        Box::new(Fragments {
            count: 0,
            x: [0; CHUNK],
            y: [0; CHUNK],
            position: [[0; CHUNK]; 2],
            out: [[0; CHUNK]; 5],
        })
    }
}

/// A fragment program with its uniforms.
pub struct Shader<'a> {
    stored: &'a Stored,
    uniforms: Vec<Vec4>,
    run: Run,
}

impl<'a> Shader<'a> {
    /// A program whose uniforms are these dwords. It must have two outputs.
    pub fn new(stored: &'a Stored, mut uniforms: &[u32]) -> Shader<'a> {
        Shader { stored, uniforms: stored.place_uniforms(&mut uniforms), run: Run::default() }
    }

    /// What follows belongs to this triangle, given as in a request.
    pub fn triangle(&mut self, mut triangle: &[u32]) {
        self.stored.place_triangle(&mut triangle, &mut self.uniforms);
    }

    /// All uniforms of the function, the triangle's among them.
    pub fn uniforms(&self) -> &[Vec4] {
        &self.uniforms
    }

    /// Shades fragments.
    pub fn shade(&mut self, fragments: &mut Fragments) {
        let Some(kernel) = self.stored.kernel() else { return self.evaluate(fragments) };
        let count = fragments.count;
        let Fragments { x, y, position: [px, py], out, .. } = fragments;
        for index in 0..count {
            px[index] = (x[index] as f32).to_bits();
            py[index] = (y[index] as f32).to_bits();
        }
        let [red, green, blue, alpha, depth] = out;
        let outputs = vec![[&mut red[..], green, blue, alpha], [depth, &mut [], &mut [], &mut []]];
        let call = Call { uniforms: &self.uniforms, ..Call::default() };
        let mut outputs = ColumnsMut { outputs, killed: &mut [] };
        kernel.run(0..count, &Columns(&[[px, py, &[], &[]]]), &call, &mut outputs);
    }

    /// As [`shade`](Shader::shade), one by one, by the definition.
    fn evaluate(&mut self, fragments: &mut Fragments) {
        let Stored { function, .. } = self.stored;
        for index in 0..fragments.count {
            let inputs = inputs(fragments.x[index], fragments.y[index]);
            self.run.run(function, &inputs, &self.uniforms, &NoTextures);
            let mut outputs = function.outputs.iter().map(|(_, value)| self.run.value(*value));
            let (color, depth) = (outputs.next().unwrap_or_default(), outputs.next().unwrap_or_default());
            for (column, value) in fragments.out.iter_mut().zip(color.into_iter().chain([depth[0]])) {
                column[index] = value;
            }
        }
    }
}

/// What a unit puts into a fragment's thread.
pub fn inputs(x: u32, y: u32) -> [Vec4; MAX_PORTS] {
    [[(x as f32).to_bits(), (y as f32).to_bits(), 0, 0], [0; 4], [0; 4]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DOCUMENT, assemble, header, program_dwords};
    use gpuzoo_diag::File;

    /// Two attributes, in a chunk that is not full.
    #[test]
    fn the_engine_agrees_with_the_evaluator() {
        let text = "#fragmentShader #input r0.xyzw #input r1.xyz #input r2.xy #output r3.xyzw #uniform r4.xy \
            fmul r3 r1 r4 fadd r3.xy r3 r2 fnorm r3 r3 fmax r3.w r0 r3";
        let program = assemble(&File::new("t", text), DOCUMENT).program;
        let dwords = program_dwords(&program);
        let (interface, _) = header::decode(&dwords).unwrap();
        let stored = Stored::new(interface, &dwords, DOCUMENT);
        let triangle: Vec<u32> =
            (0..24).map(|index| ((index * index % 23) as f32 * 1.5 - 7.0).to_bits()).collect();
        let mut shader = Shader::new(&stored, &[0x3f00_0000, 0xc000_0000]);
        shader.triangle(&triangle);
        assert!(stored.kernel().is_some());
        let mut fragments = Fragments::new();
        fragments.count = 77;
        for index in 0..77 {
            (fragments.x[index], fragments.y[index]) = (index as u32 * 3, 500 - index as u32);
        }
        shader.shade(&mut fragments);
        let fast = fragments.out;
        shader.evaluate(&mut fragments);
        assert_eq!(fragments.out, fast);
        assert_ne!(fast[0][3], fast[0][4]);
    }

    /// The depth is x of the second output, which is the position's register. With the epilogue all its components are the depth; a stored
    /// program may lack it, and then x is the pixel's.
    #[test]
    fn the_depth_is_x_of_the_second_output() {
        let text = "#fragmentShader #input r0.xyzw #output r3.xyzw finit r3 1.0 2.0 3.0 4.0";
        let mut dwords = program_dwords(&assemble(&File::new("t", text), DOCUMENT).program);
        const TRAP: u32 = 31;
        if let Some(epilogue) = dwords.last_mut() {
            *epilogue = TRAP;
        }
        let (interface, _) = header::decode(&dwords).unwrap();
        let stored = Stored::new(interface, &dwords, DOCUMENT);
        let mut shader = Shader::new(&stored, &[]);
        let triangle = [[0.0, 0.0, 1.0], [9.0, 0.0, 1.0], [0.0, 9.0, 1.0f32]];
        shader.triangle(
            &triangle.as_flattened().iter().map(|component| component.to_bits()).collect::<Vec<u32>>(),
        );
        for by_engine in [true, false] {
            let mut fragments = Fragments::new();
            fragments.count = 2;
            fragments.x[..2].copy_from_slice(&[5, 6]);
            fragments.y[..2].copy_from_slice(&[2, 3]);
            if by_engine {
                shader.shade(&mut fragments)
            } else {
                shader.evaluate(&mut fragments)
            }
            for (index, x) in [5.0, 6.0].into_iter().enumerate() {
                let out = fragments.out.each_ref().map(|column| f32::from_bits(column[index]));
                assert_eq!(out, [1.0, 2.0, 3.0, 4.0, x], "{by_engine}");
            }
        }
    }
}
