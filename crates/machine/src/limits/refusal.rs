//! Limited resources, and refusals where more is asked for.

use gpuzoo_diag::{Code, Diagnostic, Span};
use gpuzoo_raster::SizeError;

gpuzoo_diag::codes! {
    OVER_BUDGET = "R0703", "more than the limit",
        "What is asked for would take more of something than one invocation of gpuzoo may use: memory, input, pixels, \
         vertices, primitives, draws, nodes or diagnostics. No output file was written. If it is meant, `--limit NAME=AMOUNT` raises the \
         limit; `gpuzoo list limits` shows all of them.";
    OUT_OF_MEMORY = "R0704", "not enough memory",
        "The system does not give as much memory as is needed. Other programs may be using it, or a limit may be set for this \
         one (`ulimit -v`).";
    BAD_LIMIT = "R0705", "not a limit",
        "A limit is a name and an amount, `--limit memory=2GiB`. An amount is a whole number, which may be followed by `k`, \
         `M`, `G` or `T` for powers of 1000, or by `KiB`, `MiB`, `GiB` or `TiB` for powers of 1024.";
}

/// Something of which there is so much for one invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Bytes that pictures, textures, meshes, buffers and outputs take at the same time, as far as their size follows from
    /// the input. What the program itself takes is not counted.
    Memory,
    /// Bytes that are read.
    Read,
    /// Pixels of pictures, of every frame, and pixels that primitives cover.
    Pixels,
    /// Vertices of meshes, and vertices of draws, of every frame.
    Vertices,
    /// Primitives of draws, of every frame.
    Primitives,
    /// Draws, of every frame.
    Draws,
    /// Nodes of mesh files and their primitives; draws, programs, meshes, textures and targets of scenes; draws of jobs.
    Nodes,
    /// Messages that are printed.
    Diagnostics,
}

impl Resource {
    /// All of them.
    pub const ALL: [Resource; 8] = [
        Resource::Memory,
        Resource::Read,
        Resource::Pixels,
        Resource::Vertices,
        Resource::Primitives,
        Resource::Draws,
        Resource::Nodes,
        Resource::Diagnostics,
    ];

    /// Its name for `--limit`, how much of it there is unless that says otherwise, what is counted, and whether that is
    /// bytes.
    const fn entry(self) -> (&'static str, u64, &'static str, bool) {
        match self {
            Resource::Memory => (
                "memory",
                1 << 30,
                "bytes that pictures, textures, meshes and buffers take at the same time",
                true,
            ),
            Resource::Read => ("read", 16 << 30, "bytes of all input", true),
            Resource::Pixels => {
                ("pixels", 1 << 36, "pixels of all pictures, and pixels that primitives cover", false)
            }
            Resource::Vertices => {
                ("vertices", 1 << 30, "vertices of meshes and of draws, of all frames", false)
            }
            Resource::Primitives => ("primitives", 1 << 30, "primitives of draws, of all frames", false),
            Resource::Draws => ("draws", 1 << 20, "draws, of all frames", false),
            Resource::Nodes => (
                "nodes",
                1 << 16,
                "nodes and primitives of mesh files, parts of scenes, draws of jobs",
                false,
            ),
            Resource::Diagnostics => ("diagnostics", 10_000, "messages", false),
        }
    }

    /// Its name for `--limit`.
    pub const fn name(self) -> &'static str {
        self.entry().0
    }

    /// Default amount.
    pub const fn usual(self) -> u64 {
        self.entry().1
    }

    /// Unit that is counted.
    pub const fn about(self) -> &'static str {
        self.entry().2
    }

    /// An amount of it as `--limit` takes it, exactly.
    fn option(self, amount: u64) -> String {
        let whole =
            UNITS[..4].iter().find(|(_, unit)| self.entry().3 && amount > 0 && amount.is_multiple_of(*unit));
        whole.map_or_else(|| amount.to_string(), |(name, unit)| format!("{}{name}", amount / unit))
    }

    /// The option that doubles the usual limit.
    ///
    /// ```
    /// use gpuzoo_machine::limits::budget::Resource;
    /// assert_eq!(Resource::Memory.example(), "--limit memory=2GiB");
    /// ```
    pub fn example(self) -> String {
        format!("--limit {}={}", self.name(), self.option(self.usual() * 2))
    }

    /// An amount of it for people: `1.5 GiB`, `12`.
    pub fn amount(self, amount: u64) -> String {
        if self.entry().3 { bytes(amount) } else { amount.to_string() }
    }
}

/// The units of an amount, with what they stand for.
pub(super) const UNITS: [(&str, u64); 8] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("T", 1_000_000_000_000),
    ("G", 1_000_000_000),
    ("M", 1_000_000),
    ("k", 1_000),
];

/// `1.5 GiB` for people: exact, or rounded down to a tenth.
fn bytes(amount: u64) -> String {
    match UNITS[..4].iter().find(|(_, unit)| amount >= *unit) {
        None => gpuzoo_diag::counted(amount, "byte"),
        Some((name, unit)) => match (amount / unit, amount % unit / (unit / 10)) {
            (whole, 0) => format!("{whole} {name}"),
            (whole, tenth) => format!("{whole}.{} {name}", tenth.min(9)),
        },
    }
}

/// Why something may not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It takes more than the budget has left.
    #[non_exhaustive]
    Budget {
        /// Resource.
        resource: Resource,
        /// Further amount that was requested; `None` if its end is unknown.
        wanted: Option<u64>,
        /// Amount that is left.
        left: u64,
        /// Amount at first.
        limit: u64,
    },
    /// The system does not give so much memory, in bytes.
    System {
        /// Amount that was requested.
        bytes: u64,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Refusal::System { bytes: wanted } => {
                write!(f, "the system does not provide {} of memory", bytes(wanted))
            }
            Refusal::Budget { resource, wanted, left, limit } => {
                let what = if resource == Resource::Read { "input" } else { resource.name() };
                let left = resource.amount(left);
                let wanted = wanted.map_or(format!("over {left}"), |wanted| resource.amount(wanted));
                let limit = resource.amount(limit);
                write!(f, "more {what} than the limit: {wanted} wanted, {left} of {limit} left")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for std::io::Error {
    fn from(refusal: Refusal) -> std::io::Error {
        std::io::Error::other(refusal)
    }
}

impl From<SizeError> for Refusal {
    /// Refusal for a picture without memory. Sizes that no picture can have are refused before one is made.
    fn from(error: SizeError) -> Refusal {
        let bytes = match error {
            SizeError::Memory { asked } | SizeError::Bytes { asked } => asked,
            SizeError::Side { asked } => u64::from(asked),
            SizeError::Data { expected, .. } => expected as u64,
            SizeError::Empty => 0,
        };
        Refusal::System { bytes }
    }
}

impl Refusal {
    /// The refusal inside an error of reading, if that is what it is.
    pub fn of(error: &std::io::Error) -> Option<Refusal> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// The problem: `R0703` or `R0704`.
    pub fn problem(&self) -> Diagnostic {
        match *self {
            Refusal::System { .. } => Diagnostic::error(&OUT_OF_MEMORY, self.to_string()),
            Refusal::Budget { resource, wanted, left, limit } => {
                let all = (limit - left).saturating_add(wanted.unwrap_or(left).max(left + 1));
                let enough = all.checked_next_power_of_two().unwrap_or(u64::MAX);
                let amount = resource.option(enough);
                let problem = Diagnostic::error(&OVER_BUDGET, self.to_string());
                problem.help(format!("`--limit {}={amount}` raises the limit", resource.name()))
            }
        }
    }

    /// The problem, at what asks for so much.
    pub fn at(&self, span: Span) -> Diagnostic {
        self.problem().label(span, "")
    }
}

/// The problem of a file that cannot be read: `R0703` or `R0704` if the budget or the system refuses its memory, else one
/// of this code.
pub fn unreadable(code: &'static Code, name: &str, error: &std::io::Error) -> Diagnostic {
    if let Some(refusal) = Refusal::of(error) {
        return refusal.problem().note(format!("while reading `{name}`"));
    }
    let code = if error.kind() == std::io::ErrorKind::OutOfMemory { &OUT_OF_MEMORY } else { code };
    Diagnostic::error(code, format!("cannot read `{name}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        for (place, resource) in Resource::ALL.into_iter().enumerate() {
            assert_eq!(resource as usize, place);
        }
    }

    #[test]
    fn amounts_for_people() {
        let amounts = [0, 1, 1023, 1024, 1536, 1 << 30, (1 << 30) - 1, u64::MAX].map(bytes);
        let expected =
            ["0 bytes", "1 byte", "1023 bytes", "1 KiB", "1.5 KiB", "1 GiB", "1023.9 MiB", "16777215.9 TiB"];
        assert_eq!(amounts, expected);
    }

    #[test]
    fn a_picture_without_memory_says_how_much_it_takes() {
        for (error, bytes) in [
            (SizeError::Memory { asked: 80 }, 80),
            (SizeError::Bytes { asked: 1 << 40 }, 1 << 40),
            (SizeError::Side { asked: 70_000 }, 70_000),
            (SizeError::Data { expected: 16, found: 15 }, 16),
            (SizeError::Empty, 0),
        ] {
            assert_eq!(Refusal::from(error), Refusal::System { bytes });
        }
    }
}
