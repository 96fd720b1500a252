//! Translations: programs as shaders of the host.

use crate::handles::{free, give, shared};
use crate::memory::{place, store};
use crate::options::{by_name, gpuzoo_option};
use crate::problems::{call_with, gpuzoo_problems};
use crate::program::gpuzoo_program;
use crate::status::{call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::options::{StateOptions, TranslateOptions};

/// A program as a shader of the host. It never changes; any number of threads may look at it.
pub struct gpuzoo_translation {
    text: Kept,
    words: Vec<u32>,
    entry: Kept,
    reflection: Kept,
}

/// Translates a program. The options are those of translating and of the machine's state; there may be none. `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_translate(
    program: *const gpuzoo_program,
    options: *const gpuzoo_option,
    option_count: usize,
    translation: *mut *mut gpuzoo_translation,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(translation)?;
            let program = &shared(program)?.program;
            let mut options = by_name(options, option_count)?;
            let (translate, state): (TranslateOptions, StateOptions) = (options.take()?, options.take()?);
            options.finish()?;
            let made = program.translate(state.state(), &translate)?;
            store(
                translation,
                give(gpuzoo_translation {
                    text: Kept::new(made.text().unwrap_or_default()),
                    words: made.words().unwrap_or_default().to_vec(),
                    entry: Kept::new(made.entry().unwrap_or_default()),
                    reflection: Kept::new(&gpuzoo::diag::json::text(&made.reflection())),
                })?,
            )
        })
    }
}

/// The shader's text; empty for one in words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_translation_text(
    translation: *const gpuzoo_translation,
    text: *mut gpuzoo_text,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(text, shared(translation)?.text.view()) })
}

/// The shader's words, for SPIR-V; `count` gets 0 for one in text. They stay until the translation is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_translation_words(
    translation: *const gpuzoo_translation,
    words: *mut *const u32,
    count: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let translation = shared(translation)?;
        store(words, translation.words.as_ptr())?;
        store(count, translation.words.len())
    })
}

/// What its entry point is called; empty for a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_translation_entry(
    translation: *const gpuzoo_translation,
    entry: *mut gpuzoo_text,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(entry, shared(translation)?.entry.view()) })
}

/// What a host binds where, as JSON: inputs, outputs, bindings and what each holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_translation_reflection(
    translation: *const gpuzoo_translation,
    json: *mut gpuzoo_text,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(json, shared(translation)?.reflection.view()) })
}

/// Frees a translation, and all that it gave. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_translation_free(translation: *mut gpuzoo_translation) -> gpuzoo_status {
    call(|| free(translation))
}
