//! Textures: from picture files, raw bytes or patterns, in one of the machine's formats.
//!
//! What a format cannot hold is lost here too: a picture is encoded and decoded again before it is drawn.

use crate::fields::Fields;
use crate::pattern::{Color, Pattern, draw};
use crate::picture::{self, Unreadable};
use crate::size;
use gpuzoo_diag::{Code, Diagnostic, File, Span};
use gpuzoo_machine::About;
use gpuzoo_machine::limits::budget::{Budget, OUT_OF_MEMORY, Resource};
use gpuzoo_machine::options::settings::{Table, choose};
use gpuzoo_machine::unit::draw::TextureFormat;
use gpuzoo_raster::{CodecError, Format, Level, MAX_SIDE, SizeError, Texture};

gpuzoo_diag::codes! {
    BAD_IMAGE = "R0501", "picture that cannot be read",
        "The file is not a PNG or JPEG picture, it is cut off or damaged, or it is too large: sides up to 16384, 256 MiB as \
         RGBA. No part of a picture is used.";
    BAD_SIZE = "R0502", "size that the texture format cannot have",
        "Many machines want sides that are powers of two; some formats want even sides. Give the texture a `size`, and \
         the picture is brought to it.";
    BAD_LENGTH = "R0503", "raw texture of the wrong length",
        "The file does not have as many bytes as a texture of this size and format.";
    NO_PICTURE = "R0504", "texture of nothing",
        "A texture is made of one thing: a picture `file`, `raw` bytes, or a `pattern`.";
}

/// A function that reads a file that a setting names, and reports if that fails.
pub(crate) type Read<'r> = dyn FnMut(&str, Span, &mut Vec<Diagnostic>) -> Option<Vec<u8>> + 'r;

const PATTERNS: [&str; 7] = ["checker", "bricks", "gradient", "glow", "noise", "solid", "uv"];

/// What reading a texture needs besides its table.
pub(crate) struct Context<'a> {
    /// The machine.
    pub about: &'a About,
    /// The scene file.
    pub file: &'a File,
    /// What it may use.
    pub budget: &'a Budget,
}

impl Context<'_> {
    /// Uses what a texture of this size takes, and what it takes meanwhile: a picture, and its bytes in the format.
    fn spend(
        &self,
        format: Option<&TextureFormat>,
        (width, height): (u32, u32),
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        // A size that no texture has is reported by what makes it.
        if size::check_size((width, height)).is_err() {
            return Some(());
        }
        let pixels = u64::from(width) * u64::from(height);
        let texel = format.map_or(4, |format| format.format.texel_bytes()) as u64;
        let spent = self.budget.spend(Resource::Pixels, pixels);
        let spent = spent.and_then(|()| self.budget.spend(Resource::Memory, pixels * texel));
        let spent = spent.and_then(|()| self.budget.ask(Resource::Memory, pixels * 8));
        spent.map_err(|refusal| problems.push(refusal.at(span))).ok()
    }
}

/// Reads a table `[texture.NAME]`.
pub(crate) fn read(
    context: &Context,
    table: &Table,
    read: &mut Read,
    problems: &mut Vec<Diagnostic>,
) -> Option<Texture> {
    let &Context { about, file, budget } = context;
    let mut fields = Fields::new(table, file, problems);
    let known: Vec<_> = about.texture_formats.iter().map(|format| (format.name, format)).collect();
    let given = fields.choice("format", &known);
    if given.is_none() && fields.setting("format").is_some() {
        return None;
    }
    let size = fields.size("size");
    let (picture, raw, pattern) = (fields.text("file"), fields.text("raw"), fields.text("pattern"));
    if [picture, raw, pattern].iter().flatten().count() != 1 {
        let problem =
            Diagnostic::error(&NO_PICTURE, "a texture is made of one of `file`, `raw` and `pattern`");
        fields.report(problem.label(table.span, ""));
        return None;
    }
    let place = fields.span("size");
    if let Some(name) = raw {
        fields.require("size", "raw bytes do not say their width and height");
        fields.require("format", "raw bytes do not say what they mean");
        let span = fields.span("raw");
        fields.finish();
        let bytes = read(name, span, problems)?;
        let ((width, height), format) = (size?, given?);
        check_size(format, width, height, place, problems)?;
        context.spend(Some(format), (width, height), place, problems)?;
        return decode(format, width, height, &bytes, span, problems);
    }
    let format = given.or_else(|| plain(about));
    let image = match picture {
        Some(name) => {
            let span = fields.span("file");
            fields.finish();
            let bytes = read(name, span, problems)?;
            match picture::sized(&bytes, size, budget) {
                Ok(image) => {
                    context.spend(format, (image.width(), image.height()), span, problems)?;
                    image
                }
                Err(Unreadable::Refused(refusal)) => {
                    problems.push(refusal.at(span));
                    return None;
                }
                Err(Unreadable::Broken(reason)) => {
                    let message = format!("`{name}` cannot be read: {reason}");
                    let problem = Diagnostic::error(&BAD_IMAGE, message).label(span, "");
                    problems.push(
                        problem.help("a texture's `file` is a whole PNG or JPEG picture: save it anew"),
                    );
                    return None;
                }
            }
        }
        None => {
            let span = fields.span("pattern");
            let pattern = read_pattern(pattern.unwrap_or_default(), span, &mut fields)?;
            let colors = colors(&mut fields);
            fields.finish();
            let (width, height) = size.unwrap_or((64, 64));
            context.spend(format, (width, height), place, problems)?;
            match draw(pattern, width, height, colors) {
                Ok(image) => image,
                Err(error) => {
                    problems.push(Diagnostic::error(size_code(&error), error.to_string()).label(place, ""));
                    return None;
                }
            }
        }
    };
    let Some(format) = format else {
        return Some(Texture::from(Level::from(image)));
    };
    check_size(format, image.width(), image.height(), place, problems)?;
    match format.format.encode(&image) {
        Ok(bytes) => decode(format, image.width(), image.height(), &bytes, place, problems),
        Err(error) => {
            problems.push(Diagnostic::error(code(&error), error.to_string()).label(place, ""));
            None
        }
    }
}

/// The machine's format that keeps every byte, for textures that name none.
fn plain(about: &About) -> Option<&'static TextureFormat> {
    about.texture_formats.iter().find(|format| format.format == Format::Rgba8888)
}

/// Whether a picture that was drawn can be a texture of this machine.
pub(crate) fn check_target(about: &About, size: (u32, u32), span: Span, problems: &mut Vec<Diagnostic>) {
    if let Some(format) = plain(about) {
        check_size(format, size.0, size.1, span, problems);
    }
}

fn check_size(
    format: &TextureFormat,
    width: u32,
    height: u32,
    span: Span,
    problems: &mut Vec<Diagnostic>,
) -> Option<()> {
    if !format.power_of_two || (width.is_power_of_two() && height.is_power_of_two()) {
        return Some(());
    }
    let message =
        format!("a {} texture cannot be {width} × {height}: sides must be powers of two", format.name);
    let near = |side: u32| side.clamp(1, MAX_SIDE).next_power_of_two();
    let problem = Diagnostic::error(&BAD_SIZE, message).label(span, "");
    problems.push(problem.help(format!("for example, `size = [{}, {}]`", near(width), near(height))));
    None
}

fn code(error: &CodecError) -> &'static Code {
    match error {
        CodecError::Length { .. } => &BAD_LENGTH,
        CodecError::Odd { .. } => &BAD_SIZE,
        CodecError::Size(error) => size_code(error),
    }
}

fn size_code(error: &SizeError) -> &'static Code {
    match error {
        SizeError::Memory { .. } => &OUT_OF_MEMORY,
        _ => &BAD_SIZE,
    }
}

fn decode(
    format: &TextureFormat,
    width: u32,
    height: u32,
    bytes: &[u8],
    span: Span,
    problems: &mut Vec<Diagnostic>,
) -> Option<Texture> {
    let level = format.format.decode(width, height, bytes);
    let level = level
        .map_err(|error| problems.push(Diagnostic::error(code(&error), error.to_string()).label(span, "")));
    level.ok().map(Texture::from)
}

fn read_pattern(name: &str, span: Span, fields: &mut Fields) -> Option<Pattern> {
    let mut cells = |usual: u32| fields.count("cells", MAX_SIDE).unwrap_or(usual);
    let known: Vec<(&'static str, &str)> = PATTERNS.iter().map(|&name| (name, name)).collect();
    let name = match choose("pattern", name, span, &known) {
        Ok(name) => name,
        Err(problem) => {
            fields.report(problem);
            return None;
        }
    };
    Some(match name {
        "checker" => Pattern::Checker(cells(8)),
        "bricks" => Pattern::Bricks(cells(4)),
        "uv" => Pattern::Uv(cells(8)),
        "noise" => {
            let cells = cells(4);
            Pattern::Noise { cells, seed: fields.int("seed", 0, u32::MAX.into()).unwrap_or(0) as u32 }
        }
        "gradient" => Pattern::Gradient,
        "glow" => Pattern::Glow,
        _ => Pattern::Solid,
    })
}

/// The two colours of a pattern: white and black, if nothing is said.
fn colors(fields: &mut Fields) -> [Color; 2] {
    let mut colors = [[1.0; 4], [0.0, 0.0, 0.0, 1.0]];
    for (color, key) in colors.iter_mut().zip(["color", "color2"]) {
        if let Some(given) = fields.color(key) {
            *color = given;
        }
    }
    colors
}
