//! Translations: programs as shaders of the host.

use crate::handles::{free, give, shared};
use crate::memory::{Options, options, place, store};
use crate::problems::{call_with, gpuzoo_problems};
use crate::program::gpuzoo_program;
use crate::status::{call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::State;
use gpuzoo::machine::RunState;
use gpuzoo::translate::{self, Options as Wanted};

/// A program as a shader of the host. It never changes; any number of threads may look at it.
pub struct gpuzoo_translation {
    text: Kept,
    words: Vec<u32>,
    entry: Kept,
    reflection: Kept,
}

/// What a program is translated to. All zeros, but for the size, are what is usual, and so is NULL in place of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_translation_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// The language: wgsl, spirv, spirv10, spvasm, glsl, glsl330, essl300, essl310, hlsl or msl; else wgsl.
    pub target: gpuzoo_text,
    /// What becomes of the program: vertex, fragment, compute or function; else what it is in a pipeline.
    pub shape: gpuzoo_text,
    /// Whose numbers it computes with: fast, the host's; exact, the machine's; else the usual one.
    pub fidelity: gpuzoo_text,
    /// The numeric profile; else the machine's usual one.
    pub profile: gpuzoo_text,
    /// 1 if the program leaves positions in clip space, on machines whose programs usually leave them in pixels.
    pub raw_position: u32,
    /// The group of all resources: the set of Vulkan, the register space of Direct3D.
    pub group: u32,
    /// Resources that are not to have the usual bindings: `c=4,texture0t=17`.
    pub bindings: gpuzoo_text,
    /// What the names of functions, types and resources begin with.
    pub prefix: gpuzoo_text,
    /// 1 to give the outputs that the program does not write, too.
    pub all_outputs: u32,
    /// 1 to make the size of points the pipeline's own, not one more varying.
    pub point_size: u32,
    /// 1 for SPIR-V without names and lines.
    pub strip: u32,
}

// SAFETY: it begins with its size; texts and numbers may hold any bits.
unsafe impl Options for gpuzoo_translation_options {}

/// Translates a program. `options` may be NULL, and so may `problems`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_translate(
    program: *const gpuzoo_program,
    options: *const gpuzoo_translation_options,
    translation: *mut *mut gpuzoo_translation,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(translation)?;
            let own = self::options(options)?;
            let program = &shared(program)?.program;
            let bindings = own.bindings.name()?.into_iter().flat_map(|all| all.split(','));
            let mut wanted = Wanted {
                raw_position: own.raw_position != 0,
                group: own.group,
                bindings: bindings.map(translate::binding).collect::<Result<_, _>>()?,
                prefix: own.prefix.name()?.unwrap_or_default().to_owned(),
                all_outputs: own.all_outputs != 0,
                point_size: own.point_size != 0,
                strip: own.strip != 0,
                ..Wanted::default()
            };
            if let Some(name) = own.target.name()? {
                wanted.target = translate::target(name)?;
            }
            if let Some(name) = own.fidelity.name()? {
                wanted.fidelity = translate::fidelity(name)?;
            }
            wanted.shape = match own.shape.name()? {
                Some(name) => translate::shape(name)?,
                None => program.shape(&RunState::default()),
            };
            let state = own.profile.name()?.map_or_else(State::new, State::from);
            let made = program.translate(state, &wanted)?;
            store(
                translation,
                give(gpuzoo_translation {
                    text: Kept::new(made.text().unwrap_or_default()),
                    words: made.words().unwrap_or_default().to_vec(),
                    entry: Kept::new(made.entry().unwrap_or_default()),
                    reflection: Kept::new(&made.reflection().to_string()),
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
