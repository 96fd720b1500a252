//! From the tree to naga's module: names get their meaning, expressions their types.

mod builtins;
mod calls;
mod constants;
mod construct;
mod convert;
mod entry;
mod expressions;
mod first;
mod functions;
mod globals;
mod operators;
mod products;
mod statements;
mod switch;
mod swizzle;
mod targets;
mod values;
mod varyings;
mod writer;

use super::codes::{CONSTANT, LIMIT, TYPE, UNKNOWN_NAME, UNSUPPORTED};
use super::parser::too_deep;
use super::preprocess::MAX_PROBLEMS;
use super::tree::{Expr, Name, TypeName, Unit};
use super::types::{self, Base, Field, Numeric, Shape, StructType, Type};
use crate::front::cg::{Places, Program, Uniform};
use functions::{Signature, State};
use globals::Global;
use gpuzoo_diag::suggest::{MAX_SEARCHES, nearest};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::Failed;
use naga::{Handle, StructMember, TypeInner};
use rustc_hash::FxHashMap as HashMap;
use std::num::NonZeroU32;
use std::rc::Rc;

/// How deep expressions, statements and calls may be nested in one another, functions that are called included.
const MAX_NESTED: usize = 112;
/// The largest type, in bytes: far more than any machine has constants.
const MAX_BYTES: u32 = 1 << 20;
/// How many fields a struct may have, and how many functions a name.
const MAX_OF_NAME: usize = 256;

/// Makes a module of the entry point and what it calls; nothing if that cannot be done, which is reported. `whole` is the source.
pub fn lower(
    unit: &Unit,
    entry: &str,
    whole: Span,
    places: Places,
    problems: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let mut lowering = Lowering {
        unit,
        whole,
        places,
        module: naga::Module::default(),
        problems,
        structs: HashMap::default(),
        globals: HashMap::default(),
        typedefs: HashMap::default(),
        declared: HashMap::default(),
        functions: HashMap::default(),
        signatures: HashMap::default(),
        done: HashMap::default(),
        uniforms: Vec::new(),
        depth: 0,
        searches: 0,
        outputs: Vec::new(),
        errors: 0,
        warnings: 0,
    };
    lowering.declare();
    lowering.entry(entry).ok()?;
    let Lowering { module, uniforms, outputs, places, .. } = lowering;
    Some(Program { module, places, uniforms, outputs, warnings: Vec::new() })
}

/// A module that is being made.
struct Lowering<'a> {
    unit: &'a Unit,
    whole: Span,
    places: Places,
    module: naga::Module,
    problems: &'a mut Vec<Diagnostic>,
    /// Structs that were used; nothing for one of which the fields are being found.
    structs: HashMap<Rc<str>, Option<Type>>,
    globals: HashMap<Rc<str>, Global>,
    /// Places of other names of types in the unit, and of structs, by their names.
    typedefs: HashMap<Rc<str>, usize>,
    declared: HashMap<Rc<str>, usize>,
    /// Places of functions in the unit, by their names.
    functions: HashMap<Rc<str>, Vec<usize>>,
    signatures: HashMap<usize, Rc<Signature>>,
    /// Functions that were called.
    done: HashMap<usize, State>,
    uniforms: Vec<Uniform>,
    /// How deep what is being lowered is nested.
    depth: usize,
    /// How often near names were looked for.
    searches: usize,
    /// How many errors there were.
    errors: usize,
    /// Where outputs are declared.
    outputs: Vec<(String, Span)>,
    /// How many warnings there were.
    warnings: usize,
}

impl<'a> Lowering<'a> {
    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.report(problem);
        Err(Failed)
    }

    /// Adds a problem, unless there are too many of its severity.
    fn report(&mut self, problem: Diagnostic) {
        let is_error = problem.severity == Severity::Error;
        let count = if is_error { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        if *count <= MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Names that are used in the whole source.
    fn declare(&mut self) {
        for (at, function) in self.unit.functions.iter().enumerate() {
            let all = self.functions.entry(function.name.text.clone()).or_default();
            all.push(at);
            if all.len() == MAX_OF_NAME + 1 {
                let message = format!("there are more than {MAX_OF_NAME} functions `{}`", function.name.text);
                let problem = Diagnostic::error(&LIMIT, message).at(function.name.span);
                self.report(problem.help("give them different names"));
            }
        }
        for (at, typedef) in self.unit.typedefs.iter().enumerate() {
            self.typedefs.entry(typedef.name.text.clone()).or_insert(at);
        }
        for (at, of) in self.unit.structs.iter().enumerate() {
            self.declared.entry(of.name.text.clone()).or_insert(at);
        }
        for global in &self.unit.globals {
            // What is wrong has been reported.
            let _ = self.global(global);
        }
    }

    /// True if a near name may be looked for, which is not done again and again in long sources.
    fn seeks(&mut self) -> bool {
        self.searches += 1;
        self.searches <= MAX_SEARCHES
    }

    /// Fails where a name has no meaning; a near one among the `known` is offered.
    fn unknown<T>(&mut self, what: &str, name: &Name, mut known: Vec<Rc<str>>) -> Result<T, Failed> {
        let problem = Diagnostic::error(&UNKNOWN_NAME, format!("there is no {what} `{}`", name.text));
        let problem = problem.label(name.span, "not declared");
        if let Some(own) = of_other_languages(&name.text) {
            return self.fail(problem.did_you_mean(own, name.span, own));
        }
        known.sort_unstable();
        let problem = match nearest(&name.text, known.iter().map(|known| &**known)) {
            Some(near) => problem.did_you_mean(near, name.span, near),
            None => problem.help(format!("declare the {what} before it is used")),
        };
        self.fail(problem)
    }

    /// Does something one level deeper.
    fn enter(&mut self, span: Span) -> Result<(), Failed> {
        if self.depth >= MAX_NESTED {
            return self.fail(too_deep(span));
        }
        self.depth += 1;
        Ok(())
    }

    /// The type that a name stands for; `constant` knows the values of constants.
    fn resolve(&mut self, ty: &TypeName, constant: &dyn Fn(&str) -> Option<i64>) -> Result<Type, Failed> {
        let mut of = self.named(&ty.name, constant)?;
        for size in ty.sizes.iter().rev() {
            let Some(size) = size else {
                let problem = Diagnostic::error(&CONSTANT, "the array needs a size").at(ty.name.span);
                return self.fail(problem.help("write it in the brackets: `float4 a[4]`"));
            };
            let count = self.size(size, constant)?;
            of = self.array(of, count, size.span)?;
        }
        Ok(of)
    }

    /// So many elements of a type.
    fn array(&mut self, of: Type, count: u32, span: Span) -> Result<Type, Failed> {
        if matches!(of, Type::Opaque(_)) {
            return Ok(of);
        }
        if matches!(of, Type::Void) {
            let problem = Diagnostic::error(&TYPE, format!("there are no arrays of `{of}`")).at(span);
            return self.fail(problem.help("arrays have numbers or structs"));
        }
        self.fits_in(&of, span)?;
        let bytes = of.stride().saturating_mul(count);
        if bytes > MAX_BYTES {
            let message = format!("the array takes more than {MAX_BYTES} bytes");
            return self.fail(Diagnostic::error(&LIMIT, message).at(span));
        }
        Ok(Type::Array(Rc::new(of), count))
    }

    /// Fails if a type is too deep to be part of another one.
    fn fits_in(&mut self, of: &Type, span: Span) -> Result<(), Failed> {
        if of.depth() < types::MAX_DEPTH {
            return Ok(());
        }
        let message = format!("types are made of one another more than {} deep", types::MAX_DEPTH);
        self.fail(
            Diagnostic::error(&LIMIT, message)
                .at(span)
                .help("use fewer dimensions, or put fields side by side"),
        )
    }

    /// The size of an array.
    fn size(&mut self, size: &Expr, constant: &dyn Fn(&str) -> Option<i64>) -> Result<u32, Failed> {
        let globals = &self.globals;
        let known = |name: &str| constant(name).or_else(|| globals.get(name)?.constant);
        match constants::integer(size, &known).map(u32::try_from) {
            Some(Ok(count)) if count > 0 => Ok(count),
            Some(_) => {
                let problem = Diagnostic::error(&CONSTANT, "arrays have at least one element").at(size.span);
                self.fail(problem.help("write a size of 1 or more"))
            }
            None => {
                let problem = Diagnostic::error(&CONSTANT, "the size is not a constant").at(size.span);
                self.fail(problem.help("sizes are integers, or `static const int` variables"))
            }
        }
    }

    fn named(&mut self, name: &Name, constant: &dyn Fn(&str) -> Option<i64>) -> Result<Type, Failed> {
        match types::named(&name.text) {
            Some(Type::Numeric(Numeric { base: Base::Bool | Base::Int, shape: Shape::Matrix(..) })) => {
                let problem = Diagnostic::error(&UNSUPPORTED, format!("`{}` is not supported", name.text));
                return self.fail(problem.at(name.span).help("matrices have floats"));
            }
            Some(ty) => return Ok(ty),
            None => {}
        }
        let unit = self.unit;
        if let Some(found) = self.typedefs.get(&name.text).and_then(|at| unit.typedefs.get(*at)) {
            self.enter(name.span)?;
            let ty = self.resolve(&found.ty, constant);
            self.depth -= 1;
            return ty;
        }
        if let Some(known) = self.structs.get(&name.text) {
            return match known {
                Some(known) => Ok(known.clone()),
                None => {
                    let message = format!("`{}` contains itself", name.text);
                    self.fail(Diagnostic::error(&TYPE, message).at(name.span))
                }
            };
        }
        let Some(found) = self.declared.get(&name.text).and_then(|at| unit.structs.get(*at)) else {
            let mut known = Vec::new();
            if self.seeks() {
                known.extend(types::NAMES.iter().map(|name| Rc::from(*name)));
                known.extend(self.typedefs.keys().chain(self.declared.keys()).cloned());
            }
            return self.unknown("type", name, known);
        };
        self.structs.insert(name.text.clone(), None);
        self.enter(name.span)?;
        let made = self.structure(found, constant);
        self.depth -= 1;
        match made {
            Ok(made) => {
                self.structs.insert(name.text.clone(), Some(made.clone()));
                Ok(made)
            }
            Err(Failed) => {
                self.structs.remove(&name.text);
                Err(Failed)
            }
        }
    }

    fn structure(
        &mut self,
        of: &super::tree::Struct,
        constant: &dyn Fn(&str) -> Option<i64>,
    ) -> Result<Type, Failed> {
        if of.fields.is_empty() {
            let problem = Diagnostic::error(&TYPE, format!("`{}` has no fields", of.name.text));
            return self.fail(problem.at(of.name.span).help("give it a field, or do without it"));
        }
        if of.fields.len() > MAX_OF_NAME {
            let message = format!("`{}` has more than {MAX_OF_NAME} fields", of.name.text);
            let problem = Diagnostic::error(&LIMIT, message).at(of.name.span);
            return self.fail(problem.help("put some of them into arrays"));
        }
        let (mut fields, mut textures) = (Vec::<Field>::new(), Vec::new());
        let (mut members, mut offset) = (Vec::new(), 0_u32);
        for field in &of.fields {
            if let Some(other) = fields.iter().find(|other| other.name == field.name.text) {
                let other = other.span;
                return self.fail(globals::twice(&field.name, other));
            }
            let ty = self.resolve(&field.ty, constant)?;
            if matches!(ty, Type::Opaque(_)) {
                textures.push(field.name.text.clone());
                continue;
            }
            self.fits_in(&ty, field.name.span)?;
            let handle = self.handle(&ty, field.name.span)?;
            let name = Some(field.name.text.to_string());
            members.push(StructMember { name, ty: handle, binding: None, offset });
            offset = offset.saturating_add(ty.stride());
            if offset > MAX_BYTES {
                let message = format!("the struct takes more than {MAX_BYTES} bytes");
                return self.fail(Diagnostic::error(&LIMIT, message).at(field.name.span));
            }
            let (name, span) = (field.name.text.clone(), field.name.span);
            let (semantics, is_uniform) = (field.semantics.clone(), field.qualifiers.is_uniform);
            fields.push(Field { name, ty, semantics, is_uniform, span });
        }
        if members.is_empty() {
            return Ok(Type::Opaque(of.name.text.clone()));
        }
        let depth = 1 + fields.iter().map(|field| field.ty.depth()).max().unwrap_or(0);
        let inner = TypeInner::Struct { members, span: offset };
        let handle = self.insert(Some(of.name.text.to_string()), inner, of.name.span);
        let name = of.name.text.clone();
        Ok(Type::Struct(Rc::new(StructType { name, fields, textures, handle, size: offset, depth })))
    }

    fn insert(&mut self, name: Option<String>, inner: TypeInner, span: Span) -> Handle<naga::Type> {
        self.module.types.insert(naga::Type { name, inner }, self.places.to_naga(span))
    }

    /// What stands for a type; a type without values is reported.
    fn handle(&mut self, ty: &Type, span: Span) -> Result<Handle<naga::Type>, Failed> {
        let inner = match ty {
            Type::Numeric(numeric) => numeric.inner(),
            Type::Struct(of) => return Ok(of.handle),
            Type::Array(of, count) => {
                let base = self.handle(of, span)?;
                let Some(count) = NonZeroU32::new(*count) else { return Err(Failed) };
                TypeInner::Array { base, size: naga::ArraySize::Constant(count), stride: of.stride() }
            }
            Type::Void => {
                let problem = Diagnostic::error(&TYPE, "there are no values of `void`").at(span);
                return self.fail(problem.help("`void` is for functions that give nothing"));
            }
            Type::Opaque(name) => return self.fail(texture(name, span)),
        };
        Ok(self.insert(None, inner, span))
    }
}

/// The problem of what belongs to textures.
fn texture(what: &str, span: Span) -> Diagnostic {
    if what == "AttribArray" {
        let problem = Diagnostic::error(&UNSUPPORTED, "`AttribArray` is for geometry programs").at(span);
        return problem.help("a vertex program gets one vertex: give the type itself");
    }
    Diagnostic::error(&UNSUPPORTED, format!("`{what}`: vertex programs have no textures"))
        .at(span)
        .help("pass what the texture holds as an attribute or a uniform")
}

/// What Cg calls a type of GLSL or WGSL.
fn of_other_languages(name: &str) -> Option<&'static str> {
    const NAMES: &[(&str, &str)] = &[
        ("bvec2", "bool2"),
        ("bvec3", "bool3"),
        ("bvec4", "bool4"),
        ("f32", "float"),
        ("i32", "int"),
        ("ivec2", "int2"),
        ("ivec3", "int3"),
        ("ivec4", "int4"),
        ("mat2", "float2x2"),
        ("mat3", "float3x3"),
        ("mat3x3f", "float3x3"),
        ("mat4", "float4x4"),
        ("mat4x4f", "float4x4"),
        ("vec2", "float2"),
        ("vec2f", "float2"),
        ("vec3", "float3"),
        ("vec3f", "float3"),
        ("vec4", "float4"),
        ("vec4f", "float4"),
    ];
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, own)| *own)
}
