//! A draw call, as a scene makes it and a machine's pipeline carries it out.

use crate::limits::budget::{Budget, Refusal, Resource};
use crate::options::settings::Table;
use crate::unit::cache::Cache;
use crate::unit::layout::Layout;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Profile, Program};
use gpuzoo_raster::{
    Format, FragmentStage, Limits, Primitives, Rules, State, Stats, Target, Texture, Topology, Vertices,
    draw_within,
};
use std::sync::Arc;

pub use crate::unit::vertices::{
    Uses, VertexBuffer, VertexConstants, VertexProgram, VertexRuns, leaves_constants, write_constants,
};

/// Everything a draw needs but the target.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// The vertex program.
    pub vertex: &'a Program,
    /// The fragment program, for machines that have one.
    pub fragment: Option<&'a Program>,
    /// The numeric profile.
    pub profile: Profile,
    /// The vertex buffer.
    pub vertices: &'a [u8],
    /// How the vertex buffer is read; it fits the buffer.
    pub layout: &'a Layout,
    /// The vertices in the order of their use; without it each is used once. An index that the buffer does not have
    /// drops its primitive.
    pub indices: Option<&'a [u32]>,
    /// How vertices make primitives.
    pub topology: Topology,
    /// Constants of the vertex program, by register number, those that its text defines included. Zeros are values like any
    /// other.
    pub constants: &'a [Vec4],
    /// Constants of the fragment program.
    pub fragment_constants: &'a [Vec4],
    /// What the last vertex of the draw before left in the outputs, by number; empty before the first draw.
    pub carried: &'a [Vec4],
    /// Textures, by unit.
    pub textures: &'a [Option<Arc<Texture>>],
    /// Remaining fixed-function state: depth test, blending, filters.
    pub state: &'a Table,
    /// What was made of programs for other draws. It makes draws faster, and no other difference.
    pub cache: &'a Cache,
    /// What may be used for it.
    pub budget: &'a Budget,
}

impl Draw<'_> {
    /// Rasterizes what its vertices became, on its budget of pixels.
    ///
    /// # Errors
    /// [`Refusal`] if its primitives cover more pixels than are left; those before are drawn.
    pub fn rasterize(
        &self,
        target: &mut Target,
        rules: &Rules,
        state: &State,
        vertices: Vertices<'_>,
        primitives: Primitives<'_>,
        stage: &dyn FragmentStage,
    ) -> Result<Stats, Refusal> {
        let left = self.budget.left(Resource::Pixels);
        let limits = Limits { pixels: left, ..Limits::default() };
        let drawn = draw_within(limits, target, rules, state, vertices, primitives, stage);
        let stats = drawn.map_err(|more| self.budget.refusal(Resource::Pixels, Some(more.wanted)))?;
        self.budget.spend(Resource::Pixels, stats.fragments)?;
        Ok(stats)
    }

    /// Its vertices, read with this layout.
    pub fn uses<'a>(&'a self, layout: &'a Layout) -> Uses<'a> {
        Uses { layout, buffer: self.vertices, indices: self.indices, topology: self.topology }
    }

    /// How many vertices the machine runs: one for each use.
    pub fn vertex_count(&self) -> usize {
        self.indices.map_or_else(|| self.layout.vertex_count(self.vertices.len()), <[u32]>::len)
    }
}

/// What a draw did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawReport {
    /// Vertices that go through the vertex program on the machine: one for each use.
    pub vertices: u64,
    /// How often gpuzoo ran the vertex program for them: once for each vertex, however often it is used, unless the
    /// program leaves something for the next vertex.
    pub runs: u64,
    /// What the draw costs, in the unit of the machine's frame budget; 0 where it has none.
    pub cost: u64,
    /// Where the cost went, if the machine knows.
    pub breakdown: Vec<(&'static str, u64)>,
    /// Primitives and fragments.
    pub stats: Stats,
    /// What the last vertex left in the outputs, by number, for machines that keep them.
    pub outputs: Vec<Vec4>,
}

/// A texture format of a machine.
#[derive(Clone, Copy, Debug)]
pub struct TextureFormat {
    /// The machine's own name for it.
    pub name: &'static str,
    /// How its bytes are read.
    pub format: Format,
    /// True if both sides must be powers of two.
    pub power_of_two: bool,
    /// What it is, for the reference.
    pub doc: &'static str,
}
