//! Jobs that are written: draws of a scene as the JSON that [`Job`](crate::Job) reads.

use crate::job::JobDraw;
use gpuzoo_diag::{Diagnostic, json};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Program, list};
use gpuzoo_machine::unit::job::{JobHead, NOT_A_JOB, WrittenDraw};
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// A job as a file. Words are texts of eight hexadecimal digits.
#[derive(Serialize)]
struct JobText<'a> {
    title: &'a str,
    /// Width and height of the picture, in pixels.
    width: u32,
    height: u32,
    /// The bytes red, green, blue and alpha, red lowest.
    clear_color: String,
    /// The bits of a float.
    clear_depth: String,
    /// Members that all draws have in common.
    #[serde(flatten)]
    shared: Map<String, Json>,
    /// The name of the file with the job's picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    draws: Vec<Json>,
}

/// An element of a job's `draws`. Words are texts of eight hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DrawText {
    /// The words of the programs, vertex and fragment.
    vs_dwords: Vec<String>,
    fs_dwords: Vec<String>,
    vertex_count: u32,
    /// The inputs of all vertices, packed.
    vertex_data: Vec<String>,
    /// Uniforms, with the components that the programs declare.
    vs_uniforms: Vec<Vec<String>>,
    fs_uniforms: Vec<Vec<String>>,
}

fn hexadecimal(words: &[u32]) -> Vec<String> {
    words.iter().map(|word| format!("{word:08x}")).collect()
}

impl JobDraw {
    /// The draw as an element of a job's `draws`.
    pub(crate) fn text(&self, vertex: &Program, fragment: Option<&Program>) -> DrawText {
        let uniforms = |program: Option<&Program>, words: &[Vec4]| {
            let ports = program.and_then(|program| program.interface.as_ref());
            let ports = ports.into_iter().flat_map(|interface| &interface.uniforms).zip(words);
            ports.map(|(port, words)| hexadecimal(&words[..usize::from(port.components).min(4)])).collect()
        };
        DrawText {
            vs_dwords: hexadecimal(&self.vertex),
            fs_dwords: hexadecimal(&self.fragment),
            vertex_count: self.vertex_count,
            vertex_data: hexadecimal(&self.vertices),
            vs_uniforms: uniforms(Some(vertex), &self.vertex_uniforms),
            fs_uniforms: uniforms(fragment, &self.fragment_uniforms),
        }
    }
}

/// A job of draws.
pub fn document(head: &JobHead, draws: Vec<WrittenDraw>) -> Result<String, Diagnostic> {
    let shared = draws.first().map(|draw| draw.shared.clone()).unwrap_or_default();
    let differs =
        |(key, value): &(&String, &Json)| draws.iter().any(|draw| draw.shared.get(*key) != Some(value));
    let different: Vec<&str> = shared.iter().filter(differs).map(|(key, _)| key.as_str()).collect();
    if !different.is_empty() {
        let message = format!("the draws differ in {}, which a job says once", list(different.into_iter()));
        return Err(Diagnostic::error(&NOT_A_JOB, message).help("write a scene of fewer draws for each"));
    }
    let job = JobText {
        title: &head.title,
        width: head.size.0,
        height: head.size.1,
        clear_color: format!("{:08x}", u32::from_le_bytes(head.color)),
        clear_depth: format!("{:08x}", head.depth.to_bits()),
        shared,
        image: head.image.as_deref(),
        draws: draws.into_iter().map(|draw| draw.own).collect(),
    };
    Ok(json::text(&job) + "\n")
}
