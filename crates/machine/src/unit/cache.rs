//! What machines made of programs, kept from draw to draw and from frame to frame.
//!
//! To lower, optimize and compile a program takes longer than to run it for a few thousand vertices. Who draws many times
//! (a scene) owns a [`Cache`] and hands it to each draw ([`Draw::cache`](crate::unit::draw::Draw::cache)). What is in it is the
//! machine's own: each thing holds all that it was made of, and says by that whether it fits a draw.

use gpuzoo_isa::{Inst, Program};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How many things a cache holds; then the one that was not used for the longest time goes.
pub const MAX_KEPT: usize = 256;

/// Things that were made once and are used again. Threads can share one, and clones share what they hold.
///
/// ```
/// use gpuzoo_machine::unit::cache::Cache;
/// struct Square {
///     of: u32,
///     is: u32,
/// }
/// let cache = Cache::default();
/// let mut made = 0;
/// let mut square = |of: u32| {
///     let square = || {
///         made += 1;
///         Square { of, is: of * of }
///     };
///     cache.get(|known: &Square| known.of == of, square).is
/// };
/// assert_eq!([square(3), square(4), square(3)], [9, 16, 9]);
/// assert_eq!(made, 2);
/// ```
#[derive(Clone, Default)]
pub struct Cache {
    /// The last used one first.
    kept: Arc<Mutex<Vec<Arc<dyn Any + Send + Sync>>>>,
}

impl Cache {
    /// The thing of this type that fits; if there is none, what `make` makes, which is kept.
    pub fn get<T: Any + Send + Sync>(&self, fits: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.find(fits) {
            return known;
        }
        // Not under the lock. What two threads make at the same time is there twice until one of them goes.
        let made = Arc::new(make());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, made.clone());
        kept.truncate(MAX_KEPT);
        made
    }

    fn find<T: Any + Send + Sync>(&self, fits: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|kept| kept.downcast_ref().is_some_and(&fits))?;
        kept[..=at].rotate_right(1);
        kept[0].clone().downcast().ok()
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "Cache of {}", kept.len())
    }
}

/// True if two programs are the same in all that a machine can make of them, messages with their places included.
pub fn same_program(a: &Program, b: &Program) -> bool {
    let slots = a.slots.iter().zip(&b.slots);
    a.slots.len() == b.slots.len()
        && (&a.constants, &a.interface, a.span) == (&b.constants, &b.interface, b.span)
        && slots.into_iter().all(|(a, b)| {
            (a.bits, a.span) == (b.bits, b.span)
                && same_inst(a.inst.as_ref(), b.inst.as_ref())
                && same_inst(a.paired.as_ref(), b.paired.as_ref())
        })
}

fn same_inst(a: Option<&Inst>, b: Option<&Inst>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq(a.op, b.op) && a.operands == b.operands,
        (a, b) => a.is_none() && b.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::Span;
    use gpuzoo_isa::{Bits, Interface, Slot};
    use std::cell::Cell;

    #[test]
    fn what_was_not_used_for_long_goes() {
        let cache = Cache::default();
        let made = Cell::new(0);
        let get = |number: usize| {
            let make = || {
                made.set(made.get() + 1);
                number
            };
            assert_eq!(*cache.get(|known: &usize| *known == number, make), number);
        };
        (0..MAX_KEPT).for_each(get);
        // All are there; then the first one is used, so that of those the second one is the oldest.
        (0..MAX_KEPT).for_each(get);
        assert_eq!(made.get(), MAX_KEPT);
        get(0);
        get(MAX_KEPT);
        get(0);
        assert_eq!(made.get(), MAX_KEPT + 1);
        get(1);
        assert_eq!(made.get(), MAX_KEPT + 2);
        assert_eq!(format!("{cache:?}"), format!("Cache of {MAX_KEPT}"));
    }

    #[test]
    fn things_of_different_types_do_not_meet() {
        let cache = Cache::default();
        assert_eq!(*cache.get(|_: &u32| true, || 7), 7_u32);
        assert_eq!(*cache.get(|_: &u64| true, || 8), 8_u64);
        assert_eq!(*cache.get(|_: &u32| true, || 9), 7_u32);
    }

    #[test]
    fn programs_differ_in_anything() {
        let slot = Slot { bits: Bits::word(5), inst: None, paired: None, span: Span::default() };
        let program = Program { slots: vec![slot; 2], ..Program::default() };
        assert!(same_program(&program, &program.clone()));
        let mut others = vec![program.clone(); 4];
        others[0].slots.pop();
        others[1].slots[1].bits = Bits::word(6);
        others[2].slots[1].span.end = 3;
        others[3].interface = Some(Interface::default());
        assert!(others.iter().all(|other| !same_program(&program, other)));
    }
}
