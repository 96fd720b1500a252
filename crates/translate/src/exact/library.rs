//! The functions that are written in WGSL, and how they come into a module.

use naga::{Block, Constant, Expression, Function, Handle, Module, Span, Statement, Type, TypeInner};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The texts, what is called first.
const TEXTS: [&str; 7] = [
    include_str!("bits.wgsl"),
    include_str!("single.wgsl"),
    include_str!("double.wgsl"),
    include_str!("integer.wgsl"),
    include_str!("truncating.wgsl"),
    include_str!("seeded.wgsl"),
    include_str!("piecewise.wgsl"),
];

struct Library {
    module: Module,
    places: HashMap<String, Handle<Function>>,
}

/// Parsed once in a process. The texts are our own, and a test reads them: an error in them cannot depend on any input.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let text = TEXTS.concat() + &super::tables::texts();
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| {
        debug_assert!(false, "{}", error.emit_to_string(&text));
        Module::default()
    });
    let name = |(handle, function): (_, &Function)| Some((function.name.clone()?, handle));
    let places = module.functions.iter().filter_map(name).collect();
    Library { module, places }
});

/// The library as a module, with all its functions.
pub fn library() -> &'static Module {
    &LIBRARY.module
}

/// True if the library has a function of that name.
pub(super) fn has(name: &str) -> bool {
    LIBRARY.places.contains_key(name)
}

/// A function that the module has already.
pub(super) fn known(module: &Module, name: &str) -> Option<Handle<Function>> {
    module
        .functions
        .iter()
        .find_map(|(handle, function)| (function.name.as_deref() == Some(name)).then_some(handle))
}

/// Adds a function of the library with those that it calls. None if the library has none of that name.
pub(super) fn import(module: &mut Module, name: &str) -> Option<Handle<Function>> {
    let place = *LIBRARY.places.get(name)?;
    Some(Importer { module, functions: HashMap::new() }.function(place))
}

/// Copies parts of the library into a module, where other handles name them.
struct Importer<'a> {
    module: &'a mut Module,
    functions: HashMap<Handle<Function>, Handle<Function>>,
}

impl Importer<'_> {
    fn function(&mut self, place: Handle<Function>) -> Handle<Function> {
        if let Some(known) = self.functions.get(&place) {
            return *known;
        }
        let original = &LIBRARY.module.functions[place];
        let handle =
            original.name.as_deref().and_then(|name| known(self.module, name)).unwrap_or_else(|| {
                let copy = self.copied(original.clone());
                self.module.functions.append(copy, Span::UNDEFINED)
            });
        self.functions.insert(place, handle);
        handle
    }

    fn copied(&mut self, mut function: Function) -> Function {
        for argument in &mut function.arguments {
            argument.ty = self.ty(argument.ty);
        }
        if let Some(result) = &mut function.result {
            result.ty = self.ty(result.ty);
        }
        for (_, variable) in function.local_variables.iter_mut() {
            variable.ty = self.ty(variable.ty);
        }
        for (_, expression) in function.expressions.iter_mut() {
            self.expression(expression);
        }
        self.calls(&mut function.body);
        function
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::Compose { ty, .. } | Expression::ZeroValue(ty) => *ty = self.ty(*ty),
            Expression::CallResult(callee) => *callee = self.function(*callee),
            Expression::Constant(constant) => *constant = self.constant(*constant),
            // What is left names nothing outside of the function; the texts have neither overrides nor globals.
            _ => {}
        }
    }

    fn calls(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            match statement {
                Statement::Call { function, .. } => *function = self.function(*function),
                Statement::Block(inner) => self.calls(inner),
                Statement::If { accept, reject, .. } => {
                    self.calls(accept);
                    self.calls(reject);
                }
                Statement::Loop { body, continuing, .. } => {
                    self.calls(body);
                    self.calls(continuing);
                }
                Statement::Switch { cases, .. } => {
                    cases.iter_mut().for_each(|case| self.calls(&mut case.body))
                }
                _ => {}
            }
        }
    }

    fn ty(&mut self, ty: Handle<Type>) -> Handle<Type> {
        let Type { name, mut inner } = LIBRARY.module.types[ty].clone();
        if let TypeInner::Array { base, .. } = &mut inner {
            *base = self.ty(*base);
        }
        self.module.types.insert(Type { name, inner }, Span::UNDEFINED)
    }

    fn constant(&mut self, constant: Handle<Constant>) -> Handle<Constant> {
        let Constant { name, ty, init } = LIBRARY.module.constants[constant].clone();
        let same = |(handle, other): (_, &Constant)| (name.is_some() && other.name == name).then_some(handle);
        if let Some(known) = self.module.constants.iter().find_map(same) {
            return known;
        }
        let (ty, init) = (self.ty(ty), self.global(init));
        self.module.constants.append(Constant { name, ty, init }, Span::UNDEFINED)
    }

    fn global(&mut self, init: Handle<Expression>) -> Handle<Expression> {
        let mut expression = LIBRARY.module.global_expressions[init].clone();
        self.expression(&mut expression);
        if let Expression::Compose { components, .. } = &mut expression {
            for component in components {
                *component = self.global(*component);
            }
        }
        self.module.global_expressions.append(expression, Span::UNDEFINED)
    }
}
