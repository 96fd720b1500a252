//! All that lives between two calls, and who answers what.

#[cfg(feature = "vera")]
use crate::device::answer as device;
use crate::files::Files;
use crate::objects::{Objects, number};
use crate::picture::Pictures;
use crate::request::{Answer, Request};
use crate::{adapter, questions, runs, vectors};
use gpuzoo::Registry;
use gpuzoo_editor::dap::Server as Adapter;
use gpuzoo_editor::lsp::Server as Language;
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// A run of the debugger that goes on is paused after so many pieces, about a million steps: no message can stop it while it is
/// answered.
const PIECES: usize = 16;

pub struct Module {
    registry: Registry,
    files: Rc<Files>,
    language: Language<'static>,
    adapter: Adapter,
    pictures: Pictures,
    pub objects: Objects,
}

impl Module {
    pub fn new() -> Module {
        let registry = Registry::default();
        let files = Rc::new(Files::default());
        Module {
            language: language(&registry, &files),
            adapter: adapter::new(&registry, &files),
            pictures: Pictures::default(),
            objects: Objects::default(),
            registry,
            files,
        }
    }

    pub fn answer(&mut self, op: &str, request: Request) -> Answer {
        let (registry, files, objects) = (&self.registry, &self.files, &mut self.objects);
        match op {
            "lsp" => Ok(self.lsp(request.about).into()),
            "dap" => Ok(self.dap(request.about).into()),
            "put" => {
                files.put(request.text("name")?, request.content()?.to_vec());
                self.pictures.forget();
                Ok(Json::Null.into())
            }
            "remove" => {
                files.remove(request.text("name")?);
                self.pictures.forget();
                Ok(Json::Null.into())
            }
            "frame" => self.pictures.frame(registry, files, request),
            "give" => self.pictures.give(request),
            "open" => runs::open(registry, files, objects, request),
            "compile" => runs::compile(registry, files, objects, request),
            "run" => runs::run(objects, request),
            "trace" => runs::trace(objects, request),
            "close" => {
                objects.close(number(request)?);
                Ok(Json::Null.into())
            }
            "conform" => vectors::conform(registry, files, request),
            _ => device(files, objects, op, request)
                .or_else(|| questions::answer(registry, files, objects, op, request))
                .unwrap_or_else(|| Err(format!("there is no operation `{op}`").into())),
        }
    }

    /// A server that has been initialized begins anew with the next `initialize`.
    fn lsp(&mut self, message: &Json) -> Json {
        if message["method"] == "initialize" {
            self.language = language(&self.registry, &self.files);
        }
        let mut said = self.language.handle(message);
        said.append(&mut self.language.settle());
        Json::Array(said)
    }

    fn dap(&mut self, message: &Json) -> Json {
        if message["command"] == "initialize" {
            self.adapter = adapter::new(&self.registry, &self.files);
        }
        let mut said = self.adapter.handle(message);
        for _ in 0..PIECES {
            let (mut more, goes_on) = self.adapter.advance();
            said.append(&mut more);
            if !goes_on {
                return Json::Array(said);
            }
        }
        let thread = message["arguments"]["threadId"].as_u64().unwrap_or(1);
        let pause =
            json!({ "seq": 0, "type": "request", "command": "pause", "arguments": { "threadId": thread } });
        said.extend(self.adapter.handle(&pause));
        Json::Array(said)
    }
}

/// Refuses what would ask for VERA.
#[cfg(not(feature = "vera"))]
fn device(_: &Files, _: &mut Objects, op: &str, _: Request) -> Option<Answer> {
    let is_asked = matches!(op.split('/').next(), Some("vera" | "x16"));
    let refused = || gpuzoo::diag::Diagnostic::error(&gpuzoo::codes::LEFT_OUT, "VERA is not in this build");
    is_asked.then(|| Err(refused().into()))
}

fn language(registry: &Registry, files: &Files) -> Language<'static> {
    // The module lives as long as its memory: an allocation that is never given back.
    let seen: &'static Files = Box::leak(Box::new(Files::of(files)));
    Language::new(registry.clone(), seen)
}
