//! The places of a shader's inputs and outputs.

/// An input or output of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The register.
    pub register: String,
    /// Location.
    pub at: At,
    /// Its type in WGSL.
    pub type_name: &'static str,
}

/// Location of an input or output of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The position of the pipeline.
    Position,
    /// The depth of a fragment.
    Depth,
    /// The size of a point.
    PointSize,
    /// An attribute, a varying or a colour by number.
    Location(u16),
    /// A place among the vectors of a run.
    Run(usize),
    /// An argument of the function by number, and its name.
    Argument(usize, String),
    /// A member of the function's result.
    Result(String),
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            At::Position => f.write_str("position"),
            At::Depth => f.write_str("depth"),
            At::PointSize => f.write_str("point size"),
            At::Location(number) => write!(f, "location {number}"),
            At::Run(number) => write!(f, "vector {number} of a run"),
            At::Argument(number, name) => write!(f, "argument {number}, `{name}`"),
            At::Result(name) => write!(f, "result `{name}`"),
        }
    }
}
