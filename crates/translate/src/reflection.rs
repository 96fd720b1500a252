//! What a host must know to use a shader, as JSON.

use crate::write::{MslSlot, msl_slots, sizes_slot};
use crate::{Place, Shape, Target, Translation};
use serde_json::{Value, json};

impl Translation {
    /// Entry point, inputs, outputs and bindings, with the names that they have in the language.
    pub fn reflection(&self) -> Value {
        let place = |place: &Place| json!({ "register": place.register, "place": place.place, "type": place.type_name });
        let is_msl = self.options.target == Target::Msl;
        let slots = msl_slots(&self.shader.bindings);
        let bindings = self.shader.bindings.iter().zip(&slots).map(|(binding, slot)| {
            let name = self.names.iter().find(|(own, _)| *own == binding.name);
            let mut object = json!({
                "group": 0,
                "binding": binding.binding,
                "name": name.map_or(&binding.name, |(_, name)| name),
                "holds": binding.holds,
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
        let mut object = json!({
            "target": self.options.target.name(),
            "as": self.options.shape.name(),
            "fidelity": self.options.fidelity.name(),
            "entry": self.entry,
            "inputs": self.shader.inputs.iter().map(place).collect::<Vec<_>>(),
            "outputs": self.shader.outputs.iter().map(place).collect::<Vec<_>>(),
            "bindings": bindings.collect::<Vec<_>>(),
        });
        if is_msl && self.options.shape == Shape::Compute {
            object["sizes"] = json!(format!("buffer({})", sizes_slot(&self.shader.bindings)));
        }
        object
    }
}
