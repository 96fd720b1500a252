//! What a host must know to use a shader, as JSON.

use crate::resources::{MslSlot, msl_slots, sizes_slot};
use crate::{At, Place, Shape, Target, Translation};
use gpuzoo_isa::{COMPONENTS, Constant, Mask};
use serde_json::{Value, json};

/// The components of a mask.
fn letters(mask: Mask) -> String {
    (0..4u8).filter(|at| mask.has(*at)).map(|at| COMPONENTS[usize::from(at)]).collect()
}

impl Translation {
    /// Entry point, inputs, outputs and bindings, with the names that they have in the language.
    pub fn reflection(&self) -> Value {
        let is_msl = self.options.target == Target::Msl;
        let slots = msl_slots(&self.shader.bindings);
        let bindings = self.shader.bindings.iter().zip(&slots).map(|(binding, slot)| {
            let name = self.names.iter().find(|(own, _)| *own == binding.name);
            let mut object = json!({
                "group": binding.group,
                "binding": binding.binding,
                "name": name.map_or(&binding.name, |(_, name)| name),
                "kind": binding.resource.name(),
                "type": binding.type_name,
                "bytes": binding.bytes,
                "about": binding.about,
            });
            if is_msl {
                object["slot"] = json!(match slot {
                    MslSlot::Buffer(slot) => format!("buffer({slot})"),
                    MslSlot::Texture(slot) => format!("texture({slot})"),
                    MslSlot::Sampler(slot) => format!("sampler({slot})"),
                });
            }
            object
        });
        let [inputs, outputs] =
            [(&self.shader.inputs, true), (&self.shader.outputs, false)].map(|(places, goes_in)| {
                places.iter().map(|place| self.place(place, goes_in)).collect::<Vec<_>>()
            });
        let constants = self.given.iter().map(|own| {
            json!({
                "name": own.name,
                "first": own.reg.index,
                "count": own.count,
                "components": letters(own.mask),
                "bits": own.values,
                "computed": self.is_computed(own),
            })
        });
        let mut object = json!({
            "target": self.options.target.name(),
            "as": self.options.shape.name(),
            "fidelity": self.options.fidelity.name(),
            "entry": self.entry,
            "inputs": inputs,
            "outputs": outputs,
            "bindings": bindings.collect::<Vec<_>>(),
            "constants": constants.collect::<Vec<_>>(),
        });
        if is_msl && self.options.shape == Shape::Compute {
            object["sizes"] = json!(format!("buffer({})", sizes_slot(&self.shader.bindings)));
        }
        if let Some(host) = &self.host {
            object["host"] = json!(host.code);
        }
        object
    }

    /// Whether the host computes a constant from others.
    pub fn is_computed(&self, constant: &Constant) -> bool {
        self.host.as_ref().is_some_and(|host| host.numbers.contains(&constant.reg.index))
    }

    fn place(&self, place: &Place, goes_in: bool) -> Value {
        let mut object =
            json!({ "register": place.register, "place": place.at.to_string(), "type": place.type_name });
        if let At::Location(number) = place.at {
            object["location"] = json!(number);
            if self.options.target.is_glsl() {
                // naga's names, which link a vertex shader with its fragment shader.
                let between = match (self.options.shape, goes_in) {
                    (Shape::Vertex, true) => "p2vs",
                    (Shape::Fragment, false) => "fs2p",
                    _ => "vs2fs",
                };
                object["name"] = json!(format!("_{between}_location{number}"));
            }
        }
        object
    }
}
