//! What a host must know to use a shader, as JSON.

use crate::{Place, Translation};
use serde_json::{Value, json};

impl Translation {
    /// Entry point, inputs, outputs and bindings, with the names that they have in the language.
    pub fn reflection(&self) -> Value {
        let place = |place: &Place| json!({ "register": place.register, "place": place.place, "type": place.type_name });
        let bindings = self.shader.bindings.iter().map(|binding| {
            let name = self.names.iter().find(|(own, _)| *own == binding.name);
            json!({
                "group": 0,
                "binding": binding.binding,
                "name": name.map_or(&binding.name, |(_, name)| name),
                "holds": binding.holds,
            })
        });
        json!({
            "target": self.options.target.name(),
            "as": self.options.shape.name(),
            "fidelity": self.options.fidelity.name(),
            "entry": self.entry,
            "inputs": self.shader.inputs.iter().map(place).collect::<Vec<_>>(),
            "outputs": self.shader.outputs.iter().map(place).collect::<Vec<_>>(),
            "bindings": bindings.collect::<Vec<_>>(),
        })
    }
}
