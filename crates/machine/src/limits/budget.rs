//! What one invocation may use: one account for everything that a scene, a job or a program names, asked before the work is
//! done and before memory is taken for it.
//!
//! ```
//! use gpuzoo_machine::limits::budget::{Budget, Resource};
//!
//! let budget = Budget::default().with(Resource::Pixels, 1_000);
//! assert!(budget.spend(Resource::Pixels, 600).is_ok());
//! // Clones draw on the same account.
//! let refusal = budget.clone().spend(Resource::Pixels, 600).unwrap_err();
//! assert_eq!(refusal.to_string(), "more pixels than the limit: 600 wanted, 400 of 1000 left");
//! assert_eq!(refusal.problem().code.id, "R0703");
//! ```

use crate::limits::memory;
use gpuzoo_diag::{Code, Diagnostic, File, Span, suggest};
use gpuzoo_isa::list;
use gpuzoo_raster::SizeError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

    /// How much of it there is unless something else is said.
    pub const fn usual(self) -> u64 {
        self.entry().1
    }

    /// What is counted.
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
const UNITS: [(&str, u64); 8] = [
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

/// The memory that a text may take once it is read, in bytes for each of its own: tokens, statements and trees, of which
/// the largest that was seen is 124 bytes for each byte of a scene's list.
const TEXT_BYTES: u64 = 128;

/// Why something may not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It takes more than the budget has left.
    #[non_exhaustive]
    Budget {
        /// Of what.
        resource: Resource,
        /// How much more is wanted; `None` where the end of it has not been seen.
        wanted: Option<u64>,
        /// How much is left.
        left: u64,
        /// How much there was at first.
        limit: u64,
    },
    /// The system does not give so much memory, in bytes.
    System {
        /// How much was wanted.
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
    /// That there is no memory for a picture. Sizes that no picture can have are refused before one is made.
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

/// How much there may be of something, and how much of it is used.
#[derive(Debug)]
struct Account {
    limit: u64,
    used: AtomicU64,
}

/// What one invocation may use. Clones are the same budget; a new one has used nothing.
#[derive(Clone, Debug)]
pub struct Budget(Arc<[Account; Resource::ALL.len()]>);

impl Default for Budget {
    fn default() -> Budget {
        Budget::limited(Resource::ALL.map(Resource::usual))
    }
}

impl Budget {
    fn limited(limits: [u64; Resource::ALL.len()]) -> Budget {
        Budget(Arc::new(limits.map(|limit| Account { limit, used: AtomicU64::new(0) })))
    }

    /// A budget that is never used up: for programs of one's own that draw without end.
    pub fn unlimited() -> Budget {
        Budget::limited([u64::MAX; Resource::ALL.len()])
    }

    /// A budget of which nothing is used, with another limit of something.
    #[must_use]
    pub fn with(&self, resource: Resource, limit: u64) -> Budget {
        let mut limits = Resource::ALL.map(|resource| self.account(resource).limit);
        limits[resource as usize] = limit;
        Budget::limited(limits)
    }

    /// As [`with`](Budget::with), from a text `memory=2GiB`.
    ///
    /// # Errors
    /// `R0705` for a name that nothing has, and for what is not an amount.
    ///
    /// ```
    /// use gpuzoo_diag::File;
    /// use gpuzoo_machine::limits::budget::{Budget, Resource};
    /// let budget = Budget::default().read(&File::new("--limit", "memory=2GiB")).unwrap();
    /// assert_eq!(budget.left(Resource::Memory), 2 << 30);
    /// ```
    pub fn read(&self, text: &File) -> Result<Budget, Diagnostic> {
        let (name, amount) = text.text().split_once('=').unwrap_or((text.text(), ""));
        let names = Resource::ALL.map(Resource::name);
        let resource =
            Resource::ALL.into_iter().find(|resource| resource.name() == name).ok_or_else(|| {
                let span = text.span(0..name.len());
                let problem = Diagnostic::error(&BAD_LIMIT, format!("`{name}` has no limit")).label(span, "");
                match suggest::nearest(name, names) {
                    Some(near) => problem.did_you_mean(near, span, near),
                    None => problem.help(format!("limits are of {}", list(names.into_iter()))),
                }
            })?;
        let place = text.span((name.len() + 1).min(text.text().len())..text.text().len());
        let number = amount.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &amount[number.len()..] {
            "" => Some(1),
            unit => UNITS.iter().find(|(name, _)| *name == unit).map(|(_, unit)| *unit),
        };
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let value = match unit.filter(|_| is_number) {
            Some(unit) => {
                number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(|| {
                    let message = format!("`{amount}` is more than {}", u64::MAX);
                    Diagnostic::error(&BAD_LIMIT, message).label(place, "")
                })?
            }
            None => {
                let message = match amount {
                    "" => format!("`{name}` is given without an amount"),
                    _ => format!("`{amount}` is not an amount"),
                };
                let help = "an amount is a whole number, and `k`, `M`, `G` or `T` (powers of 1000) or `KiB`, `MiB`, `GiB` or \
                            `TiB` (powers of 1024) may follow";
                let problem = Diagnostic::error(&BAD_LIMIT, message).label(place, "").help(help);
                return Err(problem.help(format!("for example `{}`", resource.example())));
            }
        };
        Ok(self.with(resource, value))
    }

    fn account(&self, resource: Resource) -> &Account {
        &self.0[resource as usize]
    }

    /// How much there may be of it in all.
    pub fn limit(&self, resource: Resource) -> u64 {
        self.account(resource).limit
    }

    /// How much of it is left.
    pub fn left(&self, resource: Resource) -> u64 {
        let account = self.account(resource);
        account.limit.saturating_sub(account.used.load(Ordering::Relaxed))
    }

    /// Uses some of it.
    ///
    /// # Errors
    /// [`Refusal`] if there is not so much left; then nothing is used.
    pub fn spend(&self, resource: Resource, amount: u64) -> Result<(), Refusal> {
        let account = self.account(resource);
        let add = |used: u64| used.checked_add(amount).filter(|used| *used <= account.limit);
        let added = account.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        added.map(drop).map_err(|_| self.refusal(resource, Some(amount)))
    }

    /// Does something of which nothing is kept: what it uses is given back, but for input and messages.
    pub fn borrow<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = Resource::ALL.map(|resource| self.account(resource).used.load(Ordering::Relaxed));
        let done = work();
        for (resource, used) in Resource::ALL.into_iter().zip(before) {
            if !matches!(resource, Resource::Read | Resource::Diagnostics) {
                self.account(resource).used.store(used, Ordering::Relaxed);
            }
        }
        done
    }

    /// Whether so much of it is left: for what is freed soon and not counted.
    ///
    /// # Errors
    /// [`Refusal`] if there is not so much left.
    pub fn ask(&self, resource: Resource, amount: u64) -> Result<(), Refusal> {
        if amount <= self.left(resource) { Ok(()) } else { Err(self.refusal(resource, Some(amount))) }
    }

    /// Whether there is memory to read a text of so many bytes, or a program.
    ///
    /// # Errors
    /// [`Refusal`] if there is not.
    pub fn ask_text(&self, bytes: usize) -> Result<(), Refusal> {
        self.ask(Resource::Memory, (bytes as u64).saturating_mul(TEXT_BYTES))
    }

    /// That more of it is wanted than is left; how much is not known if `wanted` is none.
    pub fn refusal(&self, resource: Resource, wanted: Option<u64>) -> Refusal {
        Refusal::Budget { resource, wanted, left: self.left(resource), limit: self.limit(resource) }
    }

    /// Room for values that are freed soon: checked and not counted.
    ///
    /// # Errors
    /// [`Refusal`] if the budget, or the system, has not so much memory left.
    pub fn room<T>(&self, count: usize) -> Result<Vec<T>, Refusal> {
        self.ask_for::<T>(count)?;
        memory::room(count)
    }

    /// As [`memory::collect`], checked and not counted.
    ///
    /// # Errors
    /// As for [`room`](Budget::room).
    pub fn collect<T>(&self, count: usize, values: impl IntoIterator<Item = T>) -> Result<Vec<T>, Refusal> {
        self.ask_for::<T>(count)?;
        memory::collect(count, values)
    }

    fn ask_for<T>(&self, count: usize) -> Result<(), Refusal> {
        self.ask(Resource::Memory, (count as u64).saturating_mul(size_of::<T>() as u64))
    }
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

    fn read(text: &str) -> Result<Budget, Diagnostic> {
        Budget::default().read(&File::new("--limit", text))
    }

    #[test]
    fn amounts_with_units() {
        for (text, amount) in [
            ("0", 0),
            ("12", 12),
            ("3k", 3_000),
            ("3KiB", 3 << 10),
            ("2M", 2_000_000),
            ("5TiB", 5 << 40),
            ("18446744073709551615", u64::MAX),
        ] {
            let budget = read(&format!("pixels={text}")).unwrap();
            assert_eq!(budget.limit(Resource::Pixels), amount, "{text}");
            assert_eq!(budget.limit(Resource::Memory), Resource::Memory.usual());
        }
    }

    #[test]
    fn what_is_not_an_amount() {
        for (text, message) in [
            ("pixels", "`pixels` is given without an amount"),
            ("pixels=", "`pixels` is given without an amount"),
            ("pixels=k", "`k` is not an amount"),
            ("pixels=-1", "`-1` is not an amount"),
            ("pixels=+1", "`+1` is not an amount"),
            ("pixels=1.5M", "`1.5M` is not an amount"),
            ("pixels=1 M", "`1 M` is not an amount"),
            ("pixels=1GB", "`1GB` is not an amount"),
            ("pixels=\u{663}", "`\u{663}` is not an amount"),
            ("pixels=18446744073709551616", "`18446744073709551616` is more than 18446744073709551615"),
            ("pixels=99999999TiB", "`99999999TiB` is more than 18446744073709551615"),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!((problem.code, problem.message.as_str()), (&BAD_LIMIT, message));
        }
        assert_eq!(read("memory=2gb").unwrap_err().help[1], "for example `--limit memory=2GiB`");
        let problem = read("pixls=3").unwrap_err();
        assert_eq!(problem.code, &BAD_LIMIT);
        assert_eq!(problem.fixes[0].edits[0].text, "pixels");
    }

    #[test]
    fn refusals_in_words() {
        let budget = Budget::default().with(Resource::Draws, 1).with(Resource::Memory, 1536);
        let said = |resource, wanted| budget.refusal(resource, wanted).to_string();
        assert_eq!(said(Resource::Draws, Some(2)), "more draws than the limit: 2 wanted, 1 of 1 left");
        assert_eq!(
            said(Resource::Memory, None),
            "more memory than the limit: over 1.5 KiB wanted, 1.5 KiB of 1.5 KiB left"
        );
        assert_eq!(
            said(Resource::Read, Some(1 << 40)),
            "more input than the limit: 1 TiB wanted, 16 GiB of 16 GiB left"
        );
    }

    #[test]
    fn a_file_that_does_not_fit_into_memory_is_not_one_that_cannot_be_read() {
        let code = |error: std::io::Error| unreadable(&BAD_LIMIT, "f", &error).code.id;
        assert_eq!(code(std::io::ErrorKind::OutOfMemory.into()), "R0704");
        assert_eq!(code(Budget::default().refusal(Resource::Read, None).into()), "R0703");
        assert_eq!(code(std::io::ErrorKind::NotFound.into()), BAD_LIMIT.id);
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

    #[test]
    fn what_is_refused_is_not_used() {
        let budget = Budget::default().with(Resource::Nodes, 10);
        assert!(budget.spend(Resource::Nodes, 8).is_ok());
        for wanted in [3, u64::MAX] {
            let refusal = budget.spend(Resource::Nodes, wanted).unwrap_err();
            assert_eq!(refusal, budget.refusal(Resource::Nodes, Some(wanted)));
            assert!(budget.ask(Resource::Nodes, wanted).is_err());
        }
        assert!(budget.ask(Resource::Nodes, 2).is_ok());
        assert!(budget.spend(Resource::Nodes, 2).is_ok());
        assert_eq!(budget.left(Resource::Nodes), 0);
        let other = Budget::default();
        let spent =
            other.borrow(|| [Resource::Nodes, Resource::Read].map(|resource| other.spend(resource, 5)));
        assert_eq!(spent, [Ok(()), Ok(())]);
        assert_eq!(other.left(Resource::Nodes), Resource::Nodes.usual());
        assert_eq!(other.left(Resource::Read), Resource::Read.usual() - 5);
        // What is advised can be given.
        for (resource, wanted) in
            [(Resource::Memory, 3), (Resource::Read, 5 << 30), (Resource::Memory, u64::MAX)]
        {
            let problem = Budget::default().with(resource, 100).refusal(resource, Some(wanted)).problem();
            let (_, option) = problem.help[0].split_once("--limit ").unwrap();
            assert!(read(option.split('`').next().unwrap()).is_ok(), "{problem:?}");
        }
        // The help names a limit that is enough for what was used and what is wanted.
        let problem = budget.refusal(Resource::Nodes, Some(7)).problem();
        assert_eq!(problem.help, ["`--limit nodes=32` raises the limit"]);
    }

    /// What was used and what is wanted, up to the next power of two.
    #[test]
    fn a_limit_that_is_enough_is_named() {
        let help = |resource: Resource, limit: u64, used: u64, wanted: Option<u64>| {
            let budget = Budget::default().with(resource, limit);
            budget.spend(resource, used).unwrap();
            let problem = budget.refusal(resource, wanted).problem();
            problem.help[0].clone().replace("`--limit ", "").replace("` raises the limit", "")
        };
        // 90 + 20 = 110; 90 + 38 = 128; 90 + 39 = 129.
        assert_eq!(help(Resource::Nodes, 100, 90, Some(20)), "nodes=128");
        assert_eq!(help(Resource::Nodes, 100, 90, Some(38)), "nodes=128");
        assert_eq!(help(Resource::Nodes, 100, 90, Some(39)), "nodes=256");
        // Nothing is used. What wants less than is left wants more than that.
        assert_eq!(help(Resource::Nodes, 100, 0, Some(100)), "nodes=128");
        assert_eq!(help(Resource::Nodes, 128, 0, Some(1)), "nodes=256");
        // The end of it has not been seen: 90 and 11 at least; 120 and 9.
        assert_eq!(help(Resource::Nodes, 100, 90, None), "nodes=128");
        assert_eq!(help(Resource::Nodes, 128, 120, None), "nodes=256");
        // Bytes have units where they are whole ones, other things are counted.
        assert_eq!(help(Resource::Memory, 1 << 30, 1 << 29, Some(3 << 29)), "memory=2GiB");
        assert_eq!(help(Resource::Memory, 100, 0, Some(200)), "memory=256");
        assert_eq!(help(Resource::Read, 100, 0, Some(1500)), "read=2KiB");
        assert_eq!(help(Resource::Pixels, 100, 0, Some(1500)), "pixels=2048");
        assert_eq!(help(Resource::Memory, 100, 0, Some(u64::MAX)), "memory=18446744073709551615");
    }

    #[test]
    fn room_is_checked_and_not_counted() {
        let budget = Budget::default().with(Resource::Memory, 64);
        assert!(budget.room::<u64>(8).unwrap().capacity() >= 8);
        assert_eq!(budget.left(Resource::Memory), 64);
        assert!(matches!(budget.room::<u64>(9), Err(Refusal::Budget { wanted: Some(72), .. })));
        let all = Budget::default().with(Resource::Memory, u64::MAX);
        let refusal = all.room::<u64>(usize::MAX / 16).unwrap_err();
        assert_eq!(refusal.problem().code.id, "R0704");
    }
}
