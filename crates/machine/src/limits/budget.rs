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

pub use crate::limits::refusal::{
    BAD_LIMIT, CODES, OUT_OF_MEMORY, OVER_BUDGET, Refusal, Resource, unreadable,
};

use crate::limits::memory;
use crate::limits::refusal::UNITS;
use gpuzoo_diag::{Diagnostic, File, suggest};
use gpuzoo_isa::list;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The memory that a text may take once it is read, in bytes for each of its own: tokens, statements and trees, of which
/// the largest that was seen is 124 bytes for each byte of a scene's list.
const TEXT_BYTES: u64 = 128;

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
