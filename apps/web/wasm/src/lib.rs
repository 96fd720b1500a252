//! gpuzoo as a WebAssembly module: JSON in, JSON out, and pictures as bytes. The host writes its request into memory that [`alloc`] gives;
//! [`call`] answers, and the answer lies where [`answer`] says until the next call. What a request may ask is in `README.md`.
//!
//! | file | what is in it |
//! |---|---|
//! | `files` | the files of the host, which programs and scenes name |
//! | `adapter` | what the debug adapter launches |
//! | `picture` | frames of scenes and of programs of CPUs |
//! | `questions` | words, costs, the IR, pages, compiled and translated programs |

mod adapter;
mod files;
mod picture;
mod questions;

use files::Files;
use gpuzoo::Registry;
use gpuzoo::diag::{Diagnostics, Sources};
use gpuzoo_dap::Server as Adapter;
use gpuzoo_lsp::Server as Language;
use picture::Pictures;
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What goes wrong, as people read it.
type Answer = Result<Json, String>;

/// All that lives between two calls.
struct Module {
    registry: Registry,
    files: Rc<Files>,
    language: Language<'static>,
    adapter: Adapter,
    pictures: Pictures,
}

impl Module {
    fn new() -> Module {
        let registry = Registry::default();
        let files = Rc::new(Files::default());
        // The module lives as long as its memory: one allocation that is never given back.
        let seen: &'static Files = Box::leak(Box::new(Files::of(&files)));
        Module {
            language: Language::new(registry.clone(), seen),
            adapter: adapter::new(&registry, &files),
            pictures: Pictures::default(),
            registry,
            files,
        }
    }

    fn answer(&mut self, request: &Json) -> Answer {
        let about = &request["about"];
        match request["op"].as_str().unwrap_or_default() {
            "lsp" => Ok(self.lsp(about)),
            "dap" => Ok(self.dap(about)),
            "put" => {
                self.pictures.forget();
                self.files.put(text(about, "name")?, text(about, "text")?.as_bytes().to_vec());
                Ok(Json::Null)
            }
            "remove" => {
                self.pictures.forget();
                self.files.remove(text(about, "name")?);
                Ok(Json::Null)
            }
            "frame" => self.pictures.frame(&self.registry, &self.files, about),
            op => questions::answer(&self.registry, &self.files, op, about),
        }
    }

    /// A server that has been initialized begins anew with the next `initialize`.
    fn lsp(&mut self, message: &Json) -> Json {
        if message["method"] == "initialize" {
            let seen: &'static Files = Box::leak(Box::new(Files::of(&self.files)));
            self.language = Language::new(self.registry.clone(), seen);
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
        loop {
            let (mut more, goes_on) = self.adapter.advance();
            said.append(&mut more);
            if !goes_on {
                return Json::Array(said);
            }
        }
    }
}

/// A text of a request.
fn text<'a>(about: &'a Json, name: &str) -> Result<&'a str, String> {
    about[name].as_str().ok_or_else(|| format!("the request has no `{name}`"))
}

/// Problems with the lines that they are about.
fn shown(problems: Vec<gpuzoo::diag::Diagnostic>, sources: Sources) -> String {
    Diagnostics::new(problems, Arc::new(sources)).to_string()
}

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Memory for so many bytes, which the next [`call`] or [`put`] takes back.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(size: usize) -> *mut u8 {
    Box::leak(vec![0; size].into_boxed_slice()).as_mut_ptr()
}

/// Takes back what [`alloc`] gave.
///
/// # Safety
/// `start` is from [`alloc`], which got the same `size`, and is given back once.
unsafe fn taken(start: *mut u8, size: usize) -> Vec<u8> {
    // SAFETY: as the caller says; a boxed slice has no room beside what it holds.
    unsafe { Vec::from_raw_parts(start, size, size) }
}

/// Answers a request, `{"op": ..., "about": ...}` in JSON: `{"value": ...}` or `{"error": ...}`, of which the length is returned.
///
/// # Safety
/// `start` is from [`alloc`], which got the same `size`, and is given back here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(start: *mut u8, size: usize) -> usize {
    // SAFETY: as the caller says.
    let request = unsafe { taken(start, size) };
    let answer = match serde_json::from_slice::<Json>(&request) {
        Ok(request) => with(|module| module.answer(&request)),
        Err(error) => Err(format!("the request is no JSON: {error}")),
    };
    let answer = match answer {
        Ok(value) => json!({ "value": value }),
        Err(error) => json!({ "error": error }),
    };
    leave(answer.to_string().into_bytes())
}

/// Puts a file: its name, then its bytes, all of it from one [`alloc`].
///
/// # Safety
/// As for [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn put(start: *mut u8, size: usize, name: usize) {
    // SAFETY: as the caller says.
    let mut bytes = unsafe { taken(start, size) };
    let content = bytes.split_off(name.min(size));
    with(|module| {
        module.pictures.forget();
        module.files.put(&String::from_utf8_lossy(&bytes), content);
    });
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Where the pixels of the last frame lie: four bytes each, red, green, blue, alpha.
#[unsafe(no_mangle)]
pub extern "C" fn pixels() -> *const u8 {
    with(|module| module.pictures.pixels().as_ptr())
}

/// After a trap: leaves the text of the panic as the answer, and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn panic_text() -> usize {
    leave(PANIC.with_borrow(|text| text.clone().into_bytes()))
}

fn leave(bytes: Vec<u8>) -> usize {
    ANSWER.with_borrow_mut(|answer| {
        *answer = bytes;
        answer.len()
    })
}

fn with<T>(work: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(|module| {
        let module = module.get_or_insert_with(|| {
            std::panic::set_hook(Box::new(|info| {
                let _ = PANIC.try_with(|text| *text.borrow_mut() = info.to_string());
            }));
            Module::new()
        });
        work(module)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &str); 4] = [
        ("a.vsh", "vs.1.1\nmov oPos, v0\nmov oD0, c[96]\n"),
        ("p.s", "  lda #1\n  sta $9f23\n  rts\n"),
        ("l.wgsl", "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n"),
        (
            "s.toml",
            "gpu = \"nv2a\"\nsize = [4, 4]\n[program.p]\nfile = \"a.vsh\"\n[mesh.m]\nposition = [[0, 0], [1, 0], [0, 1]]\n\
             [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { v0 = \"position\" }\n",
        ),
    ];

    fn module() -> Module {
        let mut module = Module::new();
        for (name, text) in FILES {
            assert_eq!(
                module.answer(&json!({ "op": "put", "about": { "name": name, "text": text } })),
                Ok(Json::Null)
            );
        }
        module
    }

    /// Requests of every operation, with members that are missing, of another type or out of range, and servers' messages in any order:
    /// each is answered, and the module goes on.
    #[test]
    fn any_request_is_answered() {
        const OPS: [&str; 12] = [
            "lsp",
            "dap",
            "frame",
            "words",
            "check",
            "emit",
            "explain",
            "translate",
            "put",
            "remove",
            "none",
            "",
        ];
        const MEMBERS: [&str; 21] = [
            "program",
            "subject",
            "gpu",
            "profile",
            "view",
            "time",
            "form",
            "optimize",
            "what",
            "to",
            "name",
            "text",
            "method",
            "params",
            "id",
            "command",
            "arguments",
            "seq",
            "pixel",
            "frame",
            "type",
        ];
        let values = [
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1e300),
            json!(u64::MAX),
            json!(""),
            json!("a.vsh"),
            json!("p.s"),
            json!("l.wgsl"),
            json!("s.toml"),
            json!("/x/../s.toml"),
            json!("nv2a"),
            json!("vera"),
            json!("hw"),
            json!("rtl"),
            json!("hex"),
            json!("json"),
            json!("wgsl"),
            json!("depth"),
            json!("mov"),
            json!("initialize"),
            json!("launch"),
            json!("request"),
            json!([1, 2]),
            json!([-1, "x"]),
            json!({}),
            json!({ "program": "/s.toml", "pixel": [1, 2] }),
            json!({ "program": "p.s" }),
            json!("\u{0}\u{202e}ä"),
        ];
        let mut module = module();
        let mut state = 16_u64;
        let mut below = |count: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % count
        };
        let (mut values_given, mut refused) = (0, 0);
        for _ in 0..4000 {
            let mut about = json!({});
            for _ in 0..below(6) {
                about[MEMBERS[below(MEMBERS.len())]] = values[below(values.len())].clone();
            }
            let about = if below(20) == 0 { values[below(values.len())].clone() } else { about };
            match module.answer(&json!({ "op": OPS[below(OPS.len())], "about": about })) {
                Ok(_) => values_given += 1,
                Err(said) => refused += usize::from(!said.is_empty()),
            }
        }
        assert!(values_given > 500 && refused > 500, "{values_given} answers, {refused} refused");
        for (name, text) in FILES {
            module.files.put(name, text.into());
        }
        module.pictures.forget();
        let frame = module.answer(&json!({ "op": "frame", "about": { "subject": "s.toml" } })).unwrap();
        assert_eq!((&frame["width"], module.pictures.pixels().len()), (&json!(4), 64));
    }

    /// The last picture of a program, however late it is asked for.
    #[test]
    fn times_have_no_end() {
        let mut module = module();
        for time in [0.0, 1e9, 1e300, 0.1] {
            let frame = module
                .answer(&json!({ "op": "frame", "about": { "subject": "p.s", "time": time } }))
                .unwrap();
            assert_eq!((&frame["width"], &frame["moves"]), (&json!(640), &json!(true)), "{time}");
        }
    }
}
