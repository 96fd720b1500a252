//! Parts of variables and of values: by known numbers, and by numbers that are only known while the program runs.

use super::emit::Emit;
use super::memory::{Place, Root, State, Step as Element, choose};
use super::number::{Number, Numbers};
use super::types::Shape;
use super::{Frame, Operand, Step, Walk, codes};
use gpuzoo_ir::{Inst, Op1};
use naga::proc::TypeResolution;
use naga::{ArraySize, Expression, Handle, Type, TypeInner};
use std::rc::Rc;

/// The most elements among which one is chosen.
const MOST_CHOICES: usize = 64;

/// The elements of a type.
enum Elements {
    /// Elements of one size.
    Alike { size: usize, count: usize },
    /// Members: the number at which each begins.
    Members(Rc<[usize]>),
}

impl Elements {
    fn count(&self) -> usize {
        match self {
            Elements::Alike { count, .. } => *count,
            Elements::Members(starts) => starts.len(),
        }
    }

    /// The number at which an element begins.
    fn start(&self, element: usize) -> usize {
        match self {
            Elements::Alike { size, .. } => size * element,
            Elements::Members(starts) => starts.get(element).copied().unwrap_or(0),
        }
    }
}

impl<'a> Walk<'a> {
    /// An element of a value, or a pointer to one.
    pub(super) fn access(
        &mut self,
        frame: &mut Frame<'a>,
        state: &State,
        base: Handle<Expression>,
        index: Number,
        whole: Handle<Expression>,
    ) -> Step<Operand> {
        let operand = self.operand(frame, state, base)?;
        let inner = frame.info[base].ty.inner_with(&self.module.types);
        let inner = match inner {
            TypeInner::Pointer { base, .. } => &self.module.types[*base].inner,
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => {
                &TypeInner::Vector { size: *size, scalar: *scalar }
            }
            inner => inner,
        };
        let elements = match &frame.info[base].ty {
            TypeResolution::Handle(ty) => self.elements(inner, Some(*ty))?,
            TypeResolution::Value(TypeInner::Pointer { base, .. }) => self.elements(inner, Some(*base))?,
            TypeResolution::Value(_) => self.elements(inner, None)?,
        };
        let count = elements.count();
        let element = index.integer().map(|index| usize::try_from(index).ok().filter(|index| *index < count));
        // Where it is not known whether the program gets here, the element may be one that is never asked for.
        let element =
            if self.is_unsure() { element.map(|element| element.or(count.checked_sub(1))) } else { element };
        if element == Some(None) {
            let message =
                format!("there is no element {}: there are {count}", index.integer().unwrap_or_default());
            return self.stop(&codes::INDEX, message, format!("count from 0 to {}", count.saturating_sub(1)));
        }
        let element = element.flatten();
        let shape = match frame.info[whole].ty.inner_with(&self.module.types) {
            TypeInner::Pointer { base, .. } => self.shape(*base)?,
            TypeInner::ValuePointer { size, scalar, .. } => {
                Rc::new(Shape::of_vector(scalar.kind, size.map_or(1, |size| size as usize)))
            }
            _ => self.shape_in(frame, whole)?,
        };
        match (operand, element) {
            (Operand::Pointer(place), Some(element)) => {
                let first = place.first + elements.start(element);
                Ok(Operand::Pointer(Place { first, shape, ..place }))
            }
            (Operand::Pointer(mut place), None) => {
                place.steps.push(Element { index, size: shape.len(), count });
                Ok(Operand::Pointer(Place { shape, ..place }))
            }
            (Operand::Numbers(numbers), Some(element)) => {
                let part = numbers.iter().skip(elements.start(element)).take(shape.len());
                Ok(Operand::Numbers(part.copied().collect()))
            }
            (Operand::Numbers(numbers), None) => {
                let place = Place {
                    root: Root::Variable(0),
                    first: 0,
                    steps: vec![Element { index, size: shape.len(), count }],
                    shape,
                };
                Ok(Operand::Numbers(self.choose_element(&place, &numbers)?))
            }
            _ => self.unsupported("a texture has no elements"),
        }
    }

    /// The elements of a type; with its handle they are found once.
    fn elements(&self, inner: &TypeInner, ty: Option<Handle<Type>>) -> Step<Elements> {
        Ok(match inner {
            TypeInner::Vector { size, .. } => Elements::Alike { size: 1, count: *size as usize },
            TypeInner::Matrix { columns, rows, .. } => {
                Elements::Alike { size: *rows as usize, count: *columns as usize }
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                Elements::Alike { size: self.shape(*base)?.len(), count: count.get() as usize }
            }
            TypeInner::Struct { members, .. } => {
                let known = ty.and_then(|ty| self.members.borrow().get(&ty).cloned());
                if let Some(known) = known {
                    return Ok(Elements::Members(known));
                }
                let mut next = 0;
                let starts = members.iter().map(|member| {
                    let start = next;
                    next += self.shape(member.ty)?.len();
                    Ok(start)
                });
                let starts: Rc<[usize]> = starts.collect::<Step<_>>()?;
                if let Some(ty) = ty {
                    self.members.borrow_mut().insert(ty, starts.clone());
                }
                Elements::Members(starts)
            }
            _ => return self.unsupported("this has no elements"),
        })
    }

    /// What a pointer leads to.
    pub(super) fn load(&mut self, state: &State, place: &Place) -> Step<Numbers> {
        match place.root {
            Root::Variable(variable) => {
                let numbers = state.get(variable);
                if place.steps.is_empty() {
                    return Ok(part(numbers, place.first, place.shape.len()));
                }
                self.choose_element(place, numbers)
            }
            Root::Uniform(uniform) => self.load_uniform(uniform, place),
            Root::Unread => self.unsupported("no machine has such a variable"),
        }
    }

    /// One of several parts of what is known, by numbers that are not.
    fn choose_element(&mut self, place: &Place, numbers: &[Number]) -> Step<Numbers> {
        let Some(elements) = place.elements(&mut self.emit, MOST_CHOICES) else {
            return self.too_many_choices();
        };
        let mut chosen = Numbers::new();
        for (first, condition) in elements.into_iter().rev() {
            let own = part(numbers, first, place.shape.len());
            chosen = if chosen.is_empty() { own } else { choose(&mut self.emit, condition, &own, &chosen) };
        }
        Ok(chosen)
    }

    fn too_many_choices<T>(&self) -> Step<T> {
        self.stop(
            &codes::INDEX,
            format!("an element is chosen among more than {MOST_CHOICES}"),
            "only uniforms are indexed by the machine; elements of other arrays are chosen one by one",
        )
    }

    /// Numbers of a uniform, at registers that may only be known while the program runs.
    fn load_uniform(&mut self, uniform: usize, place: &Place) -> Step<Numbers> {
        let Some(registers) = self.registers.get(uniform).cloned() else { return Ok(Numbers::new()) };
        if place.steps.is_empty() {
            return Ok(uniform_part(&mut self.emit, &registers, place.first, place.shape.len(), None));
        }
        // The machine adds one number to that of a register: elements have to be whole registers apart.
        let stride = |step: &Element| {
            let (own, next) = (registers.get(place.first)?, registers.get(place.first + step.size));
            match next {
                Some(next) if next.1 == own.1 => Some(next.0 - own.0),
                Some(_) => None,
                // There is only one element.
                None => Some(1),
            }
        };
        let strides: Option<Vec<u16>> = place.steps.iter().map(stride).collect();
        let Some(strides) = strides else {
            let numbers = uniform_part(&mut self.emit, &registers, 0, registers.len(), None);
            return self.choose_element(place, &numbers);
        };
        let mut sum = vec![Number::Float(0.0)];
        for (step, stride) in place.steps.iter().zip(strides) {
            sum = self.emit.mad(&[step.index], &[Number::Float(stride.into())], &sum);
        }
        let index = self.emit.map1(Op1::ITrunc, &sum);
        let index = self.emit.gather(&index);
        Ok(uniform_part(&mut self.emit, &registers, place.first, place.shape.len(), Some(index)))
    }

    /// Writes numbers where a pointer leads to.
    pub(super) fn store(&mut self, state: &mut State, place: &Place, value: &[Number]) -> Step<()> {
        let Root::Variable(variable) = place.root else {
            return self.unsupported("uniforms cannot be written");
        };
        if place.steps.is_empty() {
            if let Some(numbers) = state.get_mut(variable) {
                for (at, number) in value.iter().enumerate() {
                    if let Some(own) = numbers.get_mut(place.first + at) {
                        *own = *number;
                    }
                }
            }
            return Ok(());
        }
        let Some(elements) = place.elements(&mut self.emit, MOST_CHOICES) else {
            return self.too_many_choices();
        };
        for (first, condition) in elements {
            let before = part(state.get(variable), first, value.len());
            let after = choose(&mut self.emit, condition, value, &before);
            if let Some(numbers) = state.get_mut(variable) {
                numbers.iter_mut().skip(first).zip(after).for_each(|(own, after)| *own = after);
            }
        }
        Ok(())
    }

    /// What makes a number unknown: the name of the first input, uniform or texture that it is computed from.
    pub(super) fn why_unknown(&self, number: Number) -> String {
        let Number::Lane(value, _) = number else { return "what is known".to_owned() };
        let mut seen = vec![false; value.index() + 1];
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            let inst = &self.emit.function.insts[value.index()];
            match inst {
                Inst::Input(number) => {
                    let name = self.inputs.get(usize::from(*number)).map_or("?", |input| &input.name);
                    return format!("the input `{name}`");
                }
                Inst::Uniform(number) => {
                    let is_it = |uniform: &&crate::shader::Uniform| {
                        (uniform.first..uniform.first + uniform.count).contains(number)
                    };
                    let name = self.uniforms.iter().find(is_it).map_or("?", |uniform| &uniform.name);
                    return format!("the uniform `{name}`");
                }
                Inst::Sample(..) => return "a texture".to_owned(),
                _ => open.extend(inst.operands()),
            }
        }
        "what is computed".to_owned()
    }
}

fn part(numbers: &[Number], first: usize, count: usize) -> Numbers {
    (first..first + count).map(|at| numbers.get(at).copied().unwrap_or(Number::Nothing)).collect()
}

/// Some numbers of a uniform, in registers that `index` is added to.
fn uniform_part(
    emit: &mut Emit,
    registers: &[(u16, u8)],
    first: usize,
    count: usize,
    index: Option<gpuzoo_ir::Value>,
) -> Numbers {
    // Only an index asks for it.
    let ends = registers.iter().filter(|_| index.is_some()).map(|(register, _)| register + 1);
    let end = ends.max().unwrap_or(0);
    let mut last = None;
    let mut all = Numbers::new();
    for (register, component) in registers.iter().skip(first).take(count) {
        let value = match last {
            Some((known, value)) if known == *register => value,
            _ => match index {
                Some(index) => emit.push(Inst::UniformAt { index, base: (*register).into(), count: end }),
                None => emit.push(Inst::Uniform(*register)),
            },
        };
        last = Some((*register, value));
        all.push(Number::Lane(value, *component));
    }
    all
}
