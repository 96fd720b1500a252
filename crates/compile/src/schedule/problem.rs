//! What a schedule has to keep: who waits for whom, who fits beside whom, and which values share a register.

use crate::graph::shape::Kind;
use crate::graph::{Code, Node, Origin, Value};
use crate::schedule::draft::{Draft, Ready, join, one_register, virtual_home};
use gpuzoo_isa::{FileKind, Isa, Reg};
use gpuzoo_machine::target::slots::Slots;
use rustc_hash::FxHashMap as HashMap;
use std::cell::{OnceCell, RefCell};

/// A graph, ready to be scheduled.
pub struct Problem<'a> {
    /// The graph.
    pub code: &'a Code,
    /// For each node the nodes it waits for, and how many slots after them it may run: 1 for what they write, 0 for what it overwrites.
    pub before: Vec<Vec<(usize, u32)>>,
    /// The same the other way round.
    pub after: Vec<Vec<(usize, u32)>>,
    /// For each node, which halves can do it.
    pub halves: Vec<[bool; 2]>,
    /// For each node the values that it reads, each once, and how often it reads it.
    pub reads: Vec<Vec<(Value, u32)>>,
    /// Whether two nodes fit into a slot, the one in the first half, the other in the second, as far as that has been asked.
    fits: RefCell<Vec<Option<bool>>>,
    /// For each node and half the instruction that is asked about.
    ready: Vec<[OnceCell<Option<Ready>>; 2]>,
    slots: &'a dyn Slots,
    /// For each value the number of its web: values of a web are in one register.
    pub web: Vec<u32>,
    /// For each web its values.
    pub members: Vec<Vec<Value>>,
    /// For each web how many of its values something reads.
    pub sizes: Vec<u8>,
    /// For each node, the least number of slots from its own to the end.
    pub height: Vec<u32>,
    /// The temporary that the second half writes beside the first.
    pub paired: Reg,
    /// How many temporaries there are.
    pub registers: u16,
}

impl<'a> Problem<'a> {
    /// The problem of a graph.
    pub fn new(isa: &Isa, slots: &'a dyn Slots, code: &'a Code) -> Problem<'a> {
        let count = code.nodes.len();
        let before = order(isa, slots, code);
        let mut after = vec![Vec::new(); count];
        for (at, all) in before.iter().enumerate() {
            all.iter().for_each(|(earlier, distance)| after[*earlier].push((at, *distance)));
        }
        let mut height = vec![1; count];
        for at in (0..count).rev() {
            height[at] = after[at]
                .iter()
                .map(|(later, distance): &(usize, u32)| height[*later] + distance)
                .max()
                .unwrap_or(1)
                .max(1);
        }
        let in_half = |name: &str, half: usize| {
            isa.halves.get(half).is_some_and(|half| half.ops.iter().any(|op| op.name == name))
        };
        let halves: Vec<[bool; 2]> =
            code.nodes.iter().map(|node| [0, 1].map(|half| in_half(node.name, half))).collect();
        let reads: Vec<Vec<(Value, u32)>> = code.nodes.iter().map(reads).collect();
        let paired = slots.paired_temporary();
        let web = webs(code);
        let mut members = vec![Vec::new(); code.values.len()];
        web.iter().zip(0..).for_each(|(web, at)| members[*web as usize].push(Value(at)));
        let mut is_read = vec![false; code.values.len()];
        reads.iter().flatten().for_each(|(value, _)| is_read[value.index()] = true);
        let size = |web: &Vec<Value>| web.iter().filter(|value| is_read[value.index()]).count() as u8;
        let sizes = members.iter().map(size).collect();
        let registers = isa.file(paired).count;
        let ready = code.nodes.iter().map(|_| [OnceCell::new(), OnceCell::new()]).collect();
        Problem {
            code,
            before,
            after,
            halves,
            reads,
            fits: RefCell::default(),
            ready,
            slots,
            web,
            members,
            sizes,
            height,
            paired,
            registers,
        }
    }

    /// Whether two nodes fit into a slot.
    pub fn fits(&self, first: usize, second: usize) -> bool {
        let place = first * self.code.nodes.len() + second;
        if let Some(known) = self.fits.borrow().get(place).copied().flatten() {
            return known;
        }
        let found = self.do_fit(first, second);
        let mut fits = self.fits.borrow_mut();
        fits.resize(self.code.nodes.len() * self.code.nodes.len(), None);
        fits[place] = Some(found);
        found
    }

    fn do_fit(&self, first: usize, second: usize) -> bool {
        let is_placed = |node: usize| self.code.nodes[node].place.is_some();
        if first == second || is_placed(first) && is_placed(second) {
            return false;
        }
        let ready = |node: usize, half: usize| {
            self.ready[node][half].get_or_init(|| Some(Ready::new(self.slots, &self.draft(node, half)?)))
        };
        match (ready(first, 0), ready(second, 1)) {
            (Some(one), Some(other)) => one.fits(self.slots, other),
            _ => false,
        }
    }

    /// A node as an instruction of a half, with virtual registers.
    fn draft(&self, node: usize, half: usize) -> Option<Draft> {
        let home = virtual_home(self.code, &self.web, self.paired.file);
        let node = &self.code.nodes[node];
        // What the second half writes to a temporary will be in the one that it can write.
        Draft::new(node, |value: Value| {
            let (reg, component) = home(value);
            let is_written = half == 1 && node.results.contains(&Some(value));
            (if is_written { self.paired } else { reg }, component)
        })
    }

    /// Whether two nodes may fit into a slot with registers and components that are still to be chosen. Where that is not possible, no
    /// choice makes them fit.
    pub fn may_fit(&self, first: usize, second: usize) -> bool {
        if self.fits(first, second) {
            return true;
        }
        // Values of two webs can be in one register, so that both halves read it; the first half must leave a place of it free.
        let node = &self.code.nodes[first];
        let is_full = node.shape.kind == Kind::Each && node.wanted().0.count_ones() == 4;
        let is_placed = |node: usize| self.code.nodes[node].place.is_some();
        if is_full || first == second || is_placed(first) && is_placed(second) {
            return false;
        }
        let drafts = [self.draft(first, 0), self.draft(second, 1)].into_iter().collect::<Option<Vec<_>>>();
        drafts.and_then(|drafts| join(self.slots, one_register(drafts))).is_some()
    }

    /// No schedule has fewer slots.
    pub fn bound(&self) -> usize {
        self.limit().0
    }

    /// No schedule has fewer slots, and why.
    pub fn limit(&self) -> (usize, &'static str) {
        let only =
            |half: usize| self.halves.iter().filter(|halves| halves[half] && !halves[1 - half]).count();
        let places = self.code.nodes.iter().filter(|node| node.place.is_some()).count();
        let path = self.height.iter().max().map_or(0, |height| *height as usize);
        let limits = [
            (self.code.nodes.len().div_ceil(2), "a slot does two operations"),
            (path, "the longest chain of operations that wait for each other"),
            (places, "a slot writes one output"),
            (only(1), "operations of the second half"),
            (only(0), "operations of the first half"),
        ];
        limits.into_iter().max_by_key(|(limit, _)| *limit).unwrap_or_default()
    }
}

/// The values that a node reads, each once, and how often it reads it.
fn reads(node: &Node) -> Vec<(Value, u32)> {
    let mut all: Vec<Value> = node.reads().collect();
    all.sort_unstable();
    all.chunk_by(|one, other| one == other).map(|reads| (reads[0], reads.len() as u32)).collect()
}

/// For each value, which ones share its register: those that an instruction writes together, or reads as one source.
fn webs(code: &Code) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..code.values.len() as u32).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let mut unite = |values: [Option<Value>; 4]| {
        let mut values = values.into_iter().flatten();
        let Some(first) = values.next() else { return };
        for value in values {
            let (one, other) = (root(&mut parent, first.0), root(&mut parent, value.0));
            parent[other as usize] = one;
        }
    };
    for node in &code.nodes {
        unite(node.results);
        node.sources.iter().for_each(|source| unite(source.values));
    }
    (0..parent.len() as u32).map(|at| root(&mut parent, at)).collect()
}

/// A place whose reads and writes keep their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cell {
    Component(Reg, u8),
    /// All constants: a read at a computed number may be of any.
    Constants,
}

fn order(isa: &Isa, slots: &dyn Slots, code: &Code) -> Vec<Vec<(usize, u32)>> {
    let constants_change = code
        .nodes
        .iter()
        .flat_map(|node| node.place)
        .any(|place| isa.file(place.reg).kind == FileKind::Constant);
    let cell = |reg: Reg, component: u8| match isa.file(reg).kind {
        FileKind::Constant => Cell::Constants,
        _ if isa.address == Some(reg) || slots.keeps_order(reg) => Cell::Component(reg, 0),
        _ => Cell::Component(reg, component),
    };
    let mut writers: HashMap<Cell, usize> = HashMap::default();
    let mut readers: HashMap<Cell, Vec<usize>> = HashMap::default();
    let mut all = Vec::with_capacity(code.nodes.len());
    for (at, node) in code.nodes.iter().enumerate() {
        let mut before: Vec<(usize, u32)> = Vec::new();
        for value in node.reads() {
            if let Origin::Node(writer, _) = code.values[value.index()] {
                before.push((writer, 1));
            }
        }
        let mut reads = Vec::new();
        for source in node.sources.iter().filter(|source| !source.is_temporary()) {
            let reg = source.operand.reg;
            match isa.file(reg).kind {
                FileKind::Output(_) => {
                    reads.extend(source.operand.swizzle.components().map(|component| cell(reg, component)))
                }
                FileKind::Constant if constants_change => reads.push(Cell::Constants),
                _ => {}
            }
        }
        if let Some(address) = isa.address.filter(|_| node.is_relative()) {
            reads.push(cell(address, 0));
        }
        for cell in reads {
            before.extend(writers.get(&cell).map(|writer| (*writer, 1)));
            readers.entry(cell).or_default().push(at);
        }
        if let Some(place) = &node.place {
            for component in (0..4).filter(|component| place.mask().has(*component)) {
                let cell = cell(place.reg, component);
                before.extend(writers.insert(cell, at).map(|writer| (writer, 1)));
                before
                    .extend(readers.remove(&cell).unwrap_or_default().into_iter().map(|reader| (reader, 0)));
            }
        }
        before.retain(|(earlier, _)| *earlier != at);
        before.sort_unstable_by_key(|(earlier, distance)| (*earlier, std::cmp::Reverse(*distance)));
        before.dedup_by_key(|(earlier, _)| *earlier);
        all.push(before);
    }
    all
}
