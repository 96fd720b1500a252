//! The kinds of objects, each with its number.

use crate::handles::Object;
use crate::kernel::gpuzoo_kernel;
use crate::problems::gpuzoo_problems;
use crate::program::gpuzoo_program;
use crate::session::gpuzoo_session;
use crate::translation::gpuzoo_translation;
use crate::vera::gpuzoo_vera;
use crate::x16::gpuzoo_x16;

macro_rules! kinds {
    ($($name:ident = $number:literal),* $(,)?) => {
        $(
            // SAFETY: the numbers are those of an enum's variants, which are all different.
            unsafe impl Object for $name {
                const KIND: u16 = $number;
            }
        )*

        #[allow(dead_code, reason = "the compiler compares the numbers")]
        #[repr(u16)]
        enum Kinds {
            $($name = $number),*
        }
    };
}

kinds! {
    gpuzoo_problems = 1,
    gpuzoo_program = 2,
    gpuzoo_kernel = 3,
    gpuzoo_translation = 4,
    gpuzoo_session = 5,
    gpuzoo_vera = 6,
    gpuzoo_x16 = 7,
}
