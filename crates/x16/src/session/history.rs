//! Snapshots of a machine, within a limit of memory.
//!
//! A snapshot is a copy of the machine, but of the banks of RAM, the picture and the printed text only the blocks that
//! differ from the snapshot before. When there is no more room, every second snapshot goes and the distance between
//! them doubles: nothing is forgotten, and going back takes longer. What is run again for that leaves snapshots at shorter distances, where
//! there is room for them, so that the next step back takes less.

use crate::{Bulk, X16};
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps from one snapshot to the next, at first: about a millisecond of a plain run, and some times what a snapshot takes.
pub(super) const SPACING: u64 = 1 << 17;
/// The same where a run is made again.
const NEAR: u64 = 1 << 16;
/// What a snapshot takes besides shared blocks: the machine with 64 KB of RAM and 128 KB of video memory, rounded up.
const OWN: usize = 256 << 10;
/// And with each finding of its lints.
const FINDING: usize = 512;
/// And with each block of the SD card that a program has written, which later snapshots share.
const WRITTEN: usize = 64;
/// Entries of a block.
const BLOCK: usize = 4096;

type Blocks<T> = Vec<Arc<[T]>>;

struct Snapshot {
    step: u64,
    /// Bytes besides shared blocks.
    own: usize,
    /// Without what is in the blocks.
    machine: X16,
    banks: Blocks<u8>,
    output: Blocks<u8>,
    picture: Blocks<[u8; 4]>,
}

/// How many parts a run from one snapshot to the next leaves snapshots in.
const PARTS: u64 = 32;

/// Snapshots in the order of their steps, step 0 always among them.
pub(super) struct History {
    snapshots: Vec<Snapshot>,
    spacing: u64,
    /// Those of the runs that were made again last, in the order in which they were taken.
    near: VecDeque<Snapshot>,
    /// Bytes in use, and how many there may be.
    used: usize,
    limit: usize,
}

impl History {
    /// Begins with step 0.
    pub fn new(machine: &mut X16, limit: usize) -> History {
        let (snapshots, near) = (Vec::new(), VecDeque::new());
        let mut history = History { snapshots, spacing: SPACING, near, used: 0, limit };
        history.add(0, machine);
        history
    }

    pub fn spacing(&self) -> u64 {
        self.spacing
    }

    pub fn used(&self) -> usize {
        self.used
    }

    /// The step of the next snapshot.
    pub fn due(&self) -> u64 {
        self.snapshots.last().map_or(0, |last| last.step + self.spacing)
    }

    /// Takes a snapshot of a machine that has made so many steps.
    pub fn add(&mut self, step: u64, machine: &mut X16) {
        let snapshot = self.taken(step, machine);
        self.snapshots.push(snapshot);
        while self.used > self.limit && self.forget() {}
        while self.used > self.limit && self.snapshots.len() > 2 {
            self.thin();
        }
    }

    /// The next step behind one at which a run that was made before is to be noted.
    pub fn next_near(&self, step: u64) -> u64 {
        let near = (self.spacing / PARTS).max(NEAR);
        if near < self.spacing { (step / near + 1).saturating_mul(near) } else { u64::MAX }
    }

    /// Notes a run that is made again, if there is room.
    pub fn note(&mut self, step: u64, machine: &mut X16) {
        if self.at_or_before(step).is_some_and(|snapshot| snapshot.step == step) {
            return;
        }
        let snapshot = self.taken(step, machine);
        self.near.push_back(snapshot);
        while (self.used > self.limit || self.near.len() as u64 > PARTS) && self.forget() {}
    }

    /// Drops the oldest of those that runs left which were made again; false if there is none.
    fn forget(&mut self) -> bool {
        let oldest = self.near.pop_front();
        self.used -= oldest.as_ref().map_or(0, |oldest| oldest.own);
        let is_there = oldest.is_some();
        self.used -= oldest.map_or(0, Snapshot::unshared);
        is_there
    }

    /// A snapshot, which counts as used.
    fn taken(&mut self, step: u64, machine: &mut X16) -> Snapshot {
        let bulk = machine.take_bulk();
        let mut copy = machine.clone();
        // Who watches the run that goes on does not watch one from here.
        copy.vera_mut().watch_stores(false);
        let last = self.at_or_before(step);
        let (banks, new_banks) = share(&bulk.banks, last.map(|last| &last.banks));
        let (output, new_output) = share(bulk.output.as_bytes(), last.map(|last| &last.output));
        let (picture, new_picture) = share(&bulk.picture, last.map(|last| &last.picture));
        machine.put_bulk(bulk);
        let own =
            OWN + machine.findings().len() * FINDING + machine.written() + machine.sd_card_writes() * WRITTEN;
        self.used += own + new_banks + new_output + new_picture;
        Snapshot { step, own, machine: copy, banks, output, picture }
    }

    /// Drops the snapshots from a step on, and takes one of the machine that is there: what was poked is not run again.
    pub fn restart(&mut self, step: u64, machine: &mut X16) {
        while self.near.iter().any(|near| near.step >= step) && self.forget() {}
        while let Some(last) = self.snapshots.pop_if(|last| last.step >= step) {
            self.used -= last.own + last.unshared();
        }
        if self.due() == step {
            self.add(step, machine);
        } else {
            self.note(step, machine);
        }
    }

    /// Drops every second snapshot.
    fn thin(&mut self) {
        self.spacing *= 2;
        let (kept, dropped) =
            std::mem::take(&mut self.snapshots).into_iter().partition(|one| one.step % self.spacing == 0);
        self.snapshots = kept;
        for snapshot in dropped {
            self.used -= snapshot.own + snapshot.unshared();
        }
    }

    /// The step of the last snapshot up to a step.
    pub fn before(&self, step: u64) -> u64 {
        self.at_or_before(step).map_or(0, |snapshot| snapshot.step)
    }

    /// The machine of the last snapshot up to a step, if there is one.
    pub fn restore(&self, step: u64) -> Option<X16> {
        let snapshot = self.at_or_before(step)?;
        let mut machine = snapshot.machine.clone();
        machine.put_bulk(Bulk {
            banks: snapshot.banks.concat(),
            output: String::from_utf8_lossy(&snapshot.output.concat()).into_owned(),
            picture: snapshot.picture.concat().into_boxed_slice(),
        });
        Some(machine)
    }

    fn at_or_before(&self, step: u64) -> Option<&Snapshot> {
        let after = self.snapshots.partition_point(|snapshot| snapshot.step <= step);
        let near = self.near.iter().filter(|near| near.step <= step);
        near.chain(after.checked_sub(1).and_then(|last| self.snapshots.get(last))).max_by_key(|one| one.step)
    }
}

impl Snapshot {
    /// Bytes of blocks that no other snapshot has. Blocks that two dropped ones share are counted with the second.
    fn unshared(self) -> usize {
        fn sum<T>(blocks: Blocks<T>) -> usize {
            blocks
                .into_iter()
                .filter(|block| Arc::strong_count(block) == 1)
                .map(|block| size_of_val(&*block))
                .sum()
        }
        sum(self.banks) + sum(self.output) + sum(self.picture)
    }
}

/// Cuts into blocks, taking those that are equal from `before`; and how many bytes the others have.
fn share<T: Copy + PartialEq>(now: &[T], before: Option<&Blocks<T>>) -> (Blocks<T>, usize) {
    let mut new = 0;
    let blocks = now.chunks(BLOCK).enumerate().map(|(index, chunk)| {
        let old = before.and_then(|before| before.get(index)).filter(|old| old[..] == *chunk);
        old.cloned().unwrap_or_else(|| {
            new += size_of_val(chunk);
            chunk.into()
        })
    });
    (blocks.collect(), new)
}
