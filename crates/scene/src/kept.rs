//! What the reading of a scene made of its tables, for one who reads it again and again while somebody edits it.

use gpuzoo_machine::options::settings::Table;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Meshes and textures of the last reading. The next one takes those whose tables have not changed, and does not count them on its budget
/// again. What comes from files is always read again.
#[derive(Default)]
pub struct Kept {
    made: Vec<Made>,
    before: Vec<Made>,
}

struct Made {
    gpu: &'static str,
    of: Table,
    is: Arc<dyn Any + Send + Sync>,
}

impl Kept {
    /// A reading begins: what it does not take goes with its [end](Kept::end).
    pub(crate) fn begin(&mut self) {
        self.before = std::mem::take(&mut self.made);
    }

    pub(crate) fn end(&mut self) {
        self.before.clear();
    }

    /// What the reading before has made of a table.
    pub(crate) fn take<T: Any + Send + Sync>(&mut self, gpu: &'static str, of: &Table) -> Option<Arc<T>> {
        let fits = |made: &Made| made.gpu == gpu && made.is.is::<T>() && made.of == *of;
        let made = self.before.swap_remove(self.before.iter().position(fits)?);
        let is = made.is.clone().downcast().ok();
        self.made.push(made);
        is
    }

    /// Keeps for the next reading what was made of a table.
    pub(crate) fn keep<T: Any + Send + Sync>(&mut self, gpu: &'static str, of: &Table, is: Arc<T>) {
        self.made.push(Made { gpu, of: of.clone(), is });
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept of {}", self.made.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_machine::options::settings::Value;

    #[test]
    fn a_reading_takes_what_the_one_before_made_and_no_other() {
        let (mut kept, of) = (Kept::default(), Table::default());
        kept.begin();
        assert_eq!(kept.take::<u32>("nv2a", &of), None);
        kept.keep("nv2a", &of, Arc::new(7u32));
        kept.end();
        kept.begin();
        assert_eq!(kept.take::<u32>("servaru", &of), None);
        assert_eq!(kept.take::<u64>("nv2a", &of), None);
        let edited = Table::of(&[("rows", Value::Bool(true))]);
        assert_eq!(kept.take::<u32>("nv2a", &edited), None);
        assert_eq!(kept.take::<u32>("nv2a", &of).as_deref(), Some(&7));
        kept.end();
        kept.begin();
        kept.end();
        kept.begin();
        assert_eq!(kept.take::<u32>("nv2a", &of), None);
    }
}
