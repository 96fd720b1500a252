//! A request, its answer, and what can be wrong with either.

use crate::memory::{Block, Bytes};
use gpuzoo::diag::{Diagnostic, Diagnostics, capped, json};
use gpuzoo::options::OptionMap;
use serde_json::{Value as Json, json};

/// What is asked: JSON, and bytes that it names by number.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What it is about.
    pub about: &'a Json,
    /// What came with it.
    pub data: &'a [Block],
}

/// What is answered.
pub struct Reply {
    pub value: Json,
    pub bytes: Bytes,
}

impl From<Json> for Reply {
    fn from(value: Json) -> Reply {
        Reply { value, bytes: Bytes::None }
    }
}

/// What goes wrong: as people read it, and as data.
pub struct Problem {
    text: String,
    diagnostics: Json,
}

impl Problem {
    /// As people read it.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The answer that says it.
    pub fn answer(self) -> Json {
        json!({ "error": self.text, "diagnostics": self.diagnostics })
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, diagnostics: json!([]) }
    }
}

impl From<&str> for Problem {
    fn from(text: &str) -> Problem {
        text.to_owned().into()
    }
}

impl From<Diagnostics> for Problem {
    fn from(problems: Diagnostics) -> Problem {
        let shown = capped(problems.list.clone());
        let list = serde_json::to_value(json::problems(&problems.sources, &shown));
        Problem { text: problems.to_string(), diagnostics: list.unwrap_or_default() }
    }
}

impl From<Diagnostic> for Problem {
    fn from(problem: Diagnostic) -> Problem {
        Diagnostics::from(problem).into()
    }
}

pub type Answer = Result<Reply, Problem>;

impl<'a> Request<'a> {
    /// A text.
    pub fn text(&self, name: &str) -> Result<&'a str, Problem> {
        self.about[name].as_str().ok_or_else(|| format!("the request has no text `{name}`").into())
    }

    /// A text that may be missing.
    pub fn maybe(&self, name: &str) -> Option<&'a str> {
        self.about[name].as_str()
    }

    /// A number that may be missing.
    pub fn number<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>, Problem> {
        let value = &self.about[name];
        if value.is_null() {
            return Ok(None);
        }
        let number = value.as_u64().and_then(|number| T::try_from(number).ok());
        number.map(Some).ok_or_else(|| format!("`{name}` of the request is not a number that can be").into())
    }

    /// Whether something is wanted.
    pub fn is(&self, name: &str) -> bool {
        self.about[name] == true
    }

    /// A list of texts; one that is missing is empty.
    pub fn texts(&self, name: &str) -> Vec<&'a str> {
        self.about[name].as_array().into_iter().flatten().filter_map(Json::as_str).collect()
    }

    /// Names and what they are given.
    pub fn named(&self, name: &str) -> impl Iterator<Item = (&'a String, &'a Json)> + use<'a> {
        self.about[name].as_object().into_iter().flatten()
    }

    /// The options, by name.
    pub fn options(&self) -> Result<OptionMap, Problem> {
        Ok(OptionMap::from_json(self.about["options"].clone())?)
    }

    /// The bytes that a number names.
    pub fn block(&self, number: &Json) -> Result<&'a Block, Problem> {
        let block = number.as_u64().and_then(|number| self.data.get(usize::try_from(number).ok()?));
        block.ok_or_else(|| Problem::from("the request names bytes that did not come with it"))
    }

    /// The bytes of a file: a text, or bytes that came with the request.
    pub fn content(&self) -> Result<&'a [u8], Problem> {
        match self.maybe("text") {
            Some(text) => Ok(text.as_bytes()),
            None => Ok(self.block(&self.about["data"])?.bytes()),
        }
    }
}
