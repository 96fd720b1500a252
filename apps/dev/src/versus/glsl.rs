//! What llvmpipe runs: GLSL for the programs of the scenes. gpuzoo's clip space goes from 0 to w in depth, OpenGL's from
//! -w to w.

use super::scenes::{Fill, Fragments, Scene, VARYINGS, Work, share};
use std::fmt::Write;

impl Scene {
    /// The same programs in GLSL: vertices, and fragments.
    pub fn glsl(&self) -> (String, String) {
        match self.work {
            Work::Grid { fill: Fill::Colours, .. } => (grid(false), COLOURS.to_owned()),
            Work::Grid { fill: Fill::Texture { .. }, .. } => (grid(true), TEXTURE.to_owned()),
            Work::Varyings { .. } => varyings(),
            Work::Servaru(fragments) => (SLANT.to_owned(), servaru(fragments)),
        }
    }
}

/// Vertices of a grid. The Dreambox's textured program multiplies by a matrix, so this one does.
pub fn grid(textured: bool) -> String {
    let place = if textured { "matrix * vec4(place, 1.0)" } else { "vec4(place, 1.0)" };
    format!(
        "#version 330
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 coordinates;
layout(location = 2) in vec4 vertexColour;
uniform mat4 matrix = mat4(1.0);
out vec2 at;
out vec4 colour;
void main() {{
    gl_Position = {place};
    gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
    at = coordinates;
    colour = vertexColour;
}}
"
    )
}

pub const COLOURS: &str = "#version 330
in vec4 colour;
out vec4 result;
void main() { result = colour; }
";

pub const TEXTURE: &str = "#version 330
in vec2 at;
in vec4 colour;
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, at) * colour; }
";

/// Vertices and fragments with all varyings: their sum.
pub fn varyings() -> (String, String) {
    let mut vertex = "#version 330
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 st;
"
    .to_owned();
    let mut fragment = "#version 330\nout vec4 result;\n".to_owned();
    let (mut writes, mut sum) = (String::new(), String::new());
    for varying in 0..VARYINGS {
        let _ = writeln!(vertex, "out vec4 varying{varying};");
        let _ = writeln!(fragment, "in vec4 varying{varying};");
        let _ = writeln!(writes, "    varying{varying} = vec4(st, 0.5, 0.5) * {:?};", share(varying));
        let _ = write!(sum, " + varying{varying}");
    }
    let _ = write!(
        vertex,
        "void main() {{\n    gl_Position = vec4(place.xy, place.z * 2.0 - place.w, place.w);\n{writes}}}\n"
    );
    let _ = writeln!(fragment, "void main() {{ result = vec4(0.0){sum}; }}");
    (vertex, fragment)
}

/// Vertices of the slant.
pub const SLANT: &str = "#version 330
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 coordinates;
layout(location = 2) in vec4 vertexNormal;
out vec4 at;
out vec4 normal;
void main() {
    gl_Position = vec4(place.xy, place.z * 2.0 - place.w, place.w);
    at = coordinates;
    normal = vertexNormal;
}
";

/// The same as [`super::ours::servaru`].
pub fn servaru(fragments: Fragments) -> String {
    let body = match fragments {
        Fragments::Flat => "result = normal;",
        Fragments::Textured => "result = texture(image, at.xy);",
        Fragments::Lit => {
            "
    vec3 n = normal.xyz * inversesqrt(dot(normal.xyz, normal.xyz));
    float light = dot(n, vec3(0.0, 0.0, 1.0)), halfway = dot(n, vec3(0.0, 0.6, 0.8));
    float highlight = light > 0.0 ? pow(max(halfway, 0.0), sharpness) : 0.0;
    vec3 lit = max(light, 0.0) * vec3(1.0) + vec3(0.2);
    result = vec4(highlight * vec3(1.0) + texture(image, at.xy).xyz * lit, 1.0);
"
        }
    };
    format!(
        "#version 330
in vec4 at;
in vec4 normal;
uniform sampler2D image;
uniform float sharpness = 40.0;
out vec4 result;
void main() {{ {body} }}
"
    )
}
