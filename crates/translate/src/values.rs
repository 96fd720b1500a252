//! Components and how they are written: what a component of a value is called in the text.

use crate::Fidelity;
use std::fmt::Write;

/// What a number is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `f32`.
    Float,
    /// `u32`.
    Bits,
}

impl Kind {
    /// The type of so many of them.
    pub fn of(self, size: usize) -> &'static str {
        match (self, size) {
            (Kind::Float, 1) => "f32",
            (Kind::Float, 2) => "vec2f",
            (Kind::Float, 3) => "vec3f",
            (Kind::Float, _) => "vec4f",
            (Kind::Bits, 1) => "u32",
            (Kind::Bits, 2) => "vec2u",
            (Kind::Bits, 3) => "vec3u",
            (Kind::Bits, _) => "vec4u",
        }
    }

    /// The type of signed integers of that size.
    pub fn signed(size: usize) -> &'static str {
        ["i32", "vec2i", "vec3i", "vec4i"][size.clamp(1, 4) - 1]
    }

    /// What registers hold.
    pub fn stored(fidelity: Fidelity) -> Kind {
        match fidelity {
            Fidelity::Fast => Kind::Float,
            Fidelity::Exact => Kind::Bits,
        }
    }
}

/// One component of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Component {
    /// These bits.
    Const(u32),
    /// A component of a variable.
    Of {
        /// Its number.
        variable: usize,
        /// Which component: 0 is x.
        at: u8,
    },
}

/// What has a name in the text.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name, or an expression that is as short as one.
    pub name: String,
    /// How many components.
    pub size: usize,
    /// What they are.
    pub kind: Kind,
}

/// Everything that has a name.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    all: Vec<Variable>,
    /// A constant was written that no literal can say.
    pub unsayable: bool,
}

impl Variables {
    /// A new one.
    pub fn add(&mut self, name: String, size: usize, kind: Kind) -> usize {
        self.all.push(Variable { name, size, kind });
        self.all.len() - 1
    }

    /// These components as one expression: a number, or a vector of so many.
    pub fn expression(&mut self, components: &[Component], kind: Kind) -> String {
        if let [one] = components {
            return self.single(*one, kind);
        }
        if let Some(Component::Of { variable, .. }) = components.first().copied() {
            let places: Option<Vec<u8>> = components
                .iter()
                .map(|component| match component {
                    Component::Of { variable: other, at } if *other == variable => Some(*at),
                    _ => None,
                })
                .collect();
            let Variable { name, size, kind: own } = &self.all[variable];
            if let Some(places) = places {
                let same = *size > 1;
                let whole = places.len() == *size && places.iter().zip(0..).all(|(place, at)| *place == at);
                let text = match (same, whole) {
                    (true, true) => name.clone(),
                    (true, false) => format!("{name}.{}", letters(&places)),
                    (false, _) => format!("{}({name})", own.of(components.len())),
                };
                return cast(text, *own, kind, components.len());
            }
        }
        let all_same = components.iter().all(|component| *component == components[0]);
        let shown = if all_same { &components[..1] } else { components };
        let shown: Vec<String> = shown.iter().map(|component| self.single(*component, kind)).collect();
        format!("{}({})", kind.of(components.len()), shown.join(", "))
    }

    /// One component.
    pub fn single(&mut self, component: Component, kind: Kind) -> String {
        match component {
            Component::Const(bits) if kind == Kind::Bits => match bits {
                0..=255 => format!("{bits}u"),
                _ => format!("{bits:#x}u"),
            },
            Component::Const(bits) => {
                let number = f32::from_bits(bits);
                if number.is_normal() || bits == 0 {
                    return format!("{number:?}");
                }
                self.unsayable = true;
                format!("number({bits:#x}u)")
            }
            Component::Of { variable, at } => {
                let Variable { name, size, kind: own } = &self.all[variable];
                let text = if *size == 1 { name.clone() } else { format!("{name}.{}", letters(&[at])) };
                cast(text, *own, kind, 1)
            }
        }
    }
}

/// The same bits as another kind.
pub fn cast(text: String, from: Kind, to: Kind, size: usize) -> String {
    if from == to { text } else { format!("bitcast<{}>({text})", to.of(size)) }
}

/// `xzw` of 0, 2 and 3.
pub fn letters(places: &[u8]) -> String {
    places.iter().fold(String::new(), |mut text, place| {
        let _ = write!(text, "{}", ["x", "y", "z", "w"][usize::from(place & 3)]);
        text
    })
}
