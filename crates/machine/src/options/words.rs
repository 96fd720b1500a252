//! Settings that several machines have, in the words that all of them use.

use crate::options::keys::{Choice, Flag, Plain};
use crate::options::settings::{Reader, Setting, Value, choose, wrong_type};
use gpuzoo_raster::{Compare, Cull, Filter, Rect, Winding, Wrap};

/// Comparisons.
pub const COMPARES: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("lequal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("notequal", Compare::NotEqual),
    ("gequal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

/// Which sides of triangles are dropped.
pub const CULLS: [(&str, Cull); 3] = [("none", Cull::None), ("front", Cull::Front), ("back", Cull::Back)];

/// Which order of corners is the front.
pub const WINDINGS: [(&str, Winding); 2] = [("cw", Winding::Clockwise), ("ccw", Winding::CounterClockwise)];

/// Filters within a level.
pub const FILTERS: [(&str, Filter); 2] = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];

/// What lies beyond a texture.
pub const WRAPS: [(&str, Wrap); 3] =
    [("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror)];

/// `depth_compare`
pub const fn depth_compare(default: Compare) -> Choice<Compare> {
    let about = "which depths pass the depth test, compared with the one that is stored";
    Choice::new("depth_compare", &COMPARES, default, about)
}

/// `depth_write`
pub const fn depth_write(default: bool) -> Flag {
    Flag::new("depth_write", default, "whether fragments that pass the depth test store their depth")
}

/// `cull`
pub const fn cull(default: Cull) -> Choice<Cull> {
    Choice::new("cull", &CULLS, default, "which sides of triangles are not drawn")
}

/// `front`
pub const fn front(default: Winding) -> Choice<Winding> {
    let about = "in which order the corners of a triangle stand on the screen, seen from its front";
    Choice::new("front", &WINDINGS, default, about)
}

/// `filter`
pub const fn filter(default: Filter) -> Choice<Filter> {
    let about = "how a texture is read between the centres of its texels";
    Choice::new("filter", &FILTERS, default, about)
}

/// `wrap`, which [`wrap`] reads. All machines repeat textures by default.
pub static WRAP: Plain = Plain {
    name: "wrap",
    takes: "`\"clamp\"`, `\"repeat\"` or `\"mirror\"`, or a list of two of them, for x and y",
    default: "\"repeat\"",
    example: "[\"clamp\", \"repeat\"]",
    about: "what lies beyond the edges of a texture",
};

/// `viewport`, which [`rect`] reads.
pub static VIEWPORT: Plain = Plain {
    name: "viewport",
    takes: "a list of four numbers: x, y, width and height in pixels",
    default: "the whole picture",
    example: "[0, 0, 320, 240]",
    about: "the part of the picture that clip space is shown in; nothing is drawn outside",
};

/// Reads `wrap = "clamp"`, or `wrap = ["clamp", "repeat"]` for the two directions of a texture.
///
/// ```
/// use gpuzoo_diag::Span;
/// use gpuzoo_machine::options::settings::{Reader, Setting, Table, Value};
/// use gpuzoo_machine::options::words::wrap;
/// use gpuzoo_raster::Wrap;
/// let at = Span::default();
/// let text = |word: &str| Setting { span: at, value: Value::Text(word.to_owned()) };
/// let both = Setting { span: at, value: Value::List(vec![text("clamp"), text("mirror")]) };
/// let table = Table { span: at, entries: vec![("wrap".to_owned(), at, both)] };
/// let mut problems = Vec::new();
/// assert_eq!(wrap(&mut Reader::new(&table, &mut problems)), Some([Wrap::Clamp, Wrap::Mirror]));
/// assert!(problems.is_empty());
/// ```
pub fn wrap(reader: &mut Reader) -> Option<[Wrap; 2]> {
    let axes: &[Setting] = match reader.setting("wrap")? {
        Setting { value: Value::List(list), .. } if list.len() == 2 => list,
        both => std::slice::from_ref(both),
    };
    let mut wraps = Vec::new();
    for axis in axes {
        match &axis.value {
            Value::Text(text) => match choose("wrap", text, axis.span, &WRAPS) {
                Ok(wrap) => wraps.push(wrap),
                Err(problem) => reader.report(problem),
            },
            _ => reader.report(wrong_type("wrap", "a text, or a list of two for the two directions", axis)),
        }
    }
    match wraps[..] {
        [across, down] => Some([across, down]),
        [both] if axes.len() == 1 => Some([both; 2]),
        _ => None,
    }
}

/// Reads `[x, y, width, height]` in pixels.
pub fn rect<'a>(reader: &mut Reader<'a, '_>, key: &'a str) -> Option<Rect> {
    let [x, y, width, height] = reader.floats::<4>(key)?;
    Some(Rect { x: x as i32, y: y as i32, width: width as u32, height: height as u32 })
}
