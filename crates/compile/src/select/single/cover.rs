//! Which instructions compute a function: a cover of its operations by the machine's [rules](super::rules).

use super::components::Components;
use super::machine::Machine;
use super::rules::{Kind, Pattern, Rule};
use crate::graph::lanes::Lane;
use gpuzoo_ir::{Dot, Inst, ONE, Op2, Op3, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Components that are wanted at certain places.
pub type Wanted = [Option<Lane>; 4];

/// A source of a tile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// What is read at each place. Of a tile with one number all four are the same.
    pub lanes: Wanted,
    /// True if the sign is flipped when it is read.
    pub negate: bool,
}

/// An instruction of the program, before anything has a register.
#[derive(Clone, Debug)]
pub struct Tile {
    /// The rule, by its place among all.
    pub rule: usize,
    /// The value whose components it computes; the first one in the order of the function.
    pub value: Value,
    /// What it computes at each place. Of a tile with one number that may be at any place, x has it.
    pub results: Wanted,
    /// True if it computes one number, which may be at any places.
    pub anywhere: bool,
    /// What it reads, in the order of [`Rule::sources`].
    pub uses: Vec<Use>,
}

/// What a function is made of.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// In the order of the function.
    pub tiles: Vec<Tile>,
    /// The tile that computes a component.
    pub by: HashMap<Lane, usize>,
}

/// An operation that no rule computes.
#[derive(Clone, Copy, Debug)]
pub struct Lacking(pub Value);

/// Sources bound to components.
type Bound = Vec<Wanted>;

struct Matcher<'a> {
    components: &'a Components,
    /// True if a number may stand for its product with 1.
    multiplies: bool,
    /// The component of every leaf, where a pattern is that of x.
    place: Option<u8>,
}

impl Matcher<'_> {
    fn matches(&self, pattern: &Pattern, lane: Lane, bound: &Bound) -> Option<Bound> {
        match pattern {
            Pattern::Leaf { source, component } => {
                let place = usize::from(self.place.unwrap_or(*component));
                let mut bound = bound.clone();
                let own = bound.get_mut(*source)?.get_mut(place)?;
                if own.is_some_and(|own| own != lane) {
                    return None;
                }
                *own = Some(lane);
                Some(bound)
            }
            Pattern::Bits(bits) => (lane == Lane::Bits(*bits)).then(|| bound.clone()),
            _ => {
                let found = self
                    .components
                    .inst(lane)
                    .and_then(|(inst, component)| self.operation(pattern, inst, component, bound));
                match (pattern, lane) {
                    (Pattern::Two(Op2::FMul, both), _) if self.multiplies && found.is_none() => {
                        self.both([&both[0], &both[1]], [lane, Lane::Bits(ONE)], false, bound)
                    }
                    // A number that is within the bounds that the instruction keeps.
                    (Pattern::Two(..), Lane::Bits(bits)) if kept(pattern, bits) == Some(bits) => {
                        self.matches(innermost(pattern), lane, bound)
                    }
                    _ => found,
                }
            }
        }
    }

    fn operation(&self, pattern: &Pattern, inst: Inst, component: u8, bound: &Bound) -> Option<Bound> {
        let of = |value: Value| self.components.of(value)[usize::from(component & 3)];
        match (pattern, inst) {
            (Pattern::One(op, a), Inst::Map1(own, value)) if *op == own => self.matches(a, of(value), bound),
            (Pattern::Two(op, both), Inst::Map2(own, [x, y])) if *op == own => {
                let [a, b] = &**both;
                let (x, y) = (of(x), of(y));
                let zero = Lane::Bits(0);
                self.both([a, b], [x, y], op.commutes(), bound).or_else(|| {
                    // -x < 0 is 0 < x.
                    let x = self.components.negated(x).filter(|_| *op == Op2::FSlt && y == zero)?;
                    self.both([a, b], [zero, x], false, bound)
                })
            }
            (Pattern::Three(op, all), Inst::Map3(own, [x, y, z])) if *op == own => {
                let [a, b, c] = &**all;
                let commutes = own == Op3::FMad;
                let [x, y, z] = [x, y, z].map(of);
                let orders = [[x, y], [y, x]];
                orders.into_iter().take(1 + usize::from(commutes)).find_map(|order| {
                    let bound = self.both([a, b], order, false, bound)?;
                    self.matches(c, z, &bound)
                })
            }
            // Both are rounded twice.
            (Pattern::Three(Op3::FMad, all), Inst::Map2(Op2::FAdd, [x, y])) => {
                let [a, b, c] = &**all;
                [[x, y], [y, x]].into_iter().find_map(|[x, y]| {
                    let bound = self.product([a, b], of(x), bound)?;
                    self.matches(c, of(y), &bound)
                })
            }
            (Pattern::Two(Op2::FSub, both), Inst::Map3(Op3::FMad, [x, y, z])) => {
                let [Pattern::Two(Op2::FMul, factors), c] = &**both else { return None };
                let z = self.components.negated(of(z))?;
                let bound = self.both([&factors[0], &factors[1]], [of(x), of(y)], true, bound)?;
                self.matches(c, z, &bound)
            }
            (Pattern::Dot(dot, pairs), Inst::Dot(own, [x, y])) if *dot == own => {
                let [x, y] = [x, y].map(|value| self.components.of(value));
                [[x, y], [y, x]].into_iter().find_map(|[x, y]| {
                    let mut factors = pairs.iter().zip(x).zip(y);
                    factors.try_fold(bound.clone(), |bound, (([a, b], x), y)| {
                        let bound = self.matches(a, x, &bound)?;
                        self.matches(b, y, &bound)
                    })
                })
            }
            (Pattern::Texel(unit, at, own), Inst::Sample(number, value))
                if *unit == number && *own == component =>
            {
                let mut coordinates = at.iter().zip(self.components.of(value));
                coordinates.try_fold(bound.clone(), |bound, (pattern, lane)| match pattern {
                    Some(pattern) => self.matches(pattern, lane, &bound),
                    None => Some(bound),
                })
            }
            _ => None,
        }
    }

    /// A lane that is the product of two patterns.
    fn product(&self, [a, b]: [&Pattern; 2], lane: Lane, bound: &Bound) -> Option<Bound> {
        match self.components.inst(lane) {
            Some((Inst::Map2(Op2::FMul, [x, y]), component)) => {
                let of = |value: Value| self.components.of(value)[usize::from(component & 3)];
                self.both([a, b], [of(x), of(y)], true, bound)
            }
            _ if self.multiplies => self.both([a, b], [lane, Lane::Bits(ONE)], false, bound),
            _ => None,
        }
    }

    fn both(&self, [a, b]: [&Pattern; 2], [x, y]: [Lane; 2], commutes: bool, bound: &Bound) -> Option<Bound> {
        let orders = [[x, y], [y, x]];
        orders.into_iter().take(1 + usize::from(commutes)).find_map(|[x, y]| {
            let bound = self.matches(a, x, bound)?;
            self.matches(b, y, &bound)
        })
    }
}

/// What a pattern of extremes of a source and numbers makes of a number.
fn kept(pattern: &Pattern, bits: u32) -> Option<u32> {
    match pattern {
        Pattern::Leaf { .. } => Some(bits),
        Pattern::Two(op @ (Op2::FMaxStrict | Op2::FMinStrict), both) => match &**both {
            [inner, Pattern::Bits(bound)] => Some(op.eval(kept(inner, bits)?, *bound)),
            _ => None,
        },
        _ => None,
    }
}

/// The source of such a pattern.
fn innermost(pattern: &Pattern) -> &Pattern {
    match pattern {
        Pattern::Two(_, both) => innermost(&both[0]),
        _ => pattern,
    }
}

/// The tiles of some components of a value by one rule.
fn tiles(
    machine: &Machine,
    components: &Components,
    rule: usize,
    value: Value,
    wanted: &[u8],
) -> Option<Vec<Tile>> {
    let own = machine.rules.get(rule)?;
    let empty: Bound = vec![[None; 4]; own.sources.len()];
    let alone = wanted.len() == 1;
    let multiplies = own.sources.iter().any(|source| source.consecutive > 1);
    let matched = |pattern: &Pattern, place: Option<u8>, component: u8, bound: &Bound| {
        // What is only handed on is not computed.
        if pattern.size() == 0 {
            return None;
        }
        Matcher { components, place, multiplies }.matches(pattern, Lane::Of(value, component), bound)
    };
    let tile = |results: Wanted, anywhere: bool, bound: Bound| {
        if multiplies && !is_matrix(components, own, &bound) {
            return None;
        }
        let mut tile = Tile { rule, value, results, anywhere, uses: Vec::new() };
        for (source, lanes) in own.sources.iter().zip(bound) {
            let said = |lane: &Lane| match (lane, source.values) {
                (Lane::Bits(bits), Some((_, op))) => machine.sequence.number(op, *bits).is_some(),
                _ => false,
            };
            if source.files.is_empty() && !lanes.iter().flatten().all(said) {
                return None;
            }
            let inner = lanes.map(|lane| components.negated(lane?));
            let all = lanes.iter().zip(&inner).all(|(lane, inner)| lane.is_some() == inner.is_some());
            let negate = source.negate && all && inner.iter().any(Option::is_some);
            tile.uses.push(Use { lanes: if negate { inner } else { lanes }, negate });
        }
        Some(tile)
    };
    match own.kind {
        Kind::Each if alone => {
            let component = *wanted.first()?;
            let bound = matched(&own.roots[0], Some(0), component, &empty)?;
            // The number is the same wherever it is.
            let bound = bound.into_iter().map(|lanes| [lanes[0]; 4]).collect();
            Some(vec![tile([Some(Lane::Of(value, component)), None, None, None], true, bound)?])
        }
        Kind::Each => {
            let mut bound = empty;
            let mut results = [None; 4];
            for component in wanted {
                bound = matched(&own.roots[0], Some(*component), *component, &bound)?;
                results[usize::from(*component)] = Some(Lane::Of(value, *component));
            }
            Some(vec![tile(results, false, bound)?])
        }
        Kind::Same => wanted
            .iter()
            .map(|component| {
                let bound = matched(&own.roots[0], None, *component, &empty)?;
                tile([Some(Lane::Of(value, *component)), None, None, None], true, bound)
            })
            .collect(),
        Kind::Own if alone => {
            // A number may be what the instruction computes in another place.
            let component = *wanted.first()?;
            let places = std::iter::once(component).chain((0..4).filter(|place| *place != component));
            places
                .filter_map(|place| {
                    let bound = matched(own.roots.get(usize::from(place))?, None, component, &empty)?;
                    let mut results = constants(own);
                    results[usize::from(place)] = Some(Lane::Of(value, component));
                    Some(vec![tile(results, false, bound)?])
                })
                .next()
        }
        Kind::Own => {
            let mut bound = empty;
            let mut results = constants(own);
            for component in wanted {
                let place = usize::from(*component);
                bound = matched(own.roots.get(place)?, None, *component, &bound)?;
                results[place] = Some(Lane::Of(value, *component));
            }
            Some(vec![tile(results, false, bound)?])
        }
        Kind::Kill => None,
    }
}

/// The components of a result that are always the same.
fn constants(rule: &Rule) -> Wanted {
    rule.roots.each_ref().map(|root| match root {
        Pattern::Bits(bits) => Some(Lane::Bits(*bits)),
        _ => None,
    })
}

/// True if what is bound to the sources of a matrix product is worth it: columns that are loaded in any case, and hardly anything else
/// than products.
fn is_matrix(components: &Components, rule: &Rule, bound: &Bound) -> bool {
    let mut sources = rule.sources.iter().zip(bound);
    sources.all(|(source, lanes)| {
        let known = lanes.iter().flatten().filter(|lane| matches!(lane, Lane::Bits(_))).count();
        match source.consecutive {
            1 => known <= 1,
            _ => {
                lanes.iter().flatten().all(|lane| components.is_given(*lane) || matches!(lane, Lane::Bits(_)))
            }
        }
    })
}

/// The tile of a kill.
fn kill(components: &Components, rules: &[Rule], value: Value, at: Value) -> Option<Tile> {
    let rule = rules.iter().position(|rule| rule.kind == Kind::Kill)?;
    let lanes = components.of(at).map(Some);
    let inner = lanes.map(|lane| components.negated(lane?));
    let negate = inner.iter().all(Option::is_some);
    let lanes = if negate { inner } else { lanes };
    Some(Tile { rule, value, results: [None; 4], anywhere: false, uses: vec![Use { lanes, negate }] })
}

/// The tile that flips the sign of something, where a source's sign can be flipped.
fn negation(components: &Components, rules: &[Rule], value: Value, wanted: &[u8]) -> Option<Vec<Tile>> {
    let signed = |rule: &Rule| rule.is_copy() && rule.sources.iter().any(|source| source.negate);
    let rule = rules.iter().position(signed)?;
    let mut lanes = [None; 4];
    let mut results = [None; 4];
    for component in wanted {
        let lane = Lane::Of(value, *component);
        results[usize::from(*component)] = Some(lane);
        lanes[usize::from(*component)] = Some(components.negated(lane)?);
    }
    let anywhere = wanted.len() == 1;
    if anywhere {
        let first = |lanes: Wanted| lanes.into_iter().flatten().next();
        (lanes, results) = ([first(lanes); 4], [first(results), None, None, None]);
    }
    Some(vec![Tile { rule, value, results, anywhere, uses: vec![Use { lanes, negate: true }] }])
}

impl Cover {
    /// The instructions for a function's outputs, of which only some components count, and its kills.
    ///
    /// If it is to be `wide`, instructions are preferred that compute something else in other components: it may be of use.
    ///
    /// # Errors
    /// The first operation from the end that no instruction does.
    pub fn new(
        machine: &Machine,
        components: &Components,
        outputs: &[Wanted],
        wide: bool,
    ) -> Result<Cover, Lacking> {
        let rules = &machine.rules;
        let function = &components.function;
        let mut demanded: Vec<[bool; 4]> = vec![[false; 4]; function.insts.len()];
        let demand = |demanded: &mut Vec<[bool; 4]>, lane: &Lane| {
            if let Lane::Of(value, component) = lane
                && let Some(own) = demanded.get_mut(value.index())
            {
                own[usize::from(*component & 3)] = true;
            }
        };
        outputs.iter().flatten().flatten().for_each(|lane| demand(&mut demanded, lane));
        let mut all: Vec<Tile> = Vec::new();
        // Numbers that an instruction computes beside others.
        let mut beside: HashSet<Lane> = HashSet::default();
        for (index, inst) in function.insts.iter().enumerate().rev() {
            let value = Value(index as u32);
            let found = match inst {
                Inst::Kill(at) => vec![kill(components, rules, value, *at).ok_or(Lacking(value))?],
                Inst::Input(_) | Inst::Uniform(_) | Inst::Const(_) | Inst::Shuffle(..) => continue,
                _ => {
                    let own = demanded[index];
                    let is_wanted = |component: &u8| {
                        own[usize::from(*component)] && !beside.contains(&Lane::Of(value, *component))
                    };
                    let wanted: Vec<u8> = (0..4).filter(is_wanted).collect();
                    if wanted.is_empty() {
                        continue;
                    }
                    best(machine, components, value, &wanted, wide).ok_or(Lacking(value))?
                }
            };
            for mut tile in found {
                add_beside(machine, components, &mut tile, &demanded, &mut all, &mut beside);
                tile.uses
                    .iter()
                    .flat_map(|own| &own.lanes)
                    .flatten()
                    .for_each(|lane| demand(&mut demanded, lane));
                all.push(tile);
            }
        }
        all.reverse();
        let mut by = HashMap::default();
        for (at, tile) in all.iter().enumerate() {
            by.extend(
                tile.results
                    .iter()
                    .flatten()
                    .filter(|lane| matches!(lane, Lane::Of(..)))
                    .map(|lane| (*lane, at)),
            );
        }
        Ok(Cover { tiles: all, by })
    }
}

/// Adds to a tile whatever else its instruction computes of what is wanted, and takes it from the tile that it has, if it has one.
fn add_beside(
    machine: &Machine,
    components: &Components,
    tile: &mut Tile,
    demanded: &[[bool; 4]],
    all: &mut Vec<Tile>,
    beside: &mut HashSet<Lane>,
) {
    let Some(rule) = machine.rules.get(tile.rule).filter(|rule| rule.kind == Kind::Own && !is_dot(rule))
    else {
        return;
    };
    if tile.uses.iter().any(|own| own.negate) {
        return;
    }
    let bound: Bound = tile.uses.iter().map(|own| own.lanes).collect();
    for (place, root) in rule.roots.iter().enumerate() {
        if tile.results[place].is_some() || root.size() == 0 || matches!(root, Pattern::Texel(..)) {
            continue;
        }
        let values = (0..).map(Value).zip(demanded).filter(|(value, _)| *value != tile.value);
        let lanes = values.flat_map(|(value, own)| {
            (0..4u8)
                .filter(|component| own[usize::from(*component)])
                .map(move |component| Lane::Of(value, component))
        });
        let found = lanes.filter(|lane| !beside.contains(lane)).find(|lane| {
            let matcher = Matcher { components, place: None, multiplies: false };
            // Nothing more is read for it, and nothing that is read depends on it.
            matcher.matches(root, *lane, &bound).as_ref() == Some(&bound) && !depends(components, tile, *lane)
        });
        let Some(lane) = found else { continue };
        let own = all.iter().position(|own| own.results.contains(&Some(lane)));
        match own {
            Some(own) if all[own].anywhere => {
                all.remove(own);
            }
            Some(_) => continue,
            None => {}
        }
        tile.results[place] = Some(lane);
        beside.insert(lane);
    }
}

/// True if what a tile reads is computed from something.
fn depends(components: &Components, tile: &Tile, from: Lane) -> bool {
    let Lane::Of(from, _) = from else { return false };
    let mut seen: HashSet<Value> = HashSet::default();
    let mut way: Vec<Value> = Vec::new();
    let value = |lane: &Lane| match lane {
        Lane::Of(value, _) => Some(*value),
        Lane::Bits(_) => None,
    };
    way.extend(tile.uses.iter().flat_map(|own| &own.lanes).flatten().filter_map(value));
    while let Some(next) = way.pop() {
        if next == from {
            return true;
        }
        if seen.insert(next) {
            way.extend(
                components.function.insts.get(next.index()).into_iter().flat_map(|inst| inst.operands()),
            );
        }
    }
    false
}

/// How many operations some tiles of a rule do for one component of what is wanted.
fn done(rule: &Rule, tiles: &[Tile]) -> usize {
    if rule.kind != Kind::Own {
        return rule.size();
    }
    let computed = |tile: &Tile| {
        let places = rule.roots.iter().zip(tile.results).filter(|(_, lane)| lane.is_some());
        places.map(|(root, _)| root.size()).max().unwrap_or(0)
    };
    tiles.iter().map(computed).max().unwrap_or(0)
}

/// More literals than an instruction reads.
const LITERALS: usize = 8;

/// How many literals instructions have to bring into registers first.
fn literals(machine: &Machine, rule: &Rule, tiles: &[Tile]) -> usize {
    let literal = |pack: &Wanted| {
        let mut lanes = pack.iter().flatten().peekable();
        lanes.peek().is_some() && lanes.all(|lane| matches!(lane, Lane::Bits(_)))
    };
    let constants = machine.sequence.constant_file();
    let brought = |tile: &Tile| {
        let sources = rule.sources.iter().zip(&tile.uses);
        sources
            .filter(|(source, own)| {
                source.values.is_none() && !source.files.contains(&constants) && literal(&own.lanes)
            })
            .count()
    };
    tiles.iter().map(brought).sum()
}

/// The tiles of a value with the fewest instructions, and of these the ones that do the most.
fn best(
    machine: &Machine,
    components: &Components,
    value: Value,
    wanted: &[u8],
    wide: bool,
) -> Option<Vec<Tile>> {
    let rules = &machine.rules;
    let found = rules.iter().enumerate().filter(|(_, rule)| !rule.is_copy()).filter_map(|(at, rule)| {
        let tiles = tiles(machine, components, at, value, wanted)?;
        let simple = usize::from(rule.kind != Kind::Own || matches!(rule.roots[0], Pattern::Dot(..)));
        let numbers = usize::from(rule.sources.iter().any(|source| source.files.is_empty()));
        let size = if wide { rule.size() } else { done(rule, &tiles) };
        let size = (size + LITERALS).saturating_sub(literals(machine, rule, &tiles));
        let worth = (usize::MAX - tiles.len(), size, simple, numbers, rules.len() - at);
        Some((worth, tiles))
    });
    let found = found.max_by_key(|(worth, _)| *worth).map(|(_, tiles)| tiles);
    found.or_else(|| negation(components, rules, value, wanted))
}

/// True if a rule is a dot product, for which a component that is zero or not a number anyway may be either.
pub fn is_dot(rule: &Rule) -> bool {
    matches!(rule.roots[0], Pattern::Dot(Dot::Dot3 | Dot::Dot4, _))
}
