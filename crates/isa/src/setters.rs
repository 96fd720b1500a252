//! Building rows, parts and choices: functions that change a field, for tables that are constants.

/// `name(argument: Type) { field: value }` is a function that takes a value of the type and returns it with the field set.
macro_rules! setters {
    ($type:ty: $($(#[$doc:meta])* $name:ident($($arg:ident: $of:ty),*) { $($field:ident: $value:expr),+ })*) => {
        impl $type {
            $($(#[$doc])* pub const fn $name(mut self, $($arg: $of),*) -> $type { $(self.$field = $value;)+ self })*
        }
    };
}

pub(crate) use setters;
