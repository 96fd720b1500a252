//! A draw: from the vertex buffer to the picture (spec section 8).

use crate::device::{Device, DeviceError};
use crate::meaning::descriptors;
use crate::meaning::stored::{Stored, dwords};
use crate::memory::Memory;
use crate::pins::{MAX_SIDE, MAX_VERTICES};
use crate::regs::MAX_PORTS;
use crate::scan::Scan;
use crate::shade::{self, CHUNK, Fragments, Shader};
use crate::timeline::{self, Timeline};
use crate::timing::{BATCH, Breakdown, Clock, Costs, MERGE, MERGE_TESTED, Sent, UnitRun};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::Stage;
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::unit::draw::DrawReport;
use gpuzoo_raster::{ColorRounding, Fate, Fill, Invocation, Notes, Stats, Touch, to_unorm8};
use std::collections::HashMap;

/// What became of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangleReport {
    /// Pixels that it covers.
    pub fragments: u64,
    /// Those that passed the depth test.
    pub written: u64,
    /// True if it covers pixels without regard to where it is: its corners lie on a line, or one of them is not a
    /// number.
    pub unbounded: bool,
    /// True if attributes of its fragments are divided by a z of 0.
    pub divides_by_zero: bool,
}

/// What a draw did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Its triangles.
    pub triangles: Vec<TriangleReport>,
    /// Runs of the vertex program that gave them: one for each vertex, however often it is there.
    pub vertex_runs: u64,
    /// Its cycles.
    pub cycles: u64,
    /// Where they went.
    pub breakdown: Breakdown,
}

/// Where the merger writes.
struct Merger {
    width: usize,
    framebuffer: usize,
    depth_buffer: Option<usize>,
}

/// A triangle as it goes from the vertex stage to the rasterizer.
struct TransformedTriangle {
    /// x and y divided by w.
    corners: [[f32; 2]; 3],
    /// As in a fragment request.
    dwords: Vec<u32>,
}

impl Drawn {
    /// The figures that all machines give of a draw of so many vertices.
    pub fn report(&self, vertices: u64) -> DrawReport {
        let sum = |of: fn(&TriangleReport) -> u64| self.triangles.iter().map(of).sum::<u64>();
        let (fragments, written) = (sum(|triangle| triangle.fragments), sum(|triangle| triangle.written));
        let primitives = self.triangles.len() as u64;
        let depth_failed = fragments - written;
        let stats =
            Stats { primitives, drawn: primitives, fragments, depth_failed, written, ..Stats::default() };
        let breakdown = self.breakdown.named();
        let (runs, cost) = (self.vertex_runs, self.cycles);
        DrawReport { vertices, runs, cost, breakdown, stats, ..DrawReport::default() }
    }
}

impl Device {
    /// Draws what the pins say. With `notes` of as many pixels as the framebuffer has, it is noted which triangle,
    /// batch and lane each pixel comes from.
    ///
    /// # Errors
    /// [`DeviceError`]. What was drawn before it stays.
    pub fn draw(&mut self, notes: Option<&mut Notes>) -> Result<Drawn, DeviceError> {
        let pins = self.pins.clone();
        if pins.vertices_count > MAX_VERTICES && !self.no_limits {
            return Err(DeviceError::Vertices(pins.vertices_count));
        }
        let (width, height) = (pins.width, pins.height);
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(DeviceError::Framebuffer(width, height));
        }
        let (vertex, vertex_dwords, vertex_fetched) = self.program(Stage::Vertex, pins.vertex_shader)?;
        let (fragment, fragment_dwords, fragment_fetched) =
            self.program(Stage::Fragment, pins.fragment_shader)?;
        self.check_pins(&vertex, &fragment)?;
        let uniforms = |stored: &Stored, data: &[Vec4; MAX_PORTS]| -> Vec<u32> {
            let ports = stored.interface.uniforms.iter().zip(data);
            ports.flat_map(|(port, data)| data[..port.components as usize].iter().copied()).collect()
        };
        let vertex_uniforms = uniforms(&vertex, &pins.vertex_uniforms_data);
        let fragment_uniforms = uniforms(&fragment, &pins.fragment_uniforms_data);
        let sent = |stored: &Stored, dwords, uniforms: &[u32], fetched| Sent {
            dwords,
            instructions: stored.instructions,
            uniforms: uniforms.len() as u64,
            fetched,
        };
        let costs = Costs {
            vertex: sent(&vertex, vertex_dwords, &vertex_uniforms, vertex_fetched),
            fragment: sent(&fragment, fragment_dwords, &fragment_uniforms, fragment_fetched),
            vertex_dwords: 3 * dwords(&vertex.interface.inputs) as u64,
            passed_dwords: 3 * dwords(&vertex.interface.outputs) as u64,
            triangle_dwords: 3 * fragment.vertex_components().sum::<usize>() as u64,
        };
        let programs = self.timeline.as_mut().map_or(0, |timeline| {
            timeline.programs.extend([vertex.lowered(), fragment.lowered()]);
            timeline.programs.len() - 2
        });
        let pixels = width as usize * height as usize;
        let mut draw = Draw {
            merger: Merger {
                width: width as usize,
                framebuffer: pins.framebuffer as usize / 4,
                depth_buffer: pins.depth_enable.then_some(pins.depth_buffer as usize / 4),
            },
            memory: &mut self.memory,
            clock: Clock::new(costs, self.cycle, self.timeline.as_mut()),
            shader: Shader::new(&fragment, &fragment_uniforms),
            notes: notes.filter(|notes| notes.pixels.len() == pixels),
            first_primitive: 0,
            program: programs + 1,
        };
        draw.first_primitive = draw.notes.as_ref().map_or(0, |notes| notes.primitives);
        let mut vertices = VertexStage {
            uniforms: vertex.place_uniforms(&mut vertex_uniforms.as_slice()),
            vertex: &vertex,
            address: pins.vertices_address as usize / 4,
            program: programs,
            run: Run::default(),
            known: HashMap::new(),
        };
        let mut fragments = Fragments::new();
        let mut triangles = Vec::new();
        let mut error = None;
        for triangle in 0..pins.vertices_count / 3 {
            let Some(shaded) = vertices.triangle(triangle as usize, draw.memory, &mut draw.clock) else {
                error = Some(DeviceError::ZeroW(triangle));
                break;
            };
            draw.shader.triangle(&shaded.dwords);
            let scan = Scan::new(shaded.corners, width, height, self.fill);
            if let Err(refusal) = self.budget.ask(Resource::Pixels, scan.most_pixels()) {
                error = Some(refusal.into());
                break;
            }
            let mut report = TriangleReport {
                unbounded: self.fill == Fill::Inclusive && is_unbounded(shaded.corners),
                divides_by_zero: divides_by_zero(&shaded.dwords),
                ..TriangleReport::default()
            };
            scan.spans(|y, columns| {
                for x in columns {
                    let index = fragments.count;
                    (fragments.x[index], fragments.y[index]) = (x, y);
                    fragments.count += 1;
                    if fragments.count == CHUNK {
                        draw.chunk(&mut fragments, &mut report);
                    }
                }
            });
            draw.chunk(&mut fragments, &mut report);
            if let Err(refusal) = self.budget.spend(Resource::Pixels, report.fragments) {
                error = Some(refusal.into());
                break;
            }
            triangles.push(report);
            if let Some(notes) = &mut draw.notes {
                notes.primitives += 1;
            }
        }
        let vertex_runs = vertices.known.len() as u64;
        let (end, breakdown) = draw.clock.finish();
        let cycles = end - self.cycle;
        self.cycle = end;
        self.breakdown += breakdown;
        error.map_or(Ok(Drawn { triangles, vertex_runs, cycles, breakdown }), Err)
    }

    /// The pins must say what the programs say, or the machine waits for the wrong number of dwords.
    fn check_pins(&self, vertex: &Stored, fragment: &Stored) -> Result<(), DeviceError> {
        let [inputs, passed, uniforms] = descriptors(&vertex.interface);
        let [_, taken, fragment_uniforms] = descriptors(&fragment.interface);
        let pins = &self.pins;
        for (pin, value, program) in [
            ("GLOBAL.vsCustomInputComponents", pins.vertex_inputs, inputs),
            ("GLOBAL.vsPsCustomComponents", pins.attributes, passed),
            ("GLOBAL.vsPsCustomComponents", pins.attributes, taken),
            ("VS.uniforms", pins.vertex_uniforms, uniforms),
            ("FS.uniforms", pins.fragment_uniforms, fragment_uniforms),
        ] {
            if value != program {
                return Err(DeviceError::Pin(pin, value, program));
            }
        }
        let components = |stored: &Stored| -> Vec<u8> {
            stored.interface.outputs.iter().map(|port| port.components).collect()
        };
        if components(vertex).first() != Some(&4) {
            return Err(DeviceError::Position);
        }
        if components(fragment) != [4, 1] {
            return Err(DeviceError::FragmentOutputs);
        }
        Ok(())
    }
}

struct VertexStage<'a> {
    vertex: &'a Stored,
    uniforms: Vec<Vec4>,
    address: usize,
    program: usize,
    run: Run,
    /// What the program gave for the vertices so far, by their dwords; none if w is 0. The machine runs each for every
    /// triangle that it is in.
    known: HashMap<Vec<u32>, Option<TransformedVertex>>,
}

/// What the rasterizer gets of a vertex.
struct TransformedVertex {
    /// x and y divided by w.
    corner: [f32; 2],
    /// As in a fragment request.
    dwords: Vec<u32>,
}

impl VertexStage<'_> {
    /// Fetches and shades three vertices; none if one of them has a w of 0.
    fn triangle(
        &mut self,
        index: usize,
        memory: &mut Memory,
        clock: &mut Clock,
    ) -> Option<TransformedTriangle> {
        let size = self.vertex.thread_dwords();
        let first = self.address.saturating_add(index.saturating_mul(3 * size));
        let data: Vec<u32> = memory.read_all(first, 3 * size).collect();
        let UnitRun { unit, start } = clock.triangle();
        if let Some(timeline) = clock.timeline() {
            let mut data = data.as_slice();
            timeline.run(timeline::Run {
                unit,
                start,
                stage: Stage::Vertex,
                program: self.program,
                inputs: (0..3).map(|_| self.vertex.place_inputs(&mut data)).collect(),
                uniforms: self.uniforms.clone(),
            });
        }
        let mut shaded = TransformedTriangle { corners: [[0.0; 2]; 3], dwords: Vec::with_capacity(3 * 11) };
        for (corner, data) in shaded.corners.iter_mut().zip(data.chunks_exact(size.max(1))) {
            let vertex = match self.known.get(data) {
                Some(known) => known,
                None => {
                    let vertex = self.vertex(data);
                    self.known.entry(data.to_vec()).or_insert(vertex)
                }
            };
            let vertex = vertex.as_ref()?;
            *corner = vertex.corner;
            shaded.dwords.extend(&vertex.dwords);
        }
        Some(shaded)
    }

    /// Shades a vertex; none if its w is 0.
    fn vertex(&mut self, mut data: &[u32]) -> Option<TransformedVertex> {
        let Stored { function, interface, .. } = self.vertex;
        self.run.run(function, &self.vertex.place_inputs(&mut data), &self.uniforms, &NoTextures);
        let mut vertex = TransformedVertex { corner: [0.0; 2], dwords: Vec::with_capacity(11) };
        for (number, (port, (_, value))) in interface.outputs.iter().zip(&function.outputs).enumerate() {
            let value = self.run.value(*value);
            if number > 0 {
                vertex.dwords.extend(&value[..port.components as usize]);
                continue;
            }
            let [x, y, z, w] = value.map(f32::from_bits);
            if w == 0.0 {
                return None;
            }
            vertex.corner = [x / w, y / w];
            vertex.dwords.extend([x / w, y / w, z / w].map(f32::to_bits));
        }
        Some(vertex)
    }
}

/// From the scan to the merger.
struct Draw<'a> {
    merger: Merger,
    memory: &'a mut Memory,
    clock: Clock<'a>,
    shader: Shader<'a>,
    notes: Option<&'a mut Notes>,
    /// The number of the draw's first triangle in the notes.
    first_primitive: u32,
    program: usize,
}

impl Draw<'_> {
    /// Shades and merges what was gathered. All chunks but a triangle's last are full, and a full one is a whole number
    /// of batches.
    fn chunk(&mut self, fragments: &mut Fragments, report: &mut TriangleReport) {
        self.shader.shade(fragments);
        let count = std::mem::take(&mut fragments.count);
        for first in (0..count).step_by(BATCH) {
            let batch = first..(first + BATCH).min(count);
            let (mut merge, mut last) = (0, 0);
            for index in batch.clone() {
                merge += last;
                let before =
                    self.notes.as_ref().map_or(0.0, |_| self.merger.depth(self.memory, fragments, index));
                let written = self.merger.merge(self.memory, fragments, index);
                last = if written && self.merger.depth_buffer.is_some() { MERGE_TESTED } else { MERGE };
                report.written += u64::from(written);
                if let Some(notes) = &mut self.notes {
                    let pixel = fragments.y[index] as usize * self.merger.width + fragments.x[index] as usize;
                    let color = [0, 1, 2, 3].map(|component| f32::from_bits(fragments.out[component][index]));
                    if notes.watched == Some(pixel) {
                        let place = (fragments.x[index], fragments.y[index]);
                        let depth = f32::from_bits(fragments.out[4][index]);
                        let primitive = notes.primitives - self.first_primitive;
                        notes.touches.push(touch(primitive, place, depth, before, written, color));
                    }
                    note(notes, pixel, (index - first) as u32, written);
                }
            }
            if let Some(notes) = &mut self.notes {
                notes.batches += 1;
            }
            report.fragments += batch.len() as u64;
            let UnitRun { unit, start } = self.clock.batch(batch.len() as u64, merge, last);
            if let Some(timeline) = self.clock.timeline() {
                record(timeline, unit, start, self.program, self.shader.uniforms(), fragments, batch);
            }
        }
    }
}

fn record(
    timeline: &mut Timeline,
    unit: usize,
    start: u64,
    program: usize,
    uniforms: &[Vec4],
    fragments: &Fragments,
    batch: std::ops::Range<usize>,
) {
    timeline.run(timeline::Run {
        unit,
        start,
        stage: Stage::Fragment,
        program,
        inputs: batch.map(|index| shade::inputs(fragments.x[index], fragments.y[index])).collect(),
        uniforms: uniforms.to_vec(),
    });
}

/// What a watched pixel remembers of a fragment; `before` is the depth that was stored.
fn touch(
    primitive: u32,
    (x, y): (u32, u32),
    depth: f32,
    before: f32,
    written: bool,
    color: [f32; 4],
) -> Touch {
    let first = primitive as usize * 3;
    Touch {
        primitive,
        corners: [first, first + 1, first + 2],
        fate: if written { Fate::Written } else { Fate::Hidden(before) },
        depth,
        color: Some(color),
        invocations: vec![Invocation { x, y, depth, inverse_w: 1.0, varyings: Vec::new() }],
        lane: 0,
    }
}

fn note(notes: &mut Notes, pixel: usize, lane: u32, written: bool) {
    let (primitive, batch) = (notes.primitives + 1, notes.batches + 1);
    let Some(note) = notes.pixels.get_mut(pixel) else { return };
    note.fragments = note.fragments.saturating_add(1);
    if written {
        note.written = note.written.saturating_add(1);
        (note.primitive, note.batch, note.lane) = (primitive, batch, lane + 1);
    }
}

impl Merger {
    /// The stored depth of a fragment's pixel; 0 without a depth buffer.
    fn depth(&self, memory: &Memory, fragments: &Fragments, index: usize) -> f32 {
        let pixel = fragments.y[index] as usize * self.width + fragments.x[index] as usize;
        let depth = self.depth_buffer.and_then(|buffer| memory.dwords().get(buffer + pixel));
        depth.map_or(0.0, |depth| f32::from_bits(*depth))
    }

    /// Tests and writes a fragment; true if it was written.
    #[inline]
    fn merge(&self, memory: &mut Memory, fragments: &Fragments, index: usize) -> bool {
        let pixel = fragments.y[index] as usize * self.width + fragments.x[index] as usize;
        let [red, green, blue, alpha, depth] = [0, 1, 2, 3, 4].map(|column| fragments.out[column][index]);
        if let Some(buffer) = self.depth_buffer {
            let stored = f32::from_bits(memory.read(buffer + pixel));
            // So that NaN, which is not above or equal to anything, passes.
            if f32::from_bits(depth) >= stored {
                return false;
            }
            memory.write(buffer + pixel, depth);
        }
        let bytes = [red, green, blue, alpha]
            .map(|component| to_unorm8(f32::from_bits(component), ColorRounding::Truncate));
        memory.write(self.framebuffer + pixel, u32::from_le_bytes(bytes));
        true
    }
}

/// True if corners have no area between them.
fn is_unbounded(corners: [[f32; 2]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    area == 0.0 || area.is_nan()
}

/// True if one of three vertices, each x, y, z and attributes, has attributes and a z of 0.
fn divides_by_zero(dwords: &[u32]) -> bool {
    let mut vertices = dwords.chunks_exact((dwords.len() / 3).max(1));
    dwords.len() > 9 && vertices.any(|vertex| f32::from_bits(vertex[2]) == 0.0)
}
