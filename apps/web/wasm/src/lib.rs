//! gpuzoo as a WebAssembly module: JSON in, JSON out, and bytes beside both. The host writes its request into memory that [`alloc`] gives;
//! [`call`] answers, and the answer lies where [`answer`] says until the next call. What a request may ask is in `README.md`.
//!
//! | file | what is in it |
//! |---|---|
//! | `memory`, `request` | memory of the host's; requests, answers, what is wrong with them |
//! | `module` | all that lives between two calls, and who answers what |
//! | `files` | the files of the host, which programs and scenes name |
//! | `objects` | programs, devices and machines that the host has opened |
//! | `adapter` | what the debug adapter launches |
//! | `picture` | frames of scenes and of programs of CPUs |
//! | `runs` | programs over arrays |
//! | `bus`, `device` | VERA and the Commander X16, where the feature `vera` is |
//! | `questions` | words, costs, the IR, pages, compiled and translated programs |
//! | `vectors` | conformance |

mod adapter;
#[cfg(feature = "vera")]
mod bus;
#[cfg(feature = "vera")]
mod device;
mod files;
mod memory;
mod module;
mod objects;
mod picture;
mod questions;
mod request;
mod runs;
mod vectors;

#[cfg(feature = "vera")]
pub use bus::*;
use memory::{Block, Bytes};
use module::Module;
use request::{Problem, Request};
use serde_json::json;
use std::cell::RefCell;

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
    static DATA: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static BYTES: RefCell<Bytes> = const { RefCell::new(Bytes::None) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Memory for so many bytes, at an address of a word, which [`call`] or [`attach`] takes back.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(size: usize) -> *mut u8 {
    Block::room(size)
}

/// Bytes for the next [`call`], which names them by the number that is returned.
///
/// # Safety
/// `start` is from [`alloc`], which got the same `size`, and is given back here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn attach(start: *mut u8, size: usize) -> usize {
    // SAFETY: as the caller says.
    let block = unsafe { Block::taken(start, size) };
    DATA.with_borrow_mut(|data| {
        data.push(block);
        data.len() - 1
    })
}

/// Answers a request, `{"op": …, "about": …}` in JSON: `{"value": …, "bytes": …}` or `{"error": …, "diagnostics": …}`, of which the length
/// is returned.
///
/// # Safety
/// `start` is from [`alloc`], which got the same `size`, and is given back here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(start: *mut u8, size: usize) -> usize {
    // SAFETY: as the caller says.
    let request = unsafe { Block::taken(start, size) };
    let data = DATA.take();
    // What the answer before had is gone, so that there is room for this one's.
    BYTES.replace(Bytes::None);
    let reply = serde_json::from_slice(request.bytes())
        .map_err(|error| Problem::from(format!("the request is no JSON: {error}")))
        .and_then(|request: serde_json::Value| {
            let op = request["op"].as_str().unwrap_or_default();
            with(|module| module.answer(op, Request { about: &request["about"], data: &data }))
        });
    let answer = match reply {
        Ok(reply) => {
            let answer = json!({ "value": reply.value, "bytes": reply.bytes.get().len() });
            BYTES.replace(reply.bytes);
            answer
        }
        Err(problem) => problem.answer(),
    };
    leave(answer.to_string().into_bytes())
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Where its bytes lie: the pixels of a frame, the results of a run.
#[unsafe(no_mangle)]
pub extern "C" fn bytes() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.get().as_ptr())
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
            // Elsewhere, in tests, panics are printed.
            #[cfg(target_arch = "wasm32")]
            std::panic::set_hook(Box::new(|info| {
                let _ = PANIC.try_with(|text| *text.borrow_mut() = info.to_string());
            }));
            Module::new()
        });
        work(module)
    })
}
