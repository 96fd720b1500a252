//! Requests about documents.

use crate::lsp::around::Around;
use crate::lsp::document::{Analysis, Document};
use crate::lsp::message::{ErrorCode, Failed};
use serde_json::Value as Json;

/// The answer to a request.
pub(crate) type Answer = Result<Json, Failed>;

/// A request about a document, and all that answers may need.
pub(crate) struct Request<'a> {
    pub document: &'a Document,
    pub analysis: &'a Analysis,
    pub around: Around<'a>,
    pub params: &'a Json,
}

impl Request<'_> {
    /// The byte of the request's position.
    ///
    /// # Errors
    /// It has none.
    pub fn position(&self) -> Result<usize, Failed> {
        let position = self.params.get("position").and_then(|position| self.document.text.position(position));
        position.ok_or_else(|| Failed::new(ErrorCode::InvalidParams, "a position is needed"))
    }
}
