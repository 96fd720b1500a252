//! What each instruction of a machine computes, as a pattern over the IR: read off its own lowering, in every profile, and nowhere
//! else.

use gpuzoo_diag::Span;
use gpuzoo_ir::scalar::{Graph, Id, Node, Options};
use gpuzoo_ir::{Dot, Function, Inst as Ir, Op1, Op2, Op3, Value};
use gpuzoo_isa::{
    FileKind, Inst, Isa, Mask, Op, Operand, Part, Profile, Program, Reg, Slot, Swizzle, SwizzleCode,
};

/// One component of what an instruction computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A component of a source, behind its swizzle and sign.
    Leaf {
        /// Which source.
        source: usize,
        /// 0 is x.
        component: u8,
    },
    /// These bits.
    Bits(u32),
    /// An operation on one number.
    One(Op1, Box<Pattern>),
    /// An operation on two numbers.
    Two(Op2, Box<[Pattern; 2]>),
    /// An operation on three numbers.
    Three(Op3, Box<[Pattern; 3]>),
    /// Pairs of factors.
    Dot(Dot, Vec<[Pattern; 2]>),
    /// A component of what a texture unit gives, and the coordinates that it looks at.
    Texel(u8, Box<[Option<Pattern>; 4]>, u8),
}

impl Pattern {
    /// How many operations it does.
    pub fn size(&self) -> usize {
        match self {
            Pattern::Leaf { .. } | Pattern::Bits(_) => 0,
            Pattern::One(_, a) => 1 + a.size(),
            Pattern::Two(_, both) => 1 + both.iter().map(Pattern::size).sum::<usize>(),
            Pattern::Three(op, all) => {
                let own = if *op == Op3::FMad { 2 } else { 1 };
                own + all.iter().map(Pattern::size).sum::<usize>()
            }
            Pattern::Dot(..) | Pattern::Texel(..) => 1,
        }
    }

    /// The same with another component in place of x; none if it reads others than x.
    fn at(&self, to: u8) -> Option<Pattern> {
        Some(match self {
            Pattern::Leaf { source, component: 0 } => Pattern::Leaf { source: *source, component: to },
            Pattern::Bits(bits) => Pattern::Bits(*bits),
            Pattern::One(op, a) => Pattern::One(*op, Box::new(a.at(to)?)),
            Pattern::Two(op, both) => {
                let [a, b] = &**both;
                Pattern::Two(*op, Box::new([a.at(to)?, b.at(to)?]))
            }
            Pattern::Three(op, all) => {
                let [a, b, c] = &**all;
                Pattern::Three(*op, Box::new([a.at(to)?, b.at(to)?, c.at(to)?]))
            }
            Pattern::Leaf { .. } | Pattern::Dot(..) | Pattern::Texel(..) => return None,
        })
    }
}

/// How the components of a result relate to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each is computed from the components at its own place, in the same way: [`Rule::roots`] has that of x.
    Each,
    /// All four are the same number.
    Same,
    /// Each has a meaning of its own.
    Own,
    /// There is no result; the run ends if one of the four is below zero.
    Kill,
}

/// Something that an instruction reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The operand of the instruction.
    pub operand: usize,
    /// Which of several consecutive registers.
    pub offset: u16,
    /// How many consecutive registers the operand has.
    pub consecutive: u16,
    /// The files that it can be a register of.
    pub files: Vec<u8>,
    /// How many values it can be, and of which instruction; none where it can be none.
    pub values: Option<(u8, &'static Op)>,
    /// How its swizzle is coded, if it has one.
    pub swizzle: Option<Swizzles>,
    /// True if its sign can be flipped.
    pub negate: bool,
    /// True if it is the register that is written.
    pub tied: bool,
}

/// The swizzles of an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swizzles {
    /// All.
    Any,
    /// Some.
    Listed(&'static [Swizzle]),
}

impl Source {
    /// A swizzle that reads the component `from[place]` for each place that has one.
    pub fn swizzle_for(&self, from: [Option<u8>; 4]) -> Option<Swizzle> {
        let fits = |swizzle: &Swizzle| {
            let found = swizzle.components().into_iter().zip(from);
            found.into_iter().all(|(found, wanted)| wanted.is_none_or(|wanted| wanted == found))
        };
        let any = from.iter().flatten().copied().next().unwrap_or(0);
        match self.swizzle {
            None => Some(Swizzle::IDENTITY).filter(fits),
            Some(Swizzles::Listed(list)) => {
                // One component for all leaves the allocator free to move it.
                let single = list.iter().find(|swizzle| swizzle.single().is_some() && fits(swizzle));
                single.or_else(|| list.iter().find(|swizzle| fits(swizzle))).copied()
            }
            Some(Swizzles::Any) if fits(&Swizzle::IDENTITY) => Some(Swizzle::IDENTITY),
            Some(Swizzles::Any) => Some(Swizzle::of(from.map(|component| component.unwrap_or(any)))),
        }
    }

    /// True if one component can be read for all four.
    pub fn broadcasts(&self) -> bool {
        match self.swizzle {
            None => self.files.is_empty(),
            Some(Swizzles::Any) => true,
            Some(Swizzles::Listed(list)) => list.iter().any(|swizzle| swizzle.single().is_some()),
        }
    }
}

/// What an instruction computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its row.
    pub op: &'static Op,
    /// Its destination's operand, and the files that it can be in; none if it writes nothing.
    pub destination: Option<(usize, Vec<u8>)>,
    /// True if only some components can be written.
    pub masked: bool,
    /// True if the destination may be a source's register.
    pub in_place: bool,
    /// What it reads.
    pub sources: Vec<Source>,
    /// Operands that are part of its meaning: a texture unit.
    pub fixed: Vec<(usize, Reg)>,
    /// How the components relate.
    pub kind: Kind,
    /// The components of the result.
    pub roots: [Pattern; 4],
}

impl Rule {
    /// True if it only moves its source's components.
    pub fn is_copy(&self) -> bool {
        self.kind == Kind::Each && matches!(self.roots[0], Pattern::Leaf { .. })
    }

    /// How many operations it does for one component of its result.
    pub fn size(&self) -> usize {
        self.roots.iter().map(Pattern::size).max().unwrap_or(0)
    }
}

/// All rules of a machine that hold in so many profiles. Instructions that a program need not say, or that end it, are none.
pub fn rules(isa: &Isa, profiles: usize) -> Vec<Rule> {
    let ops = isa.ops().filter(|op| !op.internal);
    ops.flat_map(|op| {
        let units = unit_choices(isa, op);
        units.into_iter().filter_map(move |fixed| {
            let mut all = (0..profiles).map(|profile| derive(isa, op, &fixed, Profile(profile as u8)));
            let first = all.next()?;
            all.fold(first, |one, other| common(one?, other?))
        })
    })
    .collect()
}

/// A rule that holds in two profiles: nothing may be used that one of them has not.
fn common(one: Rule, other: Rule) -> Option<Rule> {
    let (masked, in_place) = (one.masked && other.masked, one.in_place && other.in_place);
    let [one, other] = [one, other].map(|rule| Rule { masked, in_place, ..rule });
    (one == other).then_some(one)
}

/// The register operands of an instruction that are not read as numbers: each register of their file makes a rule of its own.
fn unit_choices(isa: &Isa, op: &'static Op) -> Vec<Vec<(usize, Reg)>> {
    let Some(probe) = Probe::new(isa, op, &[]) else { return Vec::new() };
    let lowered = probe.lower(isa, Profile::default(), Swizzle::IDENTITY, Mask::ALL, false);
    let unread = probe.regs.iter().find(|(_, reg)| {
        let is_constant = isa.file(*reg).kind == FileKind::Constant;
        is_constant && !lowered.reads.iter().any(|read| read.reg == *reg)
    });
    match unread {
        None => vec![Vec::new()],
        Some((source, reg)) => {
            let operand = probe.sources[*source].operand;
            (0..isa.file(*reg).count).map(|index| vec![(operand, Reg { index, ..*reg })]).collect()
        }
    }
}

/// An instruction alone, with a register of its own for every source.
struct Probe {
    op: &'static Op,
    destination: Option<(usize, Vec<u8>)>,
    sources: Vec<Source>,
    /// The sources that are registers.
    regs: Vec<(usize, Reg)>,
    fixed: Vec<(usize, Reg)>,
}

/// The value that stands for a component of a source that is values; no instruction has such constants.
fn placeholder(source: usize, component: usize) -> u32 {
    0x4a5b_0001 + (source as u32) * 64 + (component as u32) * 4
}

fn files(isa: &Isa, part: &Part, writes: bool) -> Vec<u8> {
    let choices = part.writable().filter(|choice| choice.illegal.is_empty());
    let files = choices.filter_map(|choice| choice.file());
    let fits = |file: &u8| {
        let kind = isa.files.get(usize::from(*file)).map(|file| file.kind);
        match kind {
            Some(FileKind::Temporary(_)) => true,
            Some(FileKind::Output(_)) => writes,
            Some(_) => !writes,
            None => false,
        }
    };
    files.filter(fits).collect()
}

impl Probe {
    fn new(isa: &Isa, op: &'static Op, fixed: &[(usize, Reg)]) -> Option<Probe> {
        let mut destination = None;
        let mut sources: Vec<Source> = Vec::new();
        for part in op.parts {
            let operand = usize::from(part.operand);
            if part.is_written() {
                destination = Some((operand, files(isa, part, true))).filter(|(_, files)| !files.is_empty());
                destination.as_ref()?;
            }
            if !part.is_read() || fixed.iter().any(|(own, _)| *own == operand) {
                continue;
            }
            let files = files(isa, part, false);
            let modifier = op.parts.iter().filter(|other| other.operand == part.operand);
            let swizzle = modifier.filter_map(|part| part.swizzle).next().map(|(_, code)| match code {
                SwizzleCode::Listed(list) => Swizzles::Listed(list),
                _ => Swizzles::Any,
            });
            let values = part.values().map(|values| (values.most.clamp(1, 4), op));
            if files.is_empty() && values.is_none() {
                return None;
            }
            let consecutive = u16::from(part.consecutive.max(1));
            sources.extend((0..consecutive).map(|offset| Source {
                operand,
                offset,
                consecutive,
                files: files.clone(),
                values,
                swizzle,
                negate: part.negate.is_some(),
                tied: part.is_written(),
            }));
        }
        // Every source has a register of the first file that it can be in, temporaries first; the destination has the next one.
        let mut used = vec![0u16; isa.files.len()];
        let mut regs: Vec<(usize, Reg)> = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            let Some(file) = source.files.first() else { continue };
            let index = used.get_mut(usize::from(*file))?;
            regs.push((at, Reg { file: *file, index: *index }));
            *index += 1;
        }
        Some(Probe { op, destination, sources, regs, fixed: fixed.to_vec() })
    }

    /// The destination: a source's register if it is tied or that is asked for, else one that no source has.
    fn target(&self, in_place: bool) -> Option<Reg> {
        let tied = self.sources.iter().position(|source| source.tied);
        let of = |source: usize| self.regs.iter().find(|(at, _)| *at == source).map(|(_, reg)| *reg);
        match (tied, in_place) {
            (Some(source), _) => of(source),
            (None, true) => self.regs.first().map(|(_, reg)| *reg),
            (None, false) => {
                let file = *self.destination.as_ref()?.1.first()?;
                let taken = self.regs.iter().filter(|(_, reg)| reg.file == file).count();
                Some(Reg { file, index: taken as u16 })
            }
        }
    }

    fn inst(&self, swizzle: Swizzle, mask: Mask, in_place: bool) -> Inst {
        let mut inst = Inst::new(self.op);
        for (operand, reg) in &self.fixed {
            inst.operands[*operand] = Operand::of(*reg);
        }
        for (at, source) in self.sources.iter().enumerate().filter(|(_, source)| source.offset == 0) {
            let operand = &mut inst.operands[source.operand];
            match self.regs.iter().find(|(own, _)| *own == at) {
                Some((_, reg)) => (operand.reg, operand.swizzle) = (*reg, swizzle),
                None => {
                    let count = source.values.map_or(0, |(most, _)| usize::from(most));
                    let values = (0..count).map(|component| placeholder(at, component));
                    *operand = Operand::of_values(values);
                }
            }
        }
        if let (Some((operand, _)), Some(reg)) = (&self.destination, self.target(in_place)) {
            let operand = &mut inst.operands[*operand];
            (operand.reg, operand.mask) = (reg, mask);
        }
        inst
    }

    fn lower(
        &self,
        isa: &Isa,
        profile: Profile,
        swizzle: Swizzle,
        mask: Mask,
        in_place: bool,
    ) -> gpuzoo_isa::Lowered {
        let inst = self.inst(swizzle, mask, in_place);
        let slot = Slot { bits: isa.filler, inst: Some(inst), paired: None, span: Span::default() };
        let program = Program { slots: vec![slot], ..Program::default() };
        isa.lower_from(&program, profile, |lower| {
            for (at, reg) in &self.regs {
                let value = lower.b.input(*at as u16);
                lower.start(*reg, value, Mask::ALL);
            }
        })
    }
}

/// The one value that is computed, and the components that are written. None of one that a kill looks at.
fn result(lowered: &gpuzoo_isa::Lowered) -> Option<(Value, Option<Mask>)> {
    let step = lowered.steps.first()?;
    match step.writes.as_slice() {
        [(_, value, mask)] => Some((*value, Some(*mask))),
        [] => lowered.function.insts.iter().rev().find_map(|inst| match inst {
            Ir::Kill(value) => Some((*value, None)),
            _ => None,
        }),
        _ => None,
    }
}

fn graph(lowered: &gpuzoo_isa::Lowered, value: Value) -> Option<(Graph, [Id; 4])> {
    let function = Function { outputs: vec![(0, value)], ..lowered.function.clone() };
    let graph = Graph::new(&function, &Options::default());
    let roots = *graph.outputs().first()?;
    Some((graph, roots))
}

/// The rule of an instruction in one profile.
fn derive(isa: &Isa, op: &'static Op, fixed: &[(usize, Reg)], profile: Profile) -> Option<Rule> {
    let probe = Probe::new(isa, op, fixed)?;
    let lowered = probe.lower(isa, profile, Swizzle::IDENTITY, Mask::ALL, false);
    if lowered.end.is_some() {
        return None;
    }
    let (value, written) = result(&lowered)?;
    if written.is_some() != probe.destination.is_some() {
        return None;
    }
    let (whole, ids) = graph(&lowered, value)?;
    let reads = |source: usize, component: u8| {
        let reg = probe.regs.iter().find(|(at, _)| *at == source).map(|(_, reg)| *reg);
        lowered.reads.iter().any(|read| Some(read.reg) == reg && read.components.has(component))
    };
    let all: Vec<Pattern> =
        ids.iter().map(|id| pattern(&whole, *id, &probe, &reads)).collect::<Option<_>>()?;
    let roots: [Pattern; 4] = all.try_into().ok()?;
    let scalar = op.parts.iter().any(|part| part.is_read() && part.scalar);
    let kind = if written.is_none() {
        Kind::Kill
    } else if scalar || ids.iter().all(|id| *id == ids[0]) && !matches!(roots[0], Pattern::Bits(_)) {
        Kind::Same
    } else if (0..4u8).zip(&roots).all(|(component, root)| roots[0].at(component).as_ref() == Some(root)) {
        Kind::Each
    } else {
        Kind::Own
    };
    let some = probe.lower(isa, profile, Swizzle::IDENTITY, Mask(0b0010), false);
    let masked = op.parts.iter().any(|part| part.mask.is_some())
        && result(&some).is_some_and(|(_, mask)| mask == Some(Mask(0b0010)));
    Some(Rule {
        op,
        masked,
        in_place: in_place(isa, &probe, profile),
        fixed: fixed.to_vec(),
        kind,
        roots,
        destination: probe.destination,
        sources: probe.sources,
    })
}

/// True if the result is the same when the first source's register is the destination.
fn in_place(isa: &Isa, probe: &Probe, profile: Profile) -> bool {
    let turned = match probe.sources.first().and_then(|source| source.swizzle) {
        Some(Swizzles::Any) => Swizzle::of([3, 2, 1, 0]),
        _ => Swizzle::IDENTITY,
    };
    let [apart, within] = [false, true].map(|in_place| {
        let lowered = probe.lower(isa, profile, turned, Mask::ALL, in_place);
        let (graph, ids) = graph(&lowered, result(&lowered)?.0)?;
        ids.iter().map(|id| pattern(&graph, *id, probe, &|_, _| true)).collect::<Option<Vec<_>>>()
    });
    apart == within
}

/// A node as a pattern.
fn pattern(graph: &Graph, id: Id, probe: &Probe, reads: &dyn Fn(usize, u8) -> bool) -> Option<Pattern> {
    let of = |id: Id| pattern(graph, id, probe, reads);
    Some(match graph.node(id) {
        Node::Const(bits) => {
            let values = probe.sources.iter().enumerate().filter(|(_, source)| source.files.is_empty());
            let mut places = values.flat_map(|(source, _)| (0..4).map(move |component| (source, component)));
            match places.find(|(source, component)| placeholder(*source, *component) == bits) {
                Some((source, component)) => Pattern::Leaf { source, component: component as u8 },
                None => Pattern::Bits(bits),
            }
        }
        Node::Input { number, component } => Pattern::Leaf { source: number.into(), component },
        Node::Uniform { .. } | Node::UniformAt { .. } | Node::Kill(_) | Node::Sample { .. } => return None,
        Node::Map1(op, a) => Pattern::One(op, Box::new(of(a)?)),
        Node::Map2(op, [a, b]) => Pattern::Two(op, Box::new([of(a)?, of(b)?])),
        Node::Map3(op, [a, b, c]) => Pattern::Three(op, Box::new([of(a)?, of(b)?, of(c)?])),
        Node::Dot(dot, pairs) => {
            let pairs = pairs.iter().take(dot.terms()).map(|[a, b]| Some([of(*a)?, of(*b)?]));
            Pattern::Dot(dot, pairs.collect::<Option<_>>()?)
        }
        Node::Texel(sample, component) => {
            let Node::Sample { unit, at, .. } = graph.node(sample) else { return None };
            let coordinates = at.map(|id| {
                let leaf = of(id)?;
                match leaf {
                    Pattern::Leaf { source, component } => reads(source, component).then_some(leaf),
                    _ => None,
                }
            });
            Pattern::Texel(unit, Box::new(coordinates), component)
        }
    })
}
