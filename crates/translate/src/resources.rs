//! What a host binds to a shader.

use crate::codes::BINDING;
use crate::target::{Shape, Target, TranslateOptions};
use gpuzoo_diag::{Diagnostic, suggest};
use gpuzoo_machine::options::assignment::Assignment;
use std::fmt::Write;

/// A resource of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name in WGSL.
    pub name: String,
    /// The group: the set of Vulkan, the register space of Direct3D.
    pub group: u32,
    /// The binding in the group.
    pub binding: u32,
    /// What kind of resource it is.
    pub resource: Resource,
    /// Its type in WGSL.
    pub type_name: String,
    /// Bytes of a uniform buffer, and of what a run has in a storage buffer; 0 for others.
    pub bytes: usize,
    /// What is in it, if the type does not say all.
    pub about: &'static str,
    /// The host chose the number.
    pub(crate) chosen: bool,
}

/// Kinds of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer that is read.
    Read,
    /// A storage buffer that is written.
    Write,
    /// A texture.
    Texture,
    /// A sampler.
    Sampler,
}

impl Resource {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Uniform => "uniform",
            Resource::Read => "read",
            Resource::Write => "write",
            Resource::Texture => "texture",
            Resource::Sampler => "sampler",
        }
    }

    /// The address space of a variable in WGSL.
    fn space(self) -> &'static str {
        match self {
            Resource::Uniform => "<uniform>",
            Resource::Read => "<storage, read>",
            Resource::Write => "<storage, read_write>",
            Resource::Texture | Resource::Sampler => "",
        }
    }
}

/// A resource that a shader may have: its name without a prefix, the usual binding, the type in WGSL, its size.
pub struct Wanted<'a> {
    pub name: &'a str,
    pub usual: u32,
    pub resource: Resource,
    pub type_name: String,
    pub bytes: usize,
    pub about: &'static str,
}

/// The resources of a shader, each declared in its text when it is found.
pub struct Resources<'a> {
    options: &'a TranslateOptions,
    pub all: Vec<Binding>,
}

impl<'a> Resources<'a> {
    pub fn new(options: &'a TranslateOptions) -> Self {
        Resources { options, all: Vec::new() }
    }

    /// Writes the declaration, below a comment if that is not empty.
    pub fn declare(&mut self, comment: &str, wanted: Wanted, text: &mut String) {
        let Wanted { name, usual, resource, type_name, bytes, about } = wanted;
        let chosen = self.options.bind.iter().find(|bind| self.is(&bind.name, name)).map(|bind| bind.value);
        let (group, binding) = (self.options.group, chosen.unwrap_or(usual));
        if !comment.is_empty() {
            let _ = write!(text, "\n// {comment}\n");
        }
        let space = resource.space();
        let _ = writeln!(text, "@group({group}) @binding({binding})\nvar{space} {name}: {type_name};");
        self.all.push(Binding {
            name: name.to_owned(),
            group,
            binding,
            resource,
            type_name,
            bytes,
            about,
            chosen: chosen.is_some(),
        });
    }

    /// Whether a resource is meant, which has its name with the prefix or without.
    fn is(&self, meant: &str, name: &str) -> bool {
        meant == name || meant.strip_prefix(&self.options.prefix) == Some(name)
    }

    /// Refuses bindings of resources that are not there or have one already, two resources with one binding, and slots that Metal does not have.
    ///
    /// # Errors
    /// `T0107`.
    pub fn check(&self) -> Result<(), Diagnostic> {
        let names = || self.all.iter().map(|own| own.name.as_str());
        for (at, Assignment { name, .. }) in self.options.bind.iter().enumerate() {
            if let Some(own) = names().find(|own| self.is(name, own)) {
                if self.options.bind[..at].iter().any(|other| self.is(&other.name, own)) {
                    let problem = Diagnostic::error(&BINDING, format!("`{own}` is bound twice"));
                    return Err(problem.help("a resource has one binding"));
                }
                continue;
            }
            let problem = Diagnostic::error(&BINDING, format!("the shader has no resource `{name}`"));
            return Err(match suggest::nearest(name, names()) {
                Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
                None if self.all.is_empty() => problem.help("it has none at all"),
                None => problem.help(format!("it has {}", names().collect::<Vec<_>>().join(", "))),
            });
        }
        for (at, own) in self.all.iter().enumerate() {
            if let Some(other) = self.all[..at].iter().find(|other| other.binding == own.binding) {
                let message =
                    format!("`{}` and `{}` both have binding {}", other.name, own.name, own.binding);
                return Err(Diagnostic::error(&BINDING, message).help("give one of them another number"));
            }
        }
        if self.options.target() != Target::Msl {
            return Ok(());
        }
        let sizes = (self.options.shape() == Shape::Compute).then(|| MslSlot::Buffer(sizes_slot(&self.all)));
        for slot in msl_slots(&self.all).into_iter().chain(sizes) {
            let (what, slot, last) = match slot {
                MslSlot::Buffer(slot) => ("buffers", slot, 30),
                MslSlot::Texture(slot) => ("textures", slot, 127),
                MslSlot::Sampler(slot) => ("samplers", slot, 15),
            };
            if slot > last {
                let message = format!("Metal has {what} 0 to {last}, and not {slot}");
                return Err(Diagnostic::error(&BINDING, message).help("bind it to a lower number"));
            }
        }
        Ok(())
    }
}

/// Where Metal has a resource. Its argument tables have room for 31 buffers, 128 textures and 16 samplers (Metal Feature Set
/// Tables, of the families that run on macOS).
pub enum MslSlot {
    Buffer(u8),
    Texture(u8),
    Sampler(u8),
}

/// Buffers, textures and samplers, each counted in the order of their bindings; those that the host chose have their numbers.
pub fn msl_slots(bindings: &[Binding]) -> Vec<MslSlot> {
    let kind = |binding: &Binding| match binding.resource {
        Resource::Sampler => 2,
        Resource::Texture => 1,
        Resource::Uniform | Resource::Read | Resource::Write => 0,
    };
    let mut taken: Vec<(usize, u32)> = bindings
        .iter()
        .filter(|binding| binding.chosen)
        .map(|binding| (kind(binding), binding.binding))
        .collect();
    let slot = |binding: &Binding| {
        let kind = kind(binding);
        let number = match binding.chosen {
            true => Some(binding.binding),
            false => (0..).find(|number| !taken.contains(&(kind, *number))),
        };
        let number = number.unwrap_or_default();
        taken.push((kind, number));
        // Numbers are below 256 by the check of options.
        let number = number as u8;
        match kind {
            2 => MslSlot::Sampler(number),
            1 => MslSlot::Texture(number),
            _ => MslSlot::Buffer(number),
        }
    };
    bindings.iter().map(slot).collect()
}

/// The buffer behind all others, which has the lengths of those whose length is open, in bytes.
pub fn sizes_slot(bindings: &[Binding]) -> u8 {
    let buffers = msl_slots(bindings).into_iter().filter_map(|slot| match slot {
        MslSlot::Buffer(slot) => Some(slot),
        _ => None,
    });
    buffers.max().map_or(0, |last| last.saturating_add(1))
}
