//! Variables, and pointers to parts of them.

use super::emit::Emit;
use super::number::{Number, Numbers};
use super::types::Shape;
use std::rc::Rc;

/// A variable of the program: locals of each call are other ones.
pub type Variable = usize;

/// What all variables hold at one place of the program.
#[derive(Clone, Debug, Default)]
pub struct State {
    variables: Vec<Rc<Numbers>>,
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A variable that can be written.
    Variable(Variable),
    /// A uniform, by its place among all.
    Uniform(usize),
    /// A uniform that nothing is read of.
    Unread,
}

/// A step of a pointer whose element is only known while the program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The number of the element.
    pub index: Number,
    /// How many numbers an element has.
    pub size: usize,
    /// How many elements there are.
    pub count: usize,
}

/// A pointer: some of the numbers of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// The first number, where all steps are 0.
    pub first: usize,
    /// Elements that are not known.
    pub steps: Vec<Step>,
    /// What is there.
    pub shape: Rc<Shape>,
}

impl State {
    /// A new variable.
    pub fn add(&mut self, numbers: Numbers) -> Variable {
        self.variables.push(Rc::new(numbers));
        self.variables.len() - 1
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Forgets the variables from a number on.
    pub fn truncate(&mut self, count: usize) {
        self.variables.truncate(count);
    }

    /// What a variable holds.
    pub fn get(&self, variable: Variable) -> &[Number] {
        self.variables.get(variable).map_or(&[], |numbers| numbers.as_slice())
    }

    /// The numbers of a variable, to be changed.
    pub fn get_mut(&mut self, variable: Variable) -> Option<&mut Numbers> {
        self.variables.get_mut(variable).map(Rc::make_mut)
    }

    /// `self` where a condition is 1, else `other`.
    pub fn join(mut self, emit: &mut Emit, condition: Number, other: &State) -> State {
        for (own, other) in self.variables.iter_mut().zip(&other.variables) {
            if Rc::ptr_eq(own, other) || own == other {
                continue;
            }
            *own = Rc::new(choose(emit, condition, own, other));
        }
        self
    }
}

/// All numbers of one list or of another.
pub fn choose(emit: &mut Emit, condition: Number, yes: &[Number], no: &[Number]) -> Numbers {
    let mut result = Vec::with_capacity(yes.len());
    for (yes, no) in yes.chunks(4).zip(no.chunks(4)) {
        result.extend(emit.select(&[condition], yes, no));
    }
    result
}

impl Place {
    /// All elements that it may lead to: the first number of each, and the condition for it; the last has none, since then it is
    /// that one. More than `most` are none.
    pub fn elements(&self, emit: &mut Emit, most: usize) -> Option<Vec<(usize, Number)>> {
        let mut all = vec![(self.first, Number::Bool(true))];
        for step in &self.steps {
            if all.len().checked_mul(step.count)? > most {
                return None;
            }
            let mut next = Vec::new();
            for element in 0..step.count {
                let is_it = equals(emit, step.index, element);
                for (first, condition) in &all {
                    let both = emit.map2(gpuzoo_ir::Op2::FMul, &[*condition], &[is_it])[0];
                    next.push((first + element * step.size, both));
                }
            }
            all = next;
        }
        Some(all)
    }
}

/// Whether an index is a certain number.
fn equals(emit: &mut Emit, index: Number, element: usize) -> Number {
    use gpuzoo_ir::Op2;
    let element = Number::Float(element as f32);
    let (below, above) =
        (emit.map2(Op2::FSge, &[index], &[element]), emit.map2(Op2::FSge, &[element], &[index]));
    emit.map2(Op2::FMul, &below, &above)[0]
}
