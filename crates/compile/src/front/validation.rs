//! What naga finds wrong with a module, in the words of its source.

use crate::front::SYNTAX;
use crate::walk::Spans;
use crate::walk::types::name;
use gpuzoo_diag::{Diagnostic, Span};
use naga::valid::{
    Disalignment, EntryPointError, ExpressionError, FunctionError, GlobalVariableError, LocalVariableError,
    TypeError, ValidationError, VaryingError,
};
use naga::{AddressSpace, BinaryOperator, Module, TypeInner, WithSpan};

/// The problem of a module that is not valid.
pub fn invalid(module: &Module, error: &WithSpan<ValidationError>, spans: &Spans, whole: Span) -> Diagnostic {
    let (message, help) = told(module, error.as_inner());
    let mut problem = Diagnostic::error(&SYNTAX, message);
    if let Some(own) = declared(module, error.as_inner()) {
        problem = problem.at(spans(own, None));
    }
    // naga says the function before its parts.
    let mut places: Vec<_> = error.spans().collect();
    places.sort_by_key(|(span, _)| span.to_range().map_or(usize::MAX, |range| range.len()));
    for (span, text) in places {
        let text = if text.starts_with("naga::") { "here" } else { text };
        problem = problem.label(spans(*span, None), text);
    }
    if problem.labels.is_empty() {
        problem = match error.as_inner() {
            ValidationError::EntryPoint { name, .. } => {
                problem.at(spans(naga::Span::UNDEFINED, Some(name.as_str())))
            }
            _ => problem.at(whole),
        };
    }
    match help {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// Where an input or output of a type that none has is declared, as GLSL declares them: naga knows the entry point alone.
fn declared(module: &Module, error: &ValidationError) -> Option<naga::Span> {
    let ValidationError::EntryPoint { source, .. } = error else { return None };
    let (EntryPointError::Argument(_, varying) | EntryPointError::Result(varying)) = source else {
        return None;
    };
    let VaryingError::NotIOShareableType(ty) = varying else { return None };
    let mut all = module.global_variables.iter();
    let found = all.find(|(_, own)| own.space == AddressSpace::Private && own.ty == *ty)?;
    Some(module.global_variables.get_span(found.0)).filter(|span| span.is_defined())
}

fn told(module: &Module, error: &ValidationError) -> (String, Option<String>) {
    let function = match error {
        ValidationError::Function { source, .. } => Some(source),
        ValidationError::EntryPoint { source: EntryPointError::Function(source), .. } => Some(source),
        _ => None,
    };
    if let ValidationError::GlobalVariable {
        name,
        source: GlobalVariableError::Alignment(_, _, Disalignment::ArrayStride { stride, alignment }),
        ..
    } = error
    {
        let message = format!(
            "an array in the uniform `{name}` has an element every {stride} bytes, and uniforms have one every {alignment}"
        );
        return (message, Some("let each element fill a register: `array<vec4f, 2>`".to_owned()));
    }
    if let ValidationError::Type { source: TypeError::InvalidArrayBaseType(_), .. } = error {
        let help = "declare each texture by itself, and say the size of each array";
        return (
            "there are no arrays of textures, nor of arrays without a size".to_owned(),
            Some(help.to_owned()),
        );
    }
    // Which handle it is has no public name.
    if let ValidationError::InvalidHandle(own) = error
        && own.to_string().contains("depends on")
        && own.to_string().contains("Function")
    {
        let help = "leave out the declaration, and define functions in the order of their calls";
        return ("a function is declared before another one that it calls".to_owned(), Some(help.to_owned()));
    }
    if let ValidationError::EntryPoint { source, .. } = error
        && let Some((message, help)) = interface(source)
    {
        return (message, Some(help.to_owned()));
    }
    match function {
        Some(FunctionError::LocalVariable { name, source: LocalVariableError::InvalidType(_), .. }) => {
            let message = format!("the variable `{name}` has no size, or a type that variables cannot have");
            (message, Some("an array says how many elements it has: `float weights[5]`".to_owned()))
        }
        Some(FunctionError::InvalidStoreTypes { .. }) => {
            let help = "convert it first: `vec4(v, 1.0)`, `v.xyz`, `int(x)`";
            ("a value of one type is stored in a variable of another".to_owned(), Some(help.to_owned()))
        }
        Some(FunctionError::Expression {
            source: ExpressionError::InvalidBinaryOperandTypes { op, lhs_type, rhs_type, .. },
            ..
        }) => {
            let [left, right] = [lhs_type, rhs_type].map(|ty| name(module, ty));
            let message = format!("`{}` does not work with `{left}` and `{right}`", sign(*op));
            let is_matrix = [lhs_type, rhs_type].iter().any(|ty| matches!(ty, TypeInner::Matrix { .. }));
            let help = match is_matrix {
                true => {
                    "a vector beside a matrix has as many components as the matrix columns: `vec4f(p, 1.0)`"
                }
                false => "convert one of them to the other's type",
            };
            (message, Some(help.to_owned()))
        }
        _ => (with_causes(error), None),
    }
}

/// What is wrong with inputs and outputs.
fn interface(error: &EntryPointError) -> Option<(String, &'static str)> {
    let varying = match error {
        EntryPointError::Argument(_, varying) | EntryPointError::Result(varying) => varying,
        EntryPointError::MissingVertexOutputPosition => {
            let help = "set `gl_Position`, or give a result with `@builtin(position)`";
            return Some(("the vertex program gives no position".to_owned(), help));
        }
        _ => return None,
    };
    Some(match varying {
        VaryingError::BindingCollision { location } => (
            format!("two inputs, or two outputs, are at location {location}"),
            "give each a location of its own, `layout(location = 1)` or `@location(1)`: in GLSL those that say none are at 0",
        ),
        VaryingError::NotIOShareableType(_) => (
            "an input or output is neither a number nor a vector".to_owned(),
            "declare vectors, each at a location of its own, in place of arrays, structs and matrices; of a matrix its columns",
        ),
        VaryingError::InvalidInterpolationForInteger | VaryingError::MissingInterpolation => (
            "an integer goes from vertices to fragments and is not said to be flat".to_owned(),
            "write `flat in int n;` or `@interpolate(flat)`, or hand over a float",
        ),
        _ => return None,
    })
}

fn sign(op: BinaryOperator) -> &'static str {
    use BinaryOperator as B;
    match op {
        B::Add => "+",
        B::Subtract => "-",
        B::Multiply => "*",
        B::Divide => "/",
        B::Modulo => "%",
        B::Equal => "==",
        B::NotEqual => "!=",
        B::Less => "<",
        B::LessEqual => "<=",
        B::Greater => ">",
        B::GreaterEqual => ">=",
        B::And => "&",
        B::ExclusiveOr => "^",
        B::InclusiveOr => "|",
        B::LogicalAnd => "&&",
        B::LogicalOr => "||",
        B::ShiftLeft => "<<",
        B::ShiftRight => ">>",
    }
}

/// An error with all that led to it.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(own) = cause {
        text = format!("{text}: {own}");
        cause = own.source();
    }
    text
}
