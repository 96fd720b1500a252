//! GLSL's `sampler2D`, a texture with its sampler, which naga does not read. `uniform sampler2D name;` is declared as both, and a macro
//! stands for both where the name is read. A function gets the texture alone and has a sampler of its own, since units have theirs.

use crate::front::glsl::{Edit, Tokens};
use naga::FastHashMap;
use std::ops::Range;

/// Sets of bindings that no source of its own has: those of textures without one, and those of samplers.
pub const SETS: [u32; 2] = [1_000, 1_001];

/// What a texture is called in the source.
pub fn name_of(module: &naga::Module, texture: &str) -> String {
    let is_ours = |sampler: &str| {
        let group = |own: &naga::GlobalVariable| own.binding.is_some_and(|binding| binding.group == SETS[1]);
        module.global_variables.iter().any(|(_, own)| own.name.as_deref() == Some(sampler) && group(own))
    };
    let own = texture.strip_suffix("_texture").filter(|own| is_ours(&format!("{own}_sampler")));
    own.unwrap_or(texture).to_owned()
}

/// Declares textures and samplers apart; with the macros for the names.
pub fn edits(tokens: &Tokens) -> (Vec<Edit>, FastHashMap<String, String>) {
    let (mut edits, mut defines) = (Vec::new(), FastHashMap::default());
    let mut count = 0;
    for at in 0..tokens.len() {
        let Some((names, end)) = declared(tokens, at) else { continue };
        let layout = tokens.layout_before(at).map(|begin| begin..at);
        let begin = layout.as_ref().map_or(at, |layout| layout.start);
        let mut both = Vec::new();
        for own in names {
            let given = layout.as_ref().filter(|_| both.is_empty());
            let texture = match given {
                Some(layout) => tokens.text(layout.clone()).to_owned(),
                None => format!("layout(set = {}, binding = {count})", SETS[0]),
            };
            both.push(format!("{texture} uniform texture2D {own}_texture"));
            both.push(format!("layout(set = {}, binding = {count}) uniform sampler {own}_sampler", SETS[1]));
            defines.insert(own.to_owned(), format!("sampler2D({own}_texture, {own}_sampler)"));
            count += 1;
        }
        edits.push(Edit { range: tokens.range(begin).start..tokens.range(end).start, text: both.join("; ") });
    }
    edits.extend(parameters(tokens, count, &defines));
    (edits, defines)
}

/// Makes textures of parameters; within the function, a macro stands for the parameter.
fn parameters(tokens: &Tokens, mut count: usize, global: &FastHashMap<String, String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        let (open, close) = (at, tokens.behind(at, tokens.len()));
        at = close;
        let body = close..if tokens.word(open) == "(" { tokens.behind(close, tokens.len()) } else { close };
        if tokens.word(open) == "(" {
            let is_body = tokens.word(body.start) == "{";
            for own in (open + 1..close).filter(|own| tokens.word(*own) == "sampler2D") {
                let (name, next) = (tokens.word(own + 1), tokens.word(own + 2));
                match (tokens.is_word(own + 1), name, next) {
                    (true, _, "," | ")") => {
                        let range = tokens.range(own).start..tokens.range(own + 1).end;
                        edits.push(Edit { range, text: format!("texture2D {name}_texture") });
                        if is_body {
                            edits.extend(in_body(tokens, start, &body, name, count, global));
                            count += 1;
                        }
                    }
                    (false, "," | ")", _) => {
                        edits.push(Edit { range: tokens.range(own), text: "texture2D".to_owned() });
                    }
                    _ => {}
                }
            }
        }
        if matches!(tokens.word(open), ";" | "{") {
            start = at;
        }
    }
    edits
}

/// What a parameter needs: a sampler before its function, and a macro in the function's body.
fn in_body(
    tokens: &Tokens,
    start: usize,
    body: &Range<usize>,
    name: &str,
    number: usize,
    global: &FastHashMap<String, String>,
) -> [Edit; 3] {
    let sampler = format!("gpuzoo_sampler_{number}");
    let declared = format!("layout(set = {}, binding = {number}) uniform sampler {sampler}; ", SETS[1]);
    // A global texture of the same name is one again behind the function.
    let [other, again] = match global.get(name) {
        Some(both) => [format!("#undef {name}\n"), format!("#define {name} {both}\n")],
        None => [const { String::new() }; 2],
    };
    let defined = format!("\n{other}#define {name} sampler2D({name}_texture, {sampler})\n");
    let [before, begin, end] =
        [tokens.range(start).start, tokens.range(body.start).end, tokens.range(body.end - 1).start];
    [(before, declared), (begin, defined), (end, format!("\n#undef {name}\n{again}"))]
        .map(|(place, text)| Edit { range: place..place, text })
}

/// The names that are declared from a token on, and the token behind them; nothing if that is no such declaration.
fn declared<'a>(tokens: &Tokens<'a>, at: usize) -> Option<(Vec<&'a str>, usize)> {
    if tokens.word(at) != "uniform" {
        return None;
    }
    let precision = usize::from(matches!(tokens.word(at + 1), "lowp" | "mediump" | "highp"));
    let mut next = at + 1 + precision;
    if tokens.word(next) != "sampler2D" {
        return None;
    }
    let mut names = Vec::new();
    loop {
        if !tokens.is_word(next + 1) {
            return None;
        }
        names.push(tokens.word(next + 1));
        next += 2;
        match tokens.word(next) {
            "," => {}
            ";" => return Some((names, next)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::glsl::Adapted;

    #[test]
    fn declarations_become_two() {
        let source = "#version 450\n// uniform sampler2D no;\nlayout(binding = 3) uniform highp sampler2D a, b;\nvec4 c = texture(a, b);";
        let Adapted { text, defines, .. } = Adapted::of(source);
        let expected = "#version 450\n// uniform sampler2D no;\n\
             layout(binding = 3) uniform texture2D a_texture; layout(set = 1001, binding = 0) uniform sampler a_sampler; \
             layout(set = 1000, binding = 1) uniform texture2D b_texture; layout(set = 1001, binding = 1) uniform sampler b_sampler;\n\
             vec4 c = texture(a, b);";
        assert_eq!(text, expected);
        assert_eq!((defines.len(), defines["b"].as_str()), (2, "sampler2D(b_texture, b_sampler)"));
    }

    #[test]
    fn functions_get_textures() {
        let source = "vec4 f(sampler2D, vec2 uv);\nvec4 f(in sampler2D t, vec2 uv) { return g(t, uv); }";
        let text = "vec4 f(texture2D, vec2 uv);\nlayout(set = 1001, binding = 0) uniform sampler gpuzoo_sampler_0; \
                    vec4 f(in texture2D t_texture, vec2 uv) {\n#define t sampler2D(t_texture, gpuzoo_sampler_0)\n \
                    return g(t, uv); \n#undef t\n}";
        assert_eq!(Adapted::of(source).text, text);
    }
}
