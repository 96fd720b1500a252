//! Calls that may panic: naga's readers do not bear everything that a damaged source may say.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// True while this thread is in such a call.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// The hook stays for good, since taking it away would take that of another thread's call.
static HOOK: Once = Once::new();

/// What a call gives, or nothing if it panics: then nothing is printed either. Panics of other threads, and others of this one, are
/// printed as before.
pub fn unbroken<T>(run: impl FnOnce() -> T) -> Option<T> {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
    let outer = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    IS_GUARDED.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn only_guarded_panics_are_silent() {
        static TOLD: AtomicUsize = AtomicUsize::new(0);
        // Those of other tests go to the hook that was there.
        let own = std::thread::current().id();
        let before = take_hook();
        set_hook(Box::new(move |panic| match std::thread::current().id() == own {
            true => drop(TOLD.fetch_add(1, Ordering::Relaxed)),
            false => before(panic),
        }));
        assert_eq!(unbroken(|| 1), Some(1));
        assert_eq!(unbroken(|| -> i32 { panic!("guarded") }), None);
        assert_eq!(TOLD.load(Ordering::Relaxed), 0);
        let told = catch_unwind(|| panic!("told"));
        assert!(told.is_err());
        assert_eq!(TOLD.load(Ordering::Relaxed), 1);
    }
}
