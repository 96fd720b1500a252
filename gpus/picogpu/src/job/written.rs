//! Jobs that are written: draws of a scene as the JSON that [`Job`](crate::Job) reads.

use crate::job::JobDraw;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Program, list};
use gpuzoo_machine::unit::job::{JobHead, NOT_A_JOB, WrittenDraw};
use gpuzoo_machine::vectors::stimulus::words_json;
use serde_json::{Map, Value as Json, json};

impl JobDraw {
    /// As an element of a job's `draws`. Uniforms have the components that the programs declare.
    pub(crate) fn json(&self, vertex: &Program, fragment: Option<&Program>) -> Json {
        let uniforms = |program: Option<&Program>, words: &[Vec4]| -> Json {
            let ports = program.and_then(|program| program.interface.as_ref());
            let ports = ports.into_iter().flat_map(|interface| &interface.uniforms).zip(words);
            ports.map(|(port, words)| words_json(&words[..usize::from(port.components).min(4)])).collect()
        };
        json!({
            "vs_dwords": words_json(&self.vertex),
            "fs_dwords": words_json(&self.fragment),
            "vertex_count": self.vertex_count,
            "vertex_data": words_json(&self.vertices),
            "vs_uniforms": uniforms(Some(vertex), &self.vertex_uniforms),
            "fs_uniforms": uniforms(fragment, &self.fragment_uniforms),
        })
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
    let mut job = Map::new();
    let mut say = |key: &str, value: Json| drop(job.insert(key.to_owned(), value));
    say("title", head.title.clone().into());
    say("width", head.size.0.into());
    say("height", head.size.1.into());
    say("clear_color", format!("{:08x}", u32::from_le_bytes(head.color)).into());
    say("clear_depth", format!("{:08x}", head.depth.to_bits()).into());
    shared.into_iter().for_each(|(key, value)| say(&key, value));
    if let Some(image) = &head.image {
        say("image", image.clone().into());
    }
    say("draws", draws.into_iter().map(|draw| draw.own).collect());
    Ok(format!("{}\n", Json::from(job)))
}
