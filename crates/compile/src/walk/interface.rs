//! What goes in and out: entry points, their arguments and results, uniforms and textures.

use super::memory::State;
use super::number::{Number, Numbers};
use super::types::{Shape, name, offsets};
use super::unused::unread;
use super::{Operand, Step, Walk, codes};
use crate::shader::{MOST_TEXTURES, Uniform, Variable};
use gpuzoo_diag::{Diagnostic, Span, suggest};
use gpuzoo_ir::{Inst, Op1, Op2};
use gpuzoo_isa::{Mask, MatrixOrder, Stage};
use gpuzoo_machine::target::conventions::Port;
use naga::valid::FunctionInfo;
use naga::{
    AddressSpace, ArraySize, Binding, BuiltIn, EntryPoint, Expression, Handle, ImageClass, ImageDimension,
    Interpolation, Module, ScalarKind, ShaderStage, TypeInner,
};
use std::ops::Range;
use std::rc::Rc;

/// Which function of a module is compiled, and how.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Its name, where there are several.
    pub entry: Option<String>,
    /// The stage it is for, where there are several.
    pub stage: Option<Stage>,
    /// True if positions are in clip space, as WGSL, GLSL and SPIR-V have it.
    pub clip_space: bool,
    /// The first registers of uniforms that say so themselves, by binding.
    pub registers: Vec<(u32, u16)>,
}

/// A global variable.
pub(super) enum Global {
    /// One that can be written.
    Variable(usize, Rc<Shape>),
    /// A uniform, by its place among all.
    Uniform(usize, Rc<Shape>),
    /// A uniform that this entry point does not read. Texts in GLSL point to it nevertheless, if it is in a block without a name.
    Unread(Rc<Shape>),
    /// A texture, by its unit.
    Texture(u8),
    /// A sampler: the machine's units have their own.
    Sampler,
}

/// An input that no machine has.
pub(super) struct Absent {
    /// What it is called in the function.
    pub number: u16,
    /// What is wrong if it is read.
    pub problem: Diagnostic,
    /// What is said if it is not.
    pub unread: Option<Diagnostic>,
}

/// True for a texture of the kind that machines have.
fn is_texture(module: &Module, global: &naga::GlobalVariable) -> bool {
    let class = |class: &ImageClass| matches!(class, ImageClass::Sampled { multi: false, .. });
    global.space == AddressSpace::Handle
        && matches!(&module.types[global.ty].inner,
            TypeInner::Image { dim: ImageDimension::D2, arrayed: false, class: own } if class(own))
}

/// The stage of an entry point, if a machine can have it.
fn stage_of(stage: ShaderStage) -> Option<Stage> {
    match stage {
        ShaderStage::Vertex => Some(Stage::Vertex),
        ShaderStage::Fragment => Some(Stage::Fragment),
        _ => None,
    }
}

fn runs_for(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertices",
        Stage::Fragment => "fragments",
    }
}

/// The entry point that is meant, and its number.
pub(super) fn entry<'a>(
    module: &'a Module,
    selection: &Selection,
    whole: Span,
) -> Result<(usize, &'a EntryPoint), Diagnostic> {
    let all: Vec<(usize, &EntryPoint)> =
        module.entry_points.iter().enumerate().filter(|(_, entry)| stage_of(entry.stage).is_some()).collect();
    let fits = |entry: &EntryPoint| {
        selection.entry.as_ref().is_none_or(|name| *name == entry.name)
            && selection.stage.is_none_or(|stage| stage_of(entry.stage) == Some(stage))
    };
    let found: Vec<_> = all.iter().filter(|(_, entry)| fits(entry)).collect();
    if let [(number, entry)] = found[..] {
        return Ok((*number, entry));
    }
    // A text with both stages is asked for its vertices, unless it is said otherwise.
    let mut vertices = found.iter().filter(|(_, entry)| entry.stage == ShaderStage::Vertex);
    if let (Some((number, entry)), None) = (vertices.next(), vertices.next())
        && selection.stage.is_none()
    {
        return Ok((*number, entry));
    }
    let names: Vec<String> = all.iter().map(|(_, entry)| format!("`{}`", entry.name)).collect();
    let named = all.iter().find(|(_, entry)| selection.entry.as_ref() == Some(&entry.name));
    if let (Some((_, entry)), Some(asked), true) = (named, selection.stage, found.is_empty()) {
        let own = runs_for(stage_of(entry.stage).unwrap_or(asked));
        let message =
            format!("`{}` is for {own}, and what is asked for is for {}", entry.name, runs_for(asked));
        let problem = Diagnostic::error(&codes::ENTRY, message).at(whole);
        return Err(problem.help("leave `--stage` out: the entry point says it"));
    }
    let message = match (&selection.entry, selection.stage, found.is_empty()) {
        (Some(name), _, true) => format!("there is no entry point `{name}`"),
        (None, Some(stage), true) => format!("there is no entry point for {}", runs_for(stage)),
        (None, None, true) => "there is no entry point for vertices or fragments".to_owned(),
        (_, _, false) => format!("it is not clear which entry point is meant: {}", names.join(", ")),
    };
    let problem = Diagnostic::error(&codes::ENTRY, message).at(whole);
    let nearest = selection
        .entry
        .as_ref()
        .and_then(|name| suggest::nearest(name, all.iter().map(|(_, entry)| entry.name.as_str())));
    Err(match (nearest, names.is_empty()) {
        (Some(nearest), _) => problem.help(format!("did you mean `{nearest}`?")),
        (None, true) => problem
            .help("mark a function with `@vertex` or `@fragment`, or call it `main` where the language does"),
        (None, false) => problem.help(format!("there are {}; `--entry` says which", names.join(", "))),
    })
}

impl<'a> Walk<'a> {
    /// Walks an entry point: its stage and its outputs.
    pub(super) fn entry(
        &mut self,
        entry: &'a EntryPoint,
        info: &'a FunctionInfo,
    ) -> Step<(Stage, Vec<Variable>)> {
        let stage = stage_of(entry.stage).unwrap_or_default();
        self.stage = stage;
        let mut state = State::default();
        let module = self.module;
        let is_read = |own: &(Handle<naga::GlobalVariable>, &naga::GlobalVariable)| {
            !info[own.0].is_empty() && is_texture(module, own.1)
        };
        let mut textures: Vec<_> = module.global_variables.iter().filter(is_read).collect();
        textures.sort_by_key(|(_, global)| {
            global.binding.map_or((u32::MAX, u32::MAX), |own| (own.group, own.binding))
        });
        self.textures = textures.into_iter().map(|(handle, _)| handle).collect();
        for (handle, global) in module.global_variables.iter() {
            self.at(module.global_variables.get_span(handle));
            if info[handle].is_empty() {
                self.leave_out(handle, global);
                continue;
            }
            self.declare(handle, global, &mut state)?;
        }
        self.place_uniforms()?;
        let mut arguments = Vec::new();
        for argument in &entry.function.arguments {
            let mut numbers = Numbers::new();
            let name = argument.name.as_deref().unwrap_or("?");
            self.at_argument(&entry.function, arguments.len(), name);
            self.take(stage, name, argument.binding.as_ref(), argument.ty, &mut numbers)?;
            arguments.push(Operand::Numbers(numbers));
        }
        let (result, _) = self.call(&entry.function, info, arguments, state)?;
        let mut outputs = Vec::new();
        if let Some(own) = &entry.function.result {
            let mut numbers = result.unwrap_or_default().into_iter();
            self.returned = returned(module, &entry.function);
            let name = self.returned.first().copied().flatten().unwrap_or("result");
            self.give(name, own.binding.as_ref(), own.ty, &mut numbers, &mut outputs)?;
        }
        Ok((stage, outputs))
    }

    /// Leaves out what this entry point does not use. What none uses is warned of.
    fn leave_out(&mut self, handle: Handle<naga::GlobalVariable>, global: &naga::GlobalVariable) {
        if !matches!(global.space, AddressSpace::Uniform | AddressSpace::Immediate) {
            return;
        }
        if let Some(shape) = Shape::of(self.module, global.ty) {
            self.globals.insert(handle, Global::Unread(Rc::new(shape)));
        }
        let entries = 0..self.module.entry_points.len();
        let is_used = entries.into_iter().any(|entry| !self.info.get_entry_point(entry)[handle].is_empty());
        if is_used {
            return;
        }
        match (&global.name, &self.module.types[global.ty].inner) {
            (None, TypeInner::Struct { members, .. }) => {
                let named = members.iter().filter_map(|member| member.name.as_deref());
                let all = named.map(|name| {
                    self.at_member(global.ty, name);
                    (name.to_owned(), self.emit.span())
                });
                let all: Vec<_> = all.collect();
                self.problems.extend(unread("uniform", &all));
            }
            (name, _) => {
                let name = name.as_deref().unwrap_or("?").to_owned();
                self.problems.extend(unread("uniform", &[(name, self.emit.span())]));
            }
        }
    }

    fn declare(
        &mut self,
        handle: Handle<naga::GlobalVariable>,
        global: &naga::GlobalVariable,
        state: &mut State,
    ) -> Step<()> {
        let inner = &self.module.types[global.ty].inner;
        let own = match (global.space, inner) {
            (AddressSpace::Private, _) => {
                let shape = self.shape(global.ty)?;
                let numbers = match global.init {
                    Some(init) => self.global_numbers(init)?,
                    None => vec![Number::Nothing; shape.len()],
                };
                self.keep(numbers.len())?;
                Global::Variable(state.add(numbers), shape)
            }
            (AddressSpace::Uniform | AddressSpace::Immediate, _) => {
                // Places are given when all of them are known.
                let shape = self.shape(global.ty)?;
                self.keep(shape.len())?;
                self.registers.push(Rc::default());
                Global::Uniform(self.registers.len() - 1, shape)
            }
            _ if is_texture(self.module, global) => {
                if self.textures.len() > usize::from(MOST_TEXTURES) {
                    let help = format!("there may be {MOST_TEXTURES}");
                    return self.stop(&codes::RESOURCE, "there are more textures than any machine has", help);
                }
                let unit = self.textures.iter().position(|own| *own == handle).unwrap_or_default();
                Global::Texture(unit as u8)
            }
            (AddressSpace::Handle, TypeInner::Sampler { comparison: false }) => Global::Sampler,
            (AddressSpace::Storage { .. }, _) => {
                let name = global.name.as_deref().unwrap_or("this resource");
                let message = format!("no machine has storage buffers: `{name}` is one");
                let help = "make it a uniform, with a length where it is an array: `var<uniform> bones: array<mat4x4f, 20>`";
                return self.stop(&codes::RESOURCE, message, help);
            }
            _ => {
                return self.stop(
                    &codes::RESOURCE,
                    format!("no machine has `{}`", global.name.as_deref().unwrap_or("this resource")),
                    "use uniform buffers and two-dimensional textures",
                );
            }
        };
        self.globals.insert(handle, own);
        Ok(())
    }

    /// Gives all uniforms their registers: those that the source says, the others from the first on that are free, in the order of
    /// groups and bindings. A register has four words.
    fn place_uniforms(&mut self) -> Step<()> {
        let module = self.module;
        let mut order: Vec<_> = module.global_variables.iter().collect();
        order.sort_by_key(|(_, global)| global.binding.map(|binding| (binding.group, binding.binding)));
        // Those that have a say come first.
        let said = |global: &naga::GlobalVariable| {
            let binding = global.binding.map(|binding| binding.binding)?;
            self.said.iter().find(|(own, _)| *own == binding).map(|(_, register)| u32::from(*register))
        };
        order.sort_by_key(|(_, global)| said(global).is_none());
        let order: Vec<_> =
            order.into_iter().map(|(handle, global)| (handle, global, said(global))).collect();
        let mut taken: Vec<Range<u32>> = Vec::new();
        for (handle, global, said) in order {
            let Some(Global::Uniform(at, _)) = self.globals.get(&handle) else { continue };
            let at = *at;
            self.at(module.global_variables.get_span(handle));
            let inner = &module.types[global.ty].inner;
            let mut bytes = Vec::new();
            let fits = offsets(module, inner, 0, &mut bytes);
            let end = bytes.iter().max().map_or(0, |last| last / 16 + 1);
            let is_free = |first: u32| taken.iter().all(|own| first >= own.end || first + end <= own.start);
            let after = taken.iter().map(|own| own.end).filter(|first| is_free(*first)).min().unwrap_or(0);
            let next = said.unwrap_or(if is_free(0) { 0 } else { after });
            if !is_free(next) {
                return self.stop(
                    &codes::RESOURCE,
                    "another uniform is in these registers",
                    "give it other registers, or leave the choice to the compiler",
                );
            }
            taken.push(next..next + end);
            if fits.is_none() || next + end > u16::MAX.into() {
                return self.stop(
                    &codes::TYPE,
                    "the uniform does not fit into registers",
                    "a register has four 32-bit numbers",
                );
            }
            let place = |byte: &u32| ((next + byte / 16) as u16, (byte % 16 / 4) as u8);
            self.registers[at] = bytes.iter().map(place).collect();
            self.list(at, global.name.clone().unwrap_or_default(), global.ty, &mut 0)?;
        }
        self.uniforms.sort_by_key(|uniform| uniform.first);
        Ok(())
    }

    /// Lists a uniform: the numbers of a global from one on. Members of structs are uniforms of their own, and so are elements of arrays
    /// that are not vectors (`lights[1].color`, `bones[1]`), and columns that share registers.
    fn list(&mut self, at: usize, own: String, ty: Handle<naga::Type>, first: &mut usize) -> Step<()> {
        let module = self.module;
        match &module.types[ty].inner {
            TypeInner::Struct { members, .. } => {
                for member in members {
                    self.at_member(ty, member.name.as_deref().unwrap_or("?"));
                    // Writers of SPIR-V put each uniform into a struct, whose one member has no name.
                    let name = match (&member.name, own.is_empty()) {
                        (Some(member), true) => member.clone(),
                        (Some(member), false) => format!("{own}.{member}"),
                        (None, _) => own.clone(),
                    };
                    self.list(at, name, member.ty, first)?;
                }
                return Ok(());
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), .. }
                if !matches!(module.types[*base].inner, TypeInner::Scalar(_) | TypeInner::Vector { .. }) =>
            {
                return (0..count.get())
                    .try_for_each(|element| self.list(at, format!("{own}[{element}]"), *base, first));
            }
            _ => {}
        }
        let shape = self.shape(ty)?;
        let inner = &module.types[ty].inner;
        let (ty, matrix) = (name(module, inner), matches!(inner, TypeInner::Matrix { .. }));
        let matrix = matrix.then_some(MatrixOrder::Columns);
        let vectors: Vec<(u16, Mask)> = shape
            .vectors
            .iter()
            .filter_map(|(_, length)| {
                let places = self.registers[at].get(*first..*first + length)?;
                *first += length;
                let mask = places.iter().fold(0, |mask, (_, component)| mask | 1 << component);
                Some((places.first()?.0, Mask(mask)))
            })
            .collect();
        let [(low, mask), ..] = vectors[..] else { return Ok(()) };
        let span = self.emit.span();
        let values = Vec::new();
        if (low..).zip(&vectors).all(|(register, own)| *own == (register, mask)) {
            let count = vectors.len() as u16;
            self.uniforms.push(Uniform { name: own, first: low, count, ty, mask, matrix, values, span });
            return Ok(());
        }
        for (column, (first, mask)) in vectors.into_iter().enumerate() {
            let (name, ty) = (format!("{own}[{column}]"), format!("vec{}<f32>", mask.0.count_ones()));
            self.uniforms.push(Uniform {
                name,
                first,
                count: 1,
                ty,
                mask,
                matrix: None,
                values: Vec::new(),
                span,
            });
        }
        Ok(())
    }

    /// The text where a global variable of a name is declared, as GLSL declares inputs and outputs.
    fn at_global(&mut self, name: &str) {
        let all = &self.module.global_variables;
        if let Some((handle, _)) = all.iter().find(|(_, global)| global.name.as_deref() == Some(name)) {
            self.at(all.get_span(handle));
        }
    }

    /// The text where an argument is declared: where its value is said to come from, or, in GLSL, the global variable of its name.
    fn at_argument(&mut self, function: &naga::Function, number: usize, name: &str) {
        let is_own = |expression: &Expression| matches!(expression, Expression::FunctionArgument(own) if *own as usize == number);
        if let Some((handle, _)) = function.expressions.iter().find(|(_, expression)| is_own(expression)) {
            self.at(function.expressions.get_span(handle));
        }
        self.at_global(name);
    }

    /// Makes an argument of inputs.
    fn take(
        &mut self,
        stage: Stage,
        name: &str,
        binding: Option<&Binding>,
        ty: Handle<naga::Type>,
        numbers: &mut Numbers,
    ) -> Step<()> {
        let module = self.module;
        let inner = &module.types[ty].inner;
        if let (None, TypeInner::Struct { members, .. }) = (binding, inner) {
            return members.iter().try_for_each(|member| {
                let name = member.name.as_deref().unwrap_or("?");
                self.at_member(ty, name);
                self.take(stage, name, member.binding.as_ref(), member.ty, numbers)
            });
        }
        let port = match binding {
            Some(Binding::Location { location, .. }) => u16::try_from(*location).ok().map(Port::Location),
            Some(Binding::BuiltIn(BuiltIn::Position { .. })) if stage == Stage::Fragment => {
                Some(Port::Position)
            }
            _ => None,
        };
        let shape = self.shape(ty)?;
        let (Some(port), [(_, length)]) = (port, &shape.vectors[..]) else {
            let help = match binding {
                Some(Binding::BuiltIn(BuiltIn::VertexIndex | BuiltIn::InstanceIndex)) => {
                    "machines do not count vertices and instances: pass the number as an attribute"
                }
                Some(Binding::BuiltIn(BuiltIn::FrontFacing)) => {
                    "no machine says which side is seen: leave one out when drawing, or draw each by itself"
                }
                _ => {
                    "vertex programs take attributes at locations, fragment programs varyings and their position; matrices are taken column by column"
                }
            };
            let problem = Diagnostic::error(&codes::PORT, format!("no machine has the input `{name}`"));
            let problem = problem.at(self.emit.span()).help(help);
            let (Some(Binding::BuiltIn(_)), [(_, length)]) = (binding, &shape.vectors[..]) else {
                return Err(Box::new(problem));
            };
            // It may be declared alone: writers of SPIR-V list what a program could read.
            let number = u16::MAX - self.absent.len() as u16;
            let value = self.emit.push(Inst::Input(number));
            numbers.extend((0..*length).map(|component| Number::Lane(value, component as u8)));
            let unread = unread("input", &[(name.to_owned(), self.emit.span())]);
            self.absent.push(Absent { number, problem, unread });
            return Ok(());
        };
        let number = self.inputs.len() as u16;
        let mask = Mask(((1u16 << length) - 1) as u8);
        self.inputs.push(Variable { port, name: name.to_owned(), mask, span: self.emit.span() });
        let value = self.emit.push(Inst::Input(number));
        let mut own: Numbers = (0..*length).map(|component| Number::Lane(value, component as u8)).collect();
        if stage == Stage::Fragment {
            self.interpolated(name, binding);
            if matches!(shape.kind(), ScalarKind::Sint | ScalarKind::Uint) {
                let half = vec![Number::Float(0.5); own.len()];
                let above = self.emit.map2(Op2::FAdd, &own, &half);
                own = self.emit.map1(Op1::FFloor, &above);
            }
        }
        numbers.extend(own);
        Ok(())
    }

    /// Warns of a varying that is to be flat, or without perspective.
    fn interpolated(&mut self, name: &str, binding: Option<&Binding>) {
        let Some(Binding::Location { interpolation, .. }) = binding else { return };
        let (what, help) = match interpolation {
            Some(Interpolation::Flat) => ("flat", "let all vertices of a triangle give the same"),
            Some(Interpolation::Linear) => (
                "without perspective",
                "multiply it by w for each vertex, and divide it by the interpolated w",
            ),
            _ => return,
        };
        let message = format!("`{name}` is said to be {what}, and is interpolated with perspective");
        let problem = Diagnostic::warning(&codes::INTERPOLATED, message).at(self.emit.span());
        self.problems.push(problem.help(help));
    }

    /// Makes outputs of a result.
    fn give(
        &mut self,
        name: &str,
        binding: Option<&Binding>,
        ty: Handle<naga::Type>,
        numbers: &mut dyn Iterator<Item = Number>,
        outputs: &mut Vec<Variable>,
    ) -> Step<()> {
        let module = self.module;
        let inner = &module.types[ty].inner;
        if let (None, TypeInner::Struct { members, .. }) = (binding, inner) {
            return members.iter().enumerate().try_for_each(|(at, member)| {
                let known = self.returned.get(at).copied().flatten();
                let name = member.name.as_deref().or(known).unwrap_or("?");
                self.at_member(ty, name);
                self.give(name, member.binding.as_ref(), member.ty, numbers, outputs)
            });
        }
        let port = match binding {
            Some(Binding::Location { location, .. }) => u16::try_from(*location).ok().map(Port::Location),
            Some(Binding::BuiltIn(BuiltIn::Position { .. })) => Some(Port::Position),
            Some(Binding::BuiltIn(BuiltIn::PointSize)) => Some(Port::PointSize),
            Some(Binding::BuiltIn(BuiltIn::FragDepth)) => Some(Port::Depth),
            _ => None,
        };
        let shape = self.shape(ty)?;
        let (Some(port), [(_, length)]) = (port, &shape.vectors[..]) else {
            return self.stop(
                &codes::PORT,
                format!("no machine has the output `{name}`"),
                "programs give a position, a point size, a depth, and vectors at locations",
            );
        };
        let own: Numbers = numbers.take(*length).collect();
        self.at_global(name);
        if own.iter().all(|number| *number == Number::Nothing) {
            // GLSL and Cg let programs leave what they declare unwritten.
            let message = format!("nothing is written to the output `{name}`");
            let problem = Diagnostic::warning(&codes::UNWRITTEN, message).at(self.emit.span());
            // Every text in GLSL has the built-in ones.
            if !name.starts_with("gl_") {
                self.unwritten.push(problem.help("write it, or leave it out"));
            }
            return Ok(());
        }
        let value = self.emit.gather(&own);
        self.emit.function.outputs.push((outputs.len() as u16, value));
        let mask = Mask(((1u16 << length) - 1) as u8);
        outputs.push(Variable { port, name: name.to_owned(), mask, span: self.emit.span() });
        Ok(())
    }
}

/// The variables whose values a function gives back, as the entry points do that naga makes of SPIR-V: its results have no names
/// of their own.
fn returned<'a>(module: &'a Module, function: &'a naga::Function) -> Vec<Option<&'a str>> {
    let Some(naga::Statement::Return { value: Some(value) }) = function.body.last() else {
        return Vec::new();
    };
    let name = |value: &Handle<Expression>| {
        let Expression::Load { pointer } = &function.expressions[*value] else { return None };
        match &function.expressions[*pointer] {
            Expression::GlobalVariable(handle) => module.global_variables[*handle].name.as_deref(),
            _ => None,
        }
    };
    match &function.expressions[*value] {
        Expression::Compose { components, .. } => components.iter().map(name).collect(),
        _ => vec![name(value)],
    }
}
