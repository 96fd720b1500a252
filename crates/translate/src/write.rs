//! From the text in WGSL to the other languages, which naga writes.

use crate::codes::{NO_FORM, REJECTED};
use crate::place::At;
use crate::program::{Program, Sample};
use crate::resources::{MslSlot, Resource, msl_slots, sizes_slot};
use crate::shader::Shader;
use crate::target::{Fidelity, Shape, Target, TranslateOptions};
use crate::values::Kind;
use crate::words::{result, reworded};
use crate::{Code, names};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Inst;
use gpuzoo_machine::TextureRead;
use naga::back::{glsl, hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Binding, BuiltIn, Module, ShaderStage, StructMember, TypeInner};
use rspirv::binary::Disassemble;
use std::collections::HashMap;

/// A shader in a language.
pub struct Written {
    pub code: Code,
    pub entry: Option<String>,
    /// What resources are called, where not as in WGSL.
    pub names: Vec<(String, String)>,
}

/// What the entry point is called in WGSL.
const ENTRY: &str = "main";

/// Writes a shader in the language that is asked for.
///
/// # Errors
/// `T0001` if naga does not accept it, which is a fault of gpuzoo.
pub fn write(program: &Program, shader: &Shader, options: &TranslateOptions) -> Result<Written, Diagnostic> {
    let old = matches!(options.target(), Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310);
    if old && program.samples.iter().any(|sample| sample.read == TextureRead::Texel) {
        let texel = |own: &&Sample| own.read == TextureRead::Texel;
        let number = program.samples.iter().find(texel).map(|sample| sample.number);
        let span = program.place(|inst| matches!(inst, Inst::Sample(own, _) if Some(*own) == number));
        return Err(missing("the number of levels of a texture").at(span));
    }
    let mut text = shader.wgsl.clone();
    let stage = match options.shape() {
        Shape::Vertex => Some(ShaderStage::Vertex),
        Shape::Fragment => Some(ShaderStage::Fragment),
        Shape::Compute => Some(ShaderStage::Compute),
        Shape::Function => None,
    };
    if stage.is_none() && options.target().is_glsl() {
        // Its writer needs an entry point; what it writes of it is cut off again.
        text += &holder(program, options);
    }
    let size = shader.outputs.iter().find(|output| output.at == At::PointSize);
    let (module, info) = checked(&text, size.map(|output| result(&output.register)).as_deref())?;
    let function = format!("{}program", options.prefix);
    let entry = |name: &str| stage.map(|_| name.to_owned());
    let text = |text: String, entry: Option<&str>| {
        let text = match &options.prefix[..] {
            "" => text,
            prefix => names::prefixed(&text, prefix, entry.filter(|_| stage.is_some())),
        };
        Code::Text(names::restore(&text, &module, &function, shader, &program.slots))
    };
    let plain = |code| Written { code, entry: entry(ENTRY), names: Vec::new() };
    match options.target() {
        Target::Wgsl => Ok(plain(Code::Text(shader.wgsl.clone()))),
        Target::SpirV | Target::SpirV10 | Target::SpirVText => {
            let as_text = options.target() == Target::SpirVText;
            // Lines are of use where the text is the program. naga counts them from the start for each, which takes longer than all
            // else where a library stands before it.
            let lines = (options.fidelity == Fidelity::Fast && !options.strip).then_some(spv::DebugInfo {
                source_code: &shader.wgsl,
                file_name: "program.wgsl",
                language: spv::SourceLanguage::Unknown,
            });
            let written = spv::Options {
                lang_version: if options.target() == Target::SpirV10 { (1, 0) } else { (1, 3) },
                // Positions stay as the program leaves them.
                flags: if options.strip { spv::WriterFlags::empty() } else { spv::WriterFlags::DEBUG },
                debug_info: lines,
                ..spv::Options::default()
            };
            let words = spv::write_vec(&module, &info, &written, None).map_err(|error| rejected(&error))?;
            Ok(plain(if as_text {
                Code::Text(title(shader) + &assembly(&words)?)
            } else {
                Code::Words(words)
            }))
        }
        Target::Hlsl => {
            let group = options.group;
            let options = hlsl::Options {
                shader_model: hlsl::ShaderModel::V5_1,
                fake_missing_bindings: true,
                ..hlsl::Options::default()
            };
            let pipeline = hlsl::PipelineOptions::default();
            let mut out = String::new();
            let mut writer = hlsl::Writer::new(&mut out, &options, &pipeline);
            let reflection = writer.write(&module, &info, None).map_err(|error| rejected(&error))?;
            let name = reflection.entry_point_names.first().and_then(|name| name.as_ref().ok()).cloned();
            Ok(Written {
                code: text(names::plain_samplers(&out, group), name.as_deref()),
                entry: name.filter(|_| stage.is_some()),
                names: Vec::new(),
            })
        }
        Target::Msl => {
            let written = msl_options(shader);
            let pipeline = msl::PipelineOptions {
                allow_and_force_point_size: options.point_size,
                ..msl::PipelineOptions::default()
            };
            let (out, reflection) =
                msl::write_string(&module, &info, &written, &pipeline).map_err(|error| rejected(&error))?;
            let name = reflection.entry_point_names.first().and_then(|name| name.as_ref().ok()).cloned();
            Ok(Written {
                code: text(out, name.as_deref()),
                entry: name.filter(|_| stage.is_some()),
                names: Vec::new(),
            })
        }
        Target::Glsl450 | Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310 => {
            let version = match options.target() {
                Target::Glsl330 => glsl::Version::Desktop(330),
                Target::GlslEs300 => glsl::Version::new_gles(300),
                Target::GlslEs310 => glsl::Version::new_gles(310),
                _ => glsl::Version::Desktop(450),
            };
            let binding = |binding: &crate::Binding| {
                let place = naga::ResourceBinding { group: binding.group, binding: binding.binding };
                Some((place, u8::try_from(binding.binding).ok()?))
            };
            let options = glsl::Options {
                version,
                writer_flags: glsl::WriterFlags::empty(),
                binding_map: shader.bindings.iter().filter_map(binding).collect(),
                ..glsl::Options::default()
            };
            let pipeline = glsl::PipelineOptions {
                shader_stage: stage.unwrap_or(ShaderStage::Fragment),
                entry_point: ENTRY.to_owned(),
                multiview: None,
            };
            let mut out = String::new();
            let policies = naga::proc::BoundsCheckPolicies::default();
            let writer = glsl::Writer::new(&mut out, &module, &info, &options, &pipeline, policies);
            let reflection = writer
                .and_then(|mut writer| writer.write())
                .map_err(|error| lacking(&error).at(program.span))?;
            let (out, names) = own_names(&out, &module, &reflection, &shader.bindings);
            let out = if stage.is_none() { function_only(&out) } else { out };
            Ok(Written { code: text(out, Some(ENTRY)), entry: entry(ENTRY), names })
        }
    }
}

/// GLSL in which resources have the names that they have in WGSL: blocks with `_block` behind, of which the names by WGSL's are
/// given, too.
fn own_names(
    text: &str,
    module: &Module,
    reflection: &glsl::ReflectionInfo,
    bindings: &[crate::Binding],
) -> (String, Vec<(String, String)>) {
    let mut words: HashMap<String, String> = HashMap::new();
    let mut blocks = Vec::new();
    for (variable, block) in &reflection.uniforms {
        let Some(name) = &module.global_variables[*variable].name else { continue };
        let own = format!("{name}_block");
        words.insert(block.clone(), own.clone());
        blocks.push((name.clone(), own));
    }
    for (name, mapping) in &reflection.texture_mapping {
        let name_of =
            |variable: naga::Handle<naga::GlobalVariable>| module.global_variables[variable].name.clone();
        let Some(texture) = name_of(mapping.texture) else { continue };
        // A sampler is one with its texture.
        blocks.extend(mapping.sampler.and_then(name_of).map(|sampler| (sampler, texture.clone())));
        words.insert(name.clone(), texture);
    }
    for binding in bindings {
        for stage in ["vs", "fs", "cs"] {
            let place = format!("_group_{}_binding_{}_{stage}", binding.group, binding.binding);
            words.insert(place, binding.name.clone());
        }
    }
    blocks.sort();
    (reworded(text, |word| words.get(word).map(String::as_str)), blocks)
}

/// An entry point that calls the program: writers leave out what none calls.
fn holder(program: &Program, options: &TranslateOptions) -> String {
    let zeros = format!("{}()", Kind::stored(options.fidelity).of(4));
    let arguments = vec![zeros; program.inputs.len()].join(", ");
    let prefix = &options.prefix;
    format!("\n@fragment\nfn {ENTRY}() {{\n    let results = {prefix}program({arguments});\n}}\n")
}

/// Without the entry point and what is about whole files.
fn function_only(text: &str) -> String {
    let text = text.split("\nvoid main()").next().unwrap_or(text);
    let whole = |line: &&str| !line.starts_with("#version") && !line.starts_with("precision ");
    let lines: Vec<&str> = text.lines().filter(whole).collect();
    lines.join("\n").trim().to_owned() + "\n"
}

/// A text in WGSL as a module that is without fault. A member of the pipeline's outputs may be the size of points.
///
/// # Errors
/// `T0001`.
fn checked(text: &str, size: Option<&str>) -> Result<(Module, ModuleInfo), Diagnostic> {
    let mut module =
        naga::front::wgsl::parse_str(text).map_err(|error| rejected(&error.emit_to_string(text)))?;
    if let Some(size) = size {
        set_point_size(&mut module, size);
    }
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|error| rejected(&error.emit_to_string(text)))?;
    Ok((module, info))
}

/// Makes a member of a structure the size of points, which WGSL cannot say.
fn set_point_size(module: &mut Module, size: &str) {
    let sized = module.types.iter().find_map(|(handle, own)| match &own.inner {
        TypeInner::Struct { members, .. } => {
            let is_size = |member: &StructMember| {
                member.name.as_deref() == Some(size)
                    && matches!(member.binding, Some(Binding::Location { .. }))
            };
            let at = members.iter().position(is_size)?;
            Some((handle, at, own.clone()))
        }
        _ => None,
    });
    let Some((handle, at, mut own)) = sized else { return };
    if let TypeInner::Struct { members, .. } = &mut own.inner {
        members[at].binding = Some(Binding::BuiltIn(BuiltIn::PointSize));
    }
    module.types.replace(handle, own);
}

/// What a shader is, as a comment in SPIR-V's assembly.
fn title(shader: &Shader) -> String {
    let line = shader.wgsl.lines().next().unwrap_or_default();
    format!(";{}\n", line.trim_start_matches('/'))
}

/// Words of SPIR-V as assembly text.
fn assembly(words: &[u32]) -> Result<String, Diagnostic> {
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(words, &mut loader).map_err(|error| rejected(&error))?;
    Ok(loader.module().disassemble() + "\n")
}

/// Resources in the order of their bindings.
fn msl_options(shader: &Shader) -> msl::Options {
    let mut resources = msl::EntryPointResources::default();
    for (binding, slot) in shader.bindings.iter().zip(msl_slots(&shader.bindings)) {
        let place = naga::ResourceBinding { group: binding.group, binding: binding.binding };
        let mut target = msl::BindTarget::default();
        match slot {
            MslSlot::Texture(slot) => target.texture = Some(slot),
            MslSlot::Sampler(slot) => target.sampler = Some(msl::BindSamplerTarget::Resource(slot)),
            MslSlot::Buffer(slot) => {
                target.buffer = Some(slot);
                target.mutable = binding.resource == Resource::Write;
            }
        }
        resources.resources.insert(place, target);
    }
    // Lengths of buffers, which Metal does not tell.
    resources.sizes_buffer = Some(sizes_slot(&shader.bindings));
    msl::Options {
        // 2.0 does not have `invariant`.
        lang_version: (2, 1),
        per_entry_point_map: [(ENTRY.to_owned(), resources)].into_iter().collect(),
        fake_missing_bindings: false,
        ..msl::Options::default()
    }
}

/// What a version of GLSL does not have, or a fault of ours.
fn lacking(error: &glsl::Error) -> Diagnostic {
    let glsl::Error::MissingFeatures(features) = error else { return rejected(error) };
    let names: Vec<String> =
        features.iter_names().map(|(name, _)| name.to_lowercase().replace('_', " ")).collect();
    missing(&names.join(", "))
}

fn missing(what: &str) -> Diagnostic {
    let message = format!("this version of GLSL lacks what the program needs: {what}");
    Diagnostic::error(&NO_FORM, message).help("`glsl` (4.50), `spirv`, `wgsl`, `hlsl` and `msl` have it")
}

fn rejected(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error(&REJECTED, "the translation is not accepted").note(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `T0001`, with what naga says.
    #[test]
    fn what_naga_refuses_is_reported() {
        for text in ["fn program() -> u32 { return 1.5; }", "fn program( {", "@vertex fn main() {}"] {
            let problem = checked(text, None).unwrap_err();
            assert_eq!((problem.code.id, problem.notes.len()), ("T0001", 1), "{text}");
            assert!(problem.notes[0].contains("error"), "{}", problem.notes[0]);
        }
    }
}
