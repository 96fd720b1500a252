//! How fast pictures of 640 × 480 are drawn: triangles per second for meshes of small triangles, pixels per second for
//! large ones. `cargo bench -p gpuzoo-bench --bench raster`; `RAYON_NUM_THREADS=1` before it gives the figures of one
//! core.

use divan::Bencher;
use divan::counter::ItemsCount;
use gpuzoo_raster::*;

const SIZE: [u32; 2] = [640, 480];

fn main() {
    divan::main();
}

/// Colour is the first varying; costs next to nothing.
struct Plain;

impl FragmentStage for Plain {
    fn kills(&self) -> bool {
        false
    }

    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        batch.interpolate(0, 0, out.color.each_mut().map(|column| &mut column[..]));
    }
}

/// A texture times the first varying.
struct Textured {
    texture: Texture,
    sampler: Sampler,
}

impl FragmentStage for Textured {
    fn kills(&self) -> bool {
        false
    }

    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        let mut at = [[0.0; BATCH]; 2];
        let [s, t] = at.each_mut().map(|column| &mut column[..]);
        batch.interpolate(1, 0, [s, t, &mut [], &mut []]);
        let mut texels = [[0.0; BATCH]; 4];
        let len = batch.len();
        let to = texels.each_mut().map(|column| &mut column[..len]);
        let at = at.each_ref().map(|column| &column[..len]);
        self.sampler.sample_all(batch.level(), &self.texture, MipFilter::Base, at, &[], to);
        batch.interpolate(0, 0, out.color.each_mut().map(|column| &mut column[..]));
        for (column, texels) in out.color.iter_mut().zip(&texels) {
            column.iter_mut().zip(texels).for_each(|(color, texel)| *color *= texel);
        }
    }
}

fn textured(filter: Filter) -> Textured {
    let texels = (0..256 * 256).map(|i: u32| (i * 2654435761).to_le_bytes()).collect();
    let level = Level::new(256, 256, Texels::Rgba8(texels)).expect("a small texture");
    Textured { texture: level.into(), sampler: Sampler { filter, wrap: [Wrap::Repeat; 2] } }
}

/// A picture full of a grid, drawn `layers` times, each nearer than the one before.
struct Scene {
    positions: Vec<[f32; 4]>,
    varyings: Vec<[f32; 4]>,
    indices: Vec<u32>,
    slots: usize,
}

impl Scene {
    fn new(columns: u32, rows: u32, layers: u32, slots: usize) -> Scene {
        let mut scene = Scene { positions: vec![], varyings: vec![], indices: vec![], slots };
        for layer in 0..layers {
            let first = scene.positions.len() as u32;
            for row in 0..=rows {
                for column in 0..=columns {
                    let [s, t] = [column as f32 / columns as f32, row as f32 / rows as f32];
                    let w = 1.0 + s;
                    let z = 1.0 - (layer + 1) as f32 / (layers + 1) as f32;
                    scene.positions.push([(s * 2.0 - 1.0) * w, (t * 2.0 - 1.0) * w, z * w, w]);
                    scene.varyings.extend((0..slots).map(|_| [s, t, 0.5, 0.5]));
                }
            }
            for row in 0..rows {
                for column in 0..columns {
                    let at = |x, y| first + (row + y) * (columns + 1) + column + x;
                    scene.indices.extend([at(0, 0), at(1, 0), at(0, 1), at(0, 1), at(1, 0), at(1, 1)]);
                }
            }
        }
        scene
    }

    fn draw(&self, target: &mut Target, state: &State, stage: &dyn FragmentStage) -> Stats {
        let vertices = Vertices::new(&self.positions, &self.varyings, self.slots).expect("lengths that fit");
        let primitives =
            Primitives { topology: Topology::TriangleList, indices: Some(&self.indices), first: 0 };
        target.depth_mut().fill(1.0);
        draw(target, &Rules::default(), state, vertices, primitives, stage)
    }
}

fn less() -> State {
    let test = DepthTest { compare: Compare::Less, write: true };
    State { depth: Some(test), ..State::sized(SIZE[0], SIZE[1]) }
}

fn run(
    bencher: Bencher,
    scene: Scene,
    state: State,
    stage: impl FragmentStage,
    count: impl Fn(Stats) -> u64,
) {
    let mut target = Target::new(SIZE[0], SIZE[1]).expect("a small target");
    let items = count(scene.draw(&mut target, &state, &stage));
    bencher.counter(ItemsCount::new(items)).bench_local(|| scene.draw(&mut target, &state, &stage));
}

/// Triangles with four varyings, by the side of the square that two of them make: about 2, 18 and 128 pixels each.
#[divan::bench(args = [2, 6, 16])]
fn triangles(bencher: Bencher, side: u32) {
    let scene = Scene::new(SIZE[0] / side, SIZE[1] / side, 1, 4);
    run(bencher, scene, less(), Plain, |stats| stats.primitives);
}

/// Triangles as a depth-only pass has them: no varyings.
#[divan::bench(args = [2, 6, 16])]
fn bare_triangles(bencher: Bencher, side: u32) {
    let scene = Scene::new(SIZE[0] / side, SIZE[1] / side, 1, 0);
    run(bencher, scene, less(), Plain, |stats| stats.primitives);
}

/// Pixels of triangles over the whole picture, by the number of varyings.
#[divan::bench(args = [0, 1, 4, 16])]
fn pixels(bencher: Bencher, slots: usize) {
    run(bencher, Scene::new(1, 1, 8, slots), less(), Plain, |stats| stats.written);
}

/// Pixels with one texture and two varyings.
#[divan::bench(args = [Filter::Nearest, Filter::Linear])]
fn textured_pixels(bencher: Bencher, filter: Filter) {
    run(bencher, Scene::new(1, 1, 8, 2), less(), textured(filter), |stats| stats.written);
}

/// Pixels blended by alpha.
#[divan::bench]
fn blended_pixels(bencher: Bencher) {
    let blend = Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
    run(bencher, Scene::new(1, 1, 8, 1), State { blend, ..less() }, Plain, |stats| stats.written);
}

/// Pixels that are hidden behind what is there.
#[divan::bench]
fn hidden_pixels(bencher: Bencher) {
    let test = DepthTest { compare: Compare::Greater, write: true };
    let state = State { depth: Some(test), ..less() };
    run(bencher, Scene::new(1, 1, 8, 4), state, Plain, |stats| stats.depth_failed);
}
