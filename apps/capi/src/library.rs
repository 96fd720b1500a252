//! The library itself: its version, its machines, what it holds, what its statuses mean.

use crate::handles;
use crate::memory::store;
use crate::status::gpuzoo_status::*;
use crate::status::{Failure, call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::{GPUS, Registry};
use std::sync::LazyLock;

/// Describes a status in a few words. `status` may be any number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_status_text(status: i32, text: *mut gpuzoo_text) -> gpuzoo_status {
    call(|| {
        let known = [
            (GPUZOO_OK, "no error\0"),
            (GPUZOO_ERR_INPUT, "the input is wrong\0"),
            (GPUZOO_ERR_ARGUMENT, "an argument is wrong\0"),
            (GPUZOO_ERR_SPACE, "a buffer is too small\0"),
            (GPUZOO_ERR_HANDLE, "a handle is of no object of this kind\0"),
            (GPUZOO_ERR_BUSY, "another thread uses the object\0"),
            (GPUZOO_ERR_NOT_FOUND, "there is nothing of this number or name\0"),
            (GPUZOO_ERR_MEMORY, "there is not enough memory\0"),
            (GPUZOO_ERR_INTERNAL, "a mistake in gpuzoo\0"),
        ];
        let words = known.iter().find(|(known, _)| *known as i32 == status);
        let words = words.map_or("a status that there is not\0", |(_, words)| words);
        // SAFETY: the caller's pointer.
        unsafe { store(text, gpuzoo_text::of_terminated(words.as_bytes())) }
    })
}

/// The library's version, such as 0.1.0; it stays as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_version(version: *mut gpuzoo_text) -> gpuzoo_status {
    let own = concat!(env!("CARGO_PKG_VERSION"), "\0");
    // SAFETY: the caller's pointer.
    call(|| unsafe { store(version, gpuzoo_text::of_terminated(own.as_bytes())) })
}

/// For each machine its id, its name and its profiles.
static MACHINES: LazyLock<Vec<[Kept; 3]>> = LazyLock::new(|| {
    let machine = |gpu: &&'static dyn gpuzoo::Gpu| {
        let about = gpu.about();
        let profiles: Vec<&str> = about.named_profiles().map(|(name, _)| name).collect();
        [about.id, about.name, &profiles.join(" ")].map(Kept::new)
    };
    GPUS.iter().map(machine).collect()
});

/// The machine of a number, counted from 0: its id, which other functions take, its name, and its numeric profiles, the usual one first,
/// with spaces between. Each pointer may be NULL. The texts stay as long as the program. GPUZOO_ERR_NOT_FOUND is behind the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_machine(
    index: usize,
    id: *mut gpuzoo_text,
    name: *mut gpuzoo_text,
    profiles: *mut gpuzoo_text,
) -> gpuzoo_status {
    call(|| {
        let found = MACHINES.get(index);
        let found = found
            .ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no machine {index}")))?;
        for (to, text) in [id, name, profiles].into_iter().zip(found) {
            if !to.is_null() {
                // SAFETY: the caller's pointer.
                unsafe { store(to, text.view()) }?;
            }
        }
        Ok(())
    })
}

/// How many objects there are that were not freed: 0 at the end of a program without leaks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_objects(count: *mut usize) -> gpuzoo_status {
    // SAFETY: the caller's pointer.
    call(|| unsafe { store(count, handles::count()) })
}

/// The shader unit of an id.
pub(crate) fn unit(id: gpuzoo_text) -> Result<gpuzoo::Machine, Failure> {
    // SAFETY: the caller of the exported function gave it.
    let id = unsafe { id.text() }?;
    Ok(gpuzoo::Machine::new(Registry::default().shader_unit(Some(id), "")?))
}
