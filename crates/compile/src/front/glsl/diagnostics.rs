//! What naga's reader of GLSL says, in the words of the source.

use crate::front::{GLSL_VERSION, SYNTAX};
use crate::walk::codes::RESOURCE;
use gpuzoo_diag::{Diagnostic, File, Span};
use naga::front::glsl::{Error, ErrorKind, ExpectedToken, TokenValue};

/// The one kind of textures, as it is declared and read.
const TEXTURES: &str = "textures are two-dimensional: declare `uniform sampler2D name;`, not as an array, or `uniform texture2D t; \
                        uniform sampler s;` and read `texture(sampler2D(t, s), uv)`";

/// What the names of types of textures and images begin or go on with.
const KINDS: [&str; 5] = ["sampler", "texture", "image", "subpassInput", "accelerationStructure"];

/// The problem of a text that naga does not read.
pub fn told(file: &File, place: Span, error: &Error) -> Diagnostic {
    // What a macro stands for has no place of its own.
    let word = Some(file.slice(place)).filter(|word| word.len() < 60 && !word.contains('\n')).unwrap_or("…");
    let problem = |message: String| Diagnostic::error(&SYNTAX, message).at(place);
    match &error.kind {
        ErrorKind::InvalidVersion(_) | ErrorKind::InvalidProfile(_) => {
            let problem = Diagnostic::error(&GLSL_VERSION, error.to_string()).at(place);
            problem.help("write `#version 450`, or give SPIR-V that another compiler has made")
        }
        ErrorKind::NotImplemented("variable qualifier") | ErrorKind::UnknownType(_) if is_texture(word) => {
            let message = match word {
                "sampler2D" => "this is no declaration of a texture that can be read".to_owned(),
                _ => format!("no machine has textures or images of the kind `{word}`"),
            };
            Diagnostic::error(&RESOURCE, message).at(place).help(TEXTURES)
        }
        ErrorKind::NotImplemented("variable qualifier") => {
            let problem = problem(format!("there is no type `{word}`"));
            problem
                .help("declare it before: types are numbers, vectors, matrices, structs and arrays of these")
        }
        ErrorKind::InvalidToken(found, expected) => {
            let found = match found {
                TokenValue::Identifier(name) => format!("`{name}`"),
                _ if word.is_empty() => "the end".to_owned(),
                _ => format!("`{word}`"),
            };
            let problem = problem(format!("{found} is not expected here, but {}", any_of(expected)));
            match file.line(file.place(place.start).line).contains("sampler") {
                true => problem.help(TEXTURES),
                false => problem,
            }
        }
        ErrorKind::UnknownVariable(name) => match name.starts_with("gl_") {
            true => problem(format!("no machine has `{name}`")).help("hand it over as an input or a uniform"),
            false => problem(format!("there is no variable `{name}`")).help("declare it before"),
        },
        ErrorKind::UnknownType(name) => {
            let help = "types are numbers of 32 bits, vectors, matrices, structs and arrays of these";
            problem(format!("there is no type `{name}`")).help(help)
        }
        ErrorKind::UnknownField(name) => problem(format!("there is no component or member `{name}`")),
        ErrorKind::UnsupportedMatrixWithTwoRowsInStd140 { columns } => {
            let message =
                format!("a matrix of {columns} columns with two numbers each is not read in uniforms");
            let help = format!(
                "declare its columns, which lie in the same bytes, `vec4 name[{columns}];`, and make the matrix of them: `mat{columns}x2(name[0].xy, …)`"
            );
            problem(message).help(help)
        }
        ErrorKind::SemanticError(text) => semantic(text, word, &problem),
        ErrorKind::PreprocessorError(own) => {
            let words = in_words(&format!("{own:?}"));
            problem(format!("the preprocessor stops here: {words}"))
        }
        _ => problem(error.to_string()),
    }
}

fn semantic(text: &str, word: &str, problem: &dyn Fn(String) -> Diagnostic) -> Diagnostic {
    let quoted = |mark: char| text.split(mark).nth(1).unwrap_or(word);
    match text {
        _ if text.contains("require layout(binding") => {
            let help = "loose uniforms are not in this version: write `layout(binding = 0) uniform Name { mat4 mvp; };`";
            problem("a uniform is in no block, or its block says no binding".to_owned()).help(help)
        }
        _ if text.starts_with("Can't lookup field on this type") => {
            let name = quoted('"');
            let problem = problem(format!("numbers, matrices and arrays have no `.{name}`"));
            match (name.chars().all(|letter| "xrs".contains(letter)), name.len()) {
                (true, 1) => problem.help("of a single number, leave it out"),
                (true, size) => problem.help(format!(
                    "of a single number, write `vec{size}(x)`, which has it in all components"
                )),
                (false, _) => problem.help(
                    "vectors and structs have components and members, of others `[0]` is the first element",
                ),
            }
        }
        _ if text.starts_with("Unknown function") => {
            let name = quoted('\'');
            match is_texture(name) {
                true => Diagnostic {
                    code: &RESOURCE,
                    ..problem(format!("no machine has textures of the kind `{name}`"))
                }
                .help(TEXTURES),
                false => problem(format!("there is no function `{name}`, or it is not read"))
                    .help("declare it before it is called, or compute it in another way"),
            }
        }
        "Unexpected qualifier" => {
            let help = "leave it out, or let `glslangValidator` make SPIR-V of the source, and compile that";
            problem("this qualifier is not read here".to_owned()).help(help)
        }
        "Missing entry point" => {
            problem("there is no function `main`".to_owned()).help("write `void main() { … }`")
        }
        "Unexpected override-expression" => {
            let help = "write the number itself, or `const int name = 4;` without `layout(constant_id = …)`";
            problem("a specialization constant cannot be the size of an array, or decide a `case`".to_owned())
                .help(help)
        }
        _ if text.contains("cannot be in the left hand side") => {
            problem("this is not a variable, and cannot be written".to_owned())
                .help("name a variable, an element or a component; `- -x` is written with a blank")
        }
        _ if text.contains("IncompatibleOperands") || text.starts_with("Cannot apply operat") => {
            problem("the operator does not work with these types".to_owned())
                .help("convert one side to the other's type; compare structs member by member")
        }
        _ if is_debug(text) => problem("this is not read here".to_owned()).help(
            "write it in another way, or let `glslangValidator` make SPIR-V of the source, and compile that",
        ),
        _ => problem(text.to_owned()),
    }
}

/// True for a message that shows naga's own data.
fn is_debug(text: &str) -> bool {
    ["{ ", "Span", "Handle(", "Some(", "Struct"].iter().any(|part| text.contains(part))
}

fn is_texture(word: &str) -> bool {
    let own = word.strip_prefix(['i', 'u']).filter(|own| KINDS.iter().any(|kind| own.starts_with(kind)));
    KINDS.iter().any(|kind| own.unwrap_or(word).starts_with(kind))
}

/// A list of what naga expects.
fn any_of(expected: &[ExpectedToken]) -> String {
    let mut names: Vec<String> = expected.iter().map(expectation).collect();
    names.dedup();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => "something else".to_owned(),
    }
}

fn expectation(expected: &ExpectedToken) -> String {
    use TokenValue as T;
    let sign = match expected {
        ExpectedToken::Token(token) => match token {
            T::Semicolon => ";",
            T::Comma => ",",
            T::Assign => "=",
            T::LeftParen => "(",
            T::RightParen => ")",
            T::LeftBracket => "[",
            T::RightBracket => "]",
            T::LeftBrace => "{",
            T::RightBrace => "}",
            T::Colon => ":",
            T::Void => "void",
            T::Struct => "struct",
            other => return in_words(&format!("{other:?}")),
        },
        ExpectedToken::TypeName => return "a type".to_owned(),
        ExpectedToken::Identifier => return "a name".to_owned(),
        ExpectedToken::Eof => return "a declaration or the end".to_owned(),
        other => return other.to_string(),
    };
    format!("`{sign}`")
}

/// `UnknownDirective` as `unknown directive`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase()
            && !words.is_empty()
            && !words.ends_with(|last: char| !last.is_alphabetic())
        {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(in_words("UnknownDirective"), "unknown directive");
        assert_eq!(in_words("LineOverflow(3)"), "line overflow(3)");
        assert_eq!(
            ["sampler2D", "usamplerCube", "image2D", "utility"].map(is_texture),
            [true, true, true, false]
        );
    }
}
