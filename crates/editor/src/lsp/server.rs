//! The life of a server: its documents, and who answers what.

use crate::lsp::around::{Around, Kept, Settings};
use crate::lsp::document::{Analysis, Document, Files};
use crate::lsp::message::{ErrorCode, Failed, notification, reply};
use crate::lsp::request::{Answer, Request};
use crate::lsp::text::Text;
use crate::lsp::{complete, hover, navigate, problems, show};
use crate::wire::Serve;
use crate::wire::uri::{path_of, plain};
use gpuzoo::Registry;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::limits::budget::{Budget, Resource};
use serde_json::{Value as Json, json};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

/// Where a server is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing but `initialize` is answered.
    New,
    Running,
    /// Nothing but `exit` is expected.
    ShutDown,
    /// `exit` was said, after `shutdown` or not.
    Ended {
        is_clean: bool,
    },
}

/// A language server. It gets messages in their order and gives those to send; it never waits for anything.
pub struct Server<'f> {
    registry: Registry,
    files: &'f dyn Files,
    settings: Settings,
    budget: Budget,
    documents: BTreeMap<String, Document>,
    kept: Kept,
    /// Documents that were closed, of which nothing is shown any more.
    closed: Vec<String>,
    /// Messages that follow the next reply.
    remarks: Vec<Json>,
    stage: Stage,
}

/// The type of an error in `window/showMessage`.
const ERROR: u8 = 1;

/// A problem with the settings, which the editor shows to its user.
fn remark(problem: &Diagnostic) -> Json {
    let text = problem.help.iter().fold(problem.message.clone(), |text, help| text + "; " + help);
    let message = format!("initializationOptions: {text} ({})", problem.code.id);
    notification("window/showMessage", json!({ "type": ERROR, "message": message }))
}

/// What the server can do, as `initialize` answers it.
fn capabilities() -> Json {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [".", "#", "%", "[", "@"] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": show::TOKEN_TYPES, "tokenModifiers": [] },
            "full": true,
        },
        "inlayHintProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "foldingRangeProvider": true,
    })
}

impl<'f> Server<'f> {
    /// A server for machines, whose documents name `files`.
    pub fn new(registry: Registry, files: &'f dyn Files) -> Server<'f> {
        let (settings, budget, documents) = (Settings::default(), Budget::default(), BTreeMap::new());
        let (kept, closed, remarks) = (Kept::default(), Vec::new(), Vec::new());
        Server { registry, files, settings, budget, documents, kept, closed, remarks, stage: Stage::New }
    }

    /// With the machine of documents whose extension says none, unless the editor says another.
    #[must_use]
    pub fn machine(mut self, gpu: Option<String>) -> Server<'f> {
        self.settings.gpu = gpu;
        self
    }

    /// With other limits than usual for what reading a document takes.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Server<'f> {
        self.budget = budget;
        self
    }

    /// What a message is answered with: the reply to a request, nothing for anything else that is understood.
    pub fn handle(&mut self, message: &Json) -> Vec<Json> {
        let method = message.get("method").and_then(Json::as_str);
        let id = message.get("id").filter(|id| id.is_number() || id.is_string());
        let params = message.get("params").unwrap_or(&Json::Null);
        match (method, id) {
            (Some(method), Some(id)) => {
                let mut messages = vec![reply(id, self.request(method, params))];
                messages.append(&mut self.remarks);
                messages
            }
            (Some(method), None) => {
                self.notified(method, params);
                Vec::new()
            }
            // The reply to a request: there was none.
            (None, _) if message.get("result").is_some() || message.get("error").is_some() => Vec::new(),
            (None, _) => {
                let failed =
                    Failed::new(ErrorCode::InvalidRequest, "this is neither a request nor a notification");
                vec![reply(id.unwrap_or(&Json::Null), Err(failed))]
            }
        }
    }

    /// The exit code once `exit` was said.
    pub fn ended(&self) -> Option<u8> {
        match self.stage {
            Stage::Ended { is_clean } => Some(u8::from(!is_clean)),
            _ => None,
        }
    }

    fn request(&mut self, method: &str, params: &Json) -> Answer {
        match (self.stage, method) {
            (Stage::New, "initialize") => {
                let options = params.get("initializationOptions").unwrap_or(&Json::Null);
                let (settings, problems) = Settings::read(options, &self.registry);
                self.settings = Settings { gpu: settings.gpu.or(self.settings.gpu.take()), ..settings };
                self.remarks = problems.iter().map(remark).collect();
                self.stage = Stage::Running;
                let version = env!("CARGO_PKG_VERSION");
                Ok(
                    json!({ "capabilities": capabilities(), "serverInfo": { "name": "gpuzoo", "version": version } }),
                )
            }
            (Stage::New, _) => Err(Failed::new(ErrorCode::NotInitialized, "`initialize` comes first")),
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Json::Null)
            }
            (Stage::Running, "initialize") => {
                Err(Failed::new(ErrorCode::InvalidRequest, "`initialize` was said before"))
            }
            (Stage::Running, _) => self.ask(method, params),
            (Stage::ShutDown | Stage::Ended { .. }, _) => {
                Err(Failed::new(ErrorCode::InvalidRequest, "the server was shut down"))
            }
        }
    }

    /// Answers a request about a document.
    fn ask(&self, method: &str, params: &Json) -> Answer {
        let answer: fn(&Request) -> Answer = match method {
            "textDocument/hover" => hover::hover,
            "textDocument/completion" => complete::complete,
            "textDocument/definition" => navigate::definition,
            "textDocument/references" => navigate::references,
            "textDocument/prepareRename" => navigate::prepare_rename,
            "textDocument/rename" => navigate::rename,
            "textDocument/documentSymbol" => navigate::symbols,
            "textDocument/formatting" => show::formatting,
            "textDocument/semanticTokens/full" => show::tokens,
            "textDocument/inlayHint" => show::hints,
            "textDocument/foldingRange" => show::folds,
            "textDocument/codeAction" => problems::actions,
            _ => {
                return Err(Failed::new(ErrorCode::MethodNotFound, format!("there is no method `{method}`")));
            }
        };
        let uri = params.pointer("/textDocument/uri").and_then(Json::as_str);
        let uri = uri.ok_or_else(|| Failed::new(ErrorCode::InvalidParams, "a document is needed"))?;
        let document = self.documents.get(uri);
        let document =
            document.ok_or_else(|| Failed::new(ErrorCode::InvalidParams, format!("`{uri}` is not open")))?;
        let around = self.around();
        let analysis = document.analysis.get_or_init(|| Analysis::of(document, &around));
        answer(&Request { document, analysis, around, params })
    }

    fn around(&self) -> Around<'_> {
        let Server { registry, files, settings, documents: open, kept, .. } = self;
        // Each document has all of it.
        let budget = self.budget.with(Resource::Memory, self.budget.limit(Resource::Memory));
        Around { registry, settings, files: *files, open, kept, budget }
    }

    fn notified(&mut self, method: &str, params: &Json) {
        if method == "exit" {
            self.stage = Stage::Ended { is_clean: self.stage == Stage::ShutDown };
        }
        if self.stage != Stage::Running {
            return;
        }
        let of = params.get("textDocument").unwrap_or(&Json::Null);
        let uri = of.get("uri").and_then(Json::as_str);
        let version = of.get("version").and_then(Json::as_i64);
        match (method, uri) {
            ("textDocument/didOpen", Some(uri)) => {
                let text = |name: &str| of.get(name).and_then(Json::as_str).unwrap_or("");
                let document = Document {
                    uri: uri.to_owned(),
                    path: path_of(uri),
                    language: text("languageId").to_owned(),
                    version,
                    text: Text::new(text("text")),
                    ..Document::default()
                };
                self.changed(document);
            }
            ("textDocument/didChange", Some(uri)) => {
                let Some(mut document) = self.documents.remove(uri) else { return };
                let changes = params.get("contentChanges").and_then(Json::as_array);
                for change in changes.into_iter().flatten() {
                    let Some(new) = change.get("text").and_then(Json::as_str) else { continue };
                    let range = change.get("range").filter(|range| !range.is_null());
                    let range = range.map(|range| document.text.bytes(range));
                    // A range that is none is a mistake of the editor's; the next whole text puts it right.
                    if range != Some(None) {
                        document.text = document.text.changed(range.flatten(), new);
                    }
                }
                document.version = version;
                self.changed(document);
            }
            ("textDocument/didClose", Some(uri)) => {
                if let Some(document) = self.documents.remove(uri) {
                    self.forget(&document.path);
                    self.closed.push(document.uri);
                }
            }
            ("textDocument/didSave" | "workspace/didChangeWatchedFiles", _) => {
                // Files that are not open may have changed, too.
                self.kept.forget();
                for document in self.documents.values_mut() {
                    if document.analysis.get().is_some_and(|analysis| !analysis.read.is_empty()) {
                        (document.analysis, document.is_new) = (OnceCell::new(), true);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes over a document's new state.
    fn changed(&mut self, mut document: Document) {
        (document.analysis, document.is_new) = (OnceCell::new(), true);
        self.forget(&document.path);
        self.documents.insert(document.uri.clone(), document);
    }

    /// Forgets what was found in documents that name a file.
    fn forget(&mut self, path: &Path) {
        let path = plain(path);
        for document in self.documents.values_mut() {
            if document.analysis.get().is_some_and(|analysis| analysis.read.contains(&path)) {
                (document.analysis, document.is_new) = (OnceCell::new(), true);
            }
        }
    }

    /// What is wrong with documents that have changed since it was called last: to be sent when nothing is left to answer.
    pub fn settle(&mut self) -> Vec<Json> {
        let publish = |uri: &str, version: Option<i64>, diagnostics: Json| {
            let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
            if let Some(version) = version {
                params["version"] = version.into();
            }
            notification("textDocument/publishDiagnostics", params)
        };
        let closed = std::mem::take(&mut self.closed);
        let mut messages: Vec<Json> = closed.iter().map(|uri| publish(uri, None, json!([]))).collect();
        for document in self.documents.values().filter(|document| document.is_new) {
            let analysis = document.analysis.get_or_init(|| Analysis::of(document, &self.around()));
            messages.push(publish(&document.uri, document.version, problems::all(document, analysis)));
        }
        self.documents.values_mut().for_each(|document| document.is_new = false);
        messages
    }
}

impl Serve for Server<'_> {
    fn handle(&mut self, message: Result<Json, String>) -> Vec<Json> {
        match message {
            Ok(message) => Server::handle(self, &message),
            Err(why) => vec![reply(&Json::Null, Err(Failed::new(ErrorCode::Parse, why)))],
        }
    }

    fn idle(&mut self) -> (Vec<Json>, bool) {
        (self.settle(), false)
    }

    fn ended(&self) -> bool {
        Server::ended(self).is_some()
    }
}

/// Serves until `exit` or the end of the input; returns the exit code: 0 if `shutdown` was said before.
///
/// # Errors
/// The streams', and what is wrong with a header.
pub fn serve(
    mut server: Server,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<u8, std::io::Error> {
    crate::wire::serve(&mut server, input, output)?;
    Ok(server.ended().unwrap_or(1))
}
