//! What is derived from a machine's tables, once for all programs.

use gpuzoo_isa::Isa;
use std::sync::{Arc, Mutex, PoisonError};

/// What there is for each machine that was asked for, by the place of its tables.
pub struct Derived<T>(Mutex<Vec<(usize, Arc<T>)>>);

impl<T> Derived<T> {
    /// Nothing is derived yet.
    pub const fn new() -> Derived<T> {
        Derived(Mutex::new(Vec::new()))
    }

    /// What is derived from a machine's tables. None if nothing can be.
    pub fn of(&self, isa: &'static Isa, derive: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let place = std::ptr::from_ref(isa).addr();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(own, _)| *own == place) {
            return Some(known.clone());
        }
        let own = Arc::new(derive()?);
        all.push((place, own.clone()));
        Some(own)
    }
}
