//! What a machine holds as bytes, and back: the trait, and the lists of fields.
//!
//! A struct of a machine's state lists its fields with `stored!`, each once: one that is forgotten does not compile. What can be worked
//! out from others, or belongs to somebody outside, is listed as such and is not among the bytes. The lists make a text, the layout,
//! by whose sum a file of another layout is known.
//!
//! Numbers are little-endian and as wide as their types, `usize` as wide as `u64`; a list has its length first, an enum the number of
//! its variant. What no machine can hold, an index behind its table for example, is not read: a file that somebody has changed
//! makes no machine that stops elsewhere.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The most bytes that a state has before it is compressed, and the most memory that its lists take.
pub const MAX_STATE: usize = 256 << 20;

/// No machine runs for so long, in whatever clock: what is added to a time before does not run over.
pub const LATEST: u64 = 1 << 53;

/// Bytes that are read, from the front.
pub struct Reader<'a> {
    left: &'a [u8],
    /// The memory that lists may still take: an entry takes more there than among the bytes.
    room: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { left: bytes, room: MAX_STATE }
    }

    /// The next bytes, if there are so many.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.left.split_at_checked(count)?;
        self.left = rest;
        Some(taken)
    }

    /// All bytes were read.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The length of a list, of which each entry takes a byte at least.
    fn length(&mut self) -> Option<usize> {
        usize::read(self).filter(|length| *length <= self.left.len())
    }

    /// Takes the memory of a list; nothing if it is more than a state may have.
    fn make_room<T>(&mut self, count: usize) -> Option<()> {
        self.room = self.room.checked_sub(count.checked_mul(size_of::<T>())?)?;
        Some(())
    }
}

/// What can be a part of a machine's state.
pub trait Stored: Sized {
    /// Adds to the layout what its bytes are.
    fn layout(layout: &mut String);

    /// Adds its bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes its bytes; nothing if there are not enough, or no machine holds this.
    fn read(input: &mut Reader) -> Option<Self>;

    /// Adds the bytes of several.
    fn write_all(all: &[Self], out: &mut Vec<u8>) {
        all.iter().for_each(|one| one.write(out));
    }

    /// Takes the bytes of several.
    fn read_all(input: &mut Reader, count: usize) -> Option<Vec<Self>> {
        input.make_room::<Self>(count)?;
        (0..count).map(|_| Self::read(input)).collect()
    }
}

/// The layout of a field, whose type only the compiler knows.
pub fn layout_of<S, T: Stored>(_: fn(&S) -> &T, layout: &mut String) {
    T::layout(layout);
}

/// A field that is read.
pub fn read_as<S, T: Stored>(_: fn(&S) -> &T, input: &mut Reader) -> Option<T> {
    T::read(input)
}

/// The number of an enum's variant.
pub fn number_of(variants: &[&str], name: &str) -> u8 {
    variants.iter().position(|known| *known == name).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

/// Lists the fields of a struct, and how those come about that are not stored:
/// `stored! { Line { pixels, dirty } without { colors: colors_of(&pixels) } if |line: &Line| line.is_possible() }`. Or the variants of
/// an enum, whose parts have their types: `stored! { enum Stage { Scale, Fetched(index: usize) } }`.
#[macro_export]
macro_rules! stored {
    (enum $name:ident { $($variant:ident $(($($part:ident: $kind:ty),*))? $({ $($field:ident: $type:ty),* })?),* $(,)? }
        $(if $is_possible:expr)?) => {
        impl $crate::Stored for $name {
            fn layout(layout: &mut String) {
                layout.push_str(concat!(stringify!($name), "{"));
                $(
                    layout.push_str(concat!(stringify!($variant), ":"));
                    $($(<$kind as $crate::Stored>::layout(layout); layout.push(',');)*)?
                    $($(<$type as $crate::Stored>::layout(layout); layout.push(',');)*)?
                )*
                layout.push('}');
            }

            fn write(&self, out: &mut Vec<u8>) {
                const VARIANTS: &[&str] = &[$(stringify!($variant)),*];
                match self {
                    $($name::$variant $(($($part),*))? $({ $($field),* })? => {
                        out.push($crate::number_of(VARIANTS, stringify!($variant)));
                        $($($crate::Stored::write($part, out);)*)?
                        $($($crate::Stored::write($field, out);)*)?
                    })*
                }
            }

            fn read(input: &mut $crate::Reader) -> Option<Self> {
                let number = u8::read(input)?;
                let mut variants = 0u8..;
                let read = 'read: {
                    $(
                        if variants.next() == Some(number) {
                            $($(let $part = <$kind as $crate::Stored>::read(input)?;)*)?
                            $($(let $field = <$type as $crate::Stored>::read(input)?;)*)?
                            break 'read Some($name::$variant $(($($part),*))? $({ $($field),* })?);
                        }
                    )*
                    None
                };
                read $(.filter($is_possible))?
            }
        }
    };
    ($name:ident { $($field:ident),* $(,)? } $(without { $($other:ident: $value:expr),* $(,)? })? $(if $is_possible:expr)?) => {
        impl $crate::Stored for $name {
            fn layout(layout: &mut String) {
                layout.push_str(concat!(stringify!($name), "{"));
                $(
                    layout.push_str(concat!(stringify!($field), ":"));
                    $crate::layout_of(|value: &$name| &value.$field, layout);
                    layout.push(',');
                )*
                layout.push('}');
            }

            fn write(&self, out: &mut Vec<u8>) {
                let $name { $($field,)* $($($other: _,)*)? } = self;
                $($crate::Stored::write($field, out);)*
            }

            fn read(input: &mut $crate::Reader) -> Option<Self> {
                $(let $field = $crate::read_as(|value: &$name| &value.$field, input)?;)*
                $($(let $other = $value;)*)?
                Some($name { $($field,)* $($($other,)*)? }) $(.filter($is_possible))?
            }
        }
    };
}

/// Numbers of a fixed width.
macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Stored for $number {
            fn layout(layout: &mut String) {
                layout.push_str(stringify!($number));
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            fn read(input: &mut Reader) -> Option<$number> {
                Some($number::from_le_bytes(*input.take(size_of::<$number>())?.as_array()?))
            }
        })*
    };
}

numbers! { u16 u32 u64 u128 i8 i16 i32 }

/// What many are of: taken at once.
impl Stored for u8 {
    fn layout(layout: &mut String) {
        layout.push_str("u8");
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn read(input: &mut Reader) -> Option<u8> {
        input.take(1)?.first().copied()
    }

    fn write_all(all: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(all);
    }

    fn read_all(input: &mut Reader, count: usize) -> Option<Vec<u8>> {
        input.make_room::<u8>(count)?;
        input.take(count).map(<[u8]>::to_vec)
    }
}

/// Types that are stored as another one.
#[macro_export]
macro_rules! stored_as {
    ($($own:ty: $other:ty, $to:expr, $from:expr;)*) => {
        $(impl $crate::Stored for $own {
            fn layout(layout: &mut String) {
                <$other as $crate::Stored>::layout(layout);
            }

            fn write(&self, out: &mut Vec<u8>) {
                $crate::Stored::write(&$to(self), out);
            }

            fn read(input: &mut $crate::Reader) -> Option<$own> {
                $from(<$other as $crate::Stored>::read(input)?)
            }
        })*
    };
}

stored_as! {
    usize: u64, |own: &usize| *own as u64, |other| usize::try_from(other).ok();
    bool: u8, |own: &bool| u8::from(*own), |other: u8| (other < 2).then_some(other == 1);
    char: u32, |own: &char| u32::from(*own), char::from_u32;
    String: Vec<u8>, |own: &String| own.as_bytes().to_vec(), |other| String::from_utf8(other).ok();
    Arc<Vec<u8>>: Vec<u8>, |own: &Arc<Vec<u8>>| own.to_vec(), |other| Some(Arc::new(other));
}

impl<T: Stored + Clone, const N: usize> Stored for [T; N] {
    fn layout(layout: &mut String) {
        T::layout(layout);
        layout.push_str(&format!("*{N}"));
    }

    fn write(&self, out: &mut Vec<u8>) {
        T::write_all(self, out);
    }

    fn read(input: &mut Reader) -> Option<[T; N]> {
        T::read_all(input, N)?.try_into().ok()
    }

    fn write_all(all: &[[T; N]], out: &mut Vec<u8>) {
        T::write_all(all.as_flattened(), out);
    }

    fn read_all(input: &mut Reader, count: usize) -> Option<Vec<[T; N]>> {
        Some(T::read_all(input, count.checked_mul(N)?)?.as_chunks().0.to_vec())
    }
}

/// Lists.
macro_rules! lists {
    ($($list:ty)*) => {
        $(impl<T: Stored + Clone> Stored for $list {
            fn layout(layout: &mut String) {
                T::layout(layout);
                layout.push('*');
            }

            fn write(&self, out: &mut Vec<u8>) {
                self.len().write(out);
                T::write_all(self, out);
            }

            fn read(input: &mut Reader) -> Option<$list> {
                let length = input.length()?;
                Some(T::read_all(input, length)?.into())
            }
        })*
    };
}

lists! { Vec<T> Box<[T]> Arc<[T]> }

impl<T: Stored + Clone> Stored for VecDeque<T> {
    fn layout(layout: &mut String) {
        <Vec<T>>::layout(layout);
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (first, second) = self.as_slices();
        self.len().write(out);
        T::write_all(first, out);
        T::write_all(second, out);
    }

    fn read(input: &mut Reader) -> Option<VecDeque<T>> {
        <Vec<T>>::read(input).map(VecDeque::from)
    }
}

impl<K: Stored + Ord, V: Stored> Stored for BTreeMap<K, V> {
    fn layout(layout: &mut String) {
        <(K, V)>::layout(layout);
        layout.push('*');
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }

    fn read(input: &mut Reader) -> Option<BTreeMap<K, V>> {
        let length = input.length()?;
        (0..length).map(|_| <(K, V)>::read(input)).collect()
    }
}

impl<T: Stored> Stored for Option<T> {
    fn layout(layout: &mut String) {
        T::layout(layout);
        layout.push('?');
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|one| one.write(out));
    }

    fn read(input: &mut Reader) -> Option<Option<T>> {
        Some(if bool::read(input)? { Some(T::read(input)?) } else { None })
    }
}

impl<T: Stored> Stored for Box<T> {
    fn layout(layout: &mut String) {
        T::layout(layout);
    }

    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }

    fn read(input: &mut Reader) -> Option<Box<T>> {
        T::read(input).map(Box::new)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn layout(layout: &mut String) {
        A::layout(layout);
        layout.push('+');
        B::layout(layout);
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut Reader) -> Option<(A, B)> {
        Some((A::read(input)?, B::read(input)?))
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
