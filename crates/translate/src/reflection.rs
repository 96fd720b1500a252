//! What a host must know to use a shader, as JSON.

use crate::resources::{MslSlot, msl_slots, sizes_slot};
use crate::{At, Place, Shape, Target, Translation};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Constant, Mask};
use serde::Serialize;

/// The interface of a shader, with the names that it has in the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reflection<'a> {
    /// The language: `wgsl`.
    pub target: &'static str,
    /// The shape: `vertex`.
    #[serde(rename = "as")]
    pub shape: &'static str,
    /// The fidelity: `exact`.
    pub fidelity: &'static str,
    /// The name of the entry point; none for a function.
    pub entry: Option<&'a str>,
    /// Inputs.
    pub inputs: Vec<ReflectedPlace<'a>>,
    /// Outputs.
    pub outputs: Vec<ReflectedPlace<'a>>,
    /// Resources.
    pub bindings: Vec<ReflectedBinding<'a>>,
    /// The constants that the program gives values or names.
    pub constants: Vec<ReflectedConstant<'a>>,
    /// The slot of the lengths of buffers: `buffer(3)`, for compute shaders in Metal's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<String>,
    /// A function in C that computes constants from others, if the host has to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<&'a str>,
}

/// An input or an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReflectedPlace<'a> {
    /// The machine's register.
    pub register: &'a str,
    /// The place in words: `location 2`, `point size`.
    pub place: String,
    /// Its type in the language.
    #[serde(rename = "type")]
    pub type_name: &'a str,
    /// The number of its location, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u16>,
    /// Its name in the language, where names link shaders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReflectedBinding<'a> {
    /// The number of its group.
    pub group: u32,
    /// Its number in the group.
    pub binding: u32,
    /// Its name in the language.
    pub name: &'a str,
    /// `uniform`, `storage`, `texture` and others.
    pub kind: &'static str,
    /// Its type in the language.
    #[serde(rename = "type")]
    pub type_name: &'a str,
    /// Its size in bytes; 0 for textures and samplers.
    pub bytes: usize,
    /// A sentence about its content.
    pub about: &'static str,
    /// Its slot in Metal's language: `buffer(1)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
}

/// Constants of a program that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReflectedConstant<'a> {
    /// Their name; none for numbers of the text.
    pub name: Option<&'a str>,
    /// The number of the first register.
    pub first: u16,
    /// The number of registers.
    pub count: u16,
    /// The letters of the components that are theirs in each register.
    pub components: String,
    /// The bits of each register; empty for those that the host gives.
    pub bits: &'a [Vec4],
    /// True if the host computes them from others.
    pub computed: bool,
}

/// The components of a mask.
fn letters(mask: Mask) -> String {
    (0..4u8).filter(|at| mask.has(*at)).map(|at| COMPONENTS[usize::from(at)]).collect()
}

impl Translation {
    /// Entry point, inputs, outputs and bindings, with the names that they have in the language.
    pub fn reflection(&self) -> Reflection<'_> {
        let is_msl = self.options.target() == Target::Msl;
        let slots = msl_slots(&self.shader.bindings);
        let bindings = self.shader.bindings.iter().zip(&slots).map(|(binding, slot)| {
            let name = self.names.iter().find(|(own, _)| *own == binding.name);
            let slot = || match slot {
                MslSlot::Buffer(slot) => format!("buffer({slot})"),
                MslSlot::Texture(slot) => format!("texture({slot})"),
                MslSlot::Sampler(slot) => format!("sampler({slot})"),
            };
            ReflectedBinding {
                group: binding.group,
                binding: binding.binding,
                name: name.map_or(&binding.name, |(_, name)| name),
                kind: binding.resource.name(),
                type_name: &binding.type_name,
                bytes: binding.bytes,
                about: binding.about,
                slot: is_msl.then(slot),
            }
        });
        let constants = self.given.iter().map(|own| ReflectedConstant {
            name: own.name.as_deref(),
            first: own.reg.index,
            count: own.count,
            components: letters(own.mask),
            bits: &own.values,
            computed: self.is_computed(own),
        });
        let has_sizes = is_msl && self.options.shape() == Shape::Compute;
        Reflection {
            target: self.options.target().name(),
            shape: self.options.shape().name(),
            fidelity: self.options.fidelity.name(),
            entry: self.entry.as_deref(),
            inputs: self.shader.inputs.iter().map(|place| self.place(place, true)).collect(),
            outputs: self.shader.outputs.iter().map(|place| self.place(place, false)).collect(),
            bindings: bindings.collect(),
            constants: constants.collect(),
            sizes: has_sizes.then(|| format!("buffer({})", sizes_slot(&self.shader.bindings))),
            host: self.host.as_ref().map(|host| host.code.as_str()),
        }
    }

    /// Whether the host computes a constant from others.
    pub fn is_computed(&self, constant: &Constant) -> bool {
        self.host.as_ref().is_some_and(|host| host.numbers.contains(&constant.reg.index))
    }

    fn place<'a>(&self, place: &'a Place, goes_in: bool) -> ReflectedPlace<'a> {
        let location = match place.at {
            At::Location(number) => Some(number),
            _ => None,
        };
        // naga's names, which link a vertex shader with its fragment shader.
        let between = match (self.options.shape(), goes_in) {
            (Shape::Vertex, true) => "p2vs",
            (Shape::Fragment, false) => "fs2p",
            _ => "vs2fs",
        };
        let name = location.filter(|_| self.options.target().is_glsl());
        ReflectedPlace {
            register: &place.register,
            place: place.at.to_string(),
            type_name: place.type_name,
            location,
            name: name.map(|number| format!("_{between}_location{number}")),
        }
    }
}
