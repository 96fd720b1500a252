//! Disks of a machine: the folder that is device 8, and the SD card.

use crate::dos::{Drive, Missed};
use crate::{X16, kernal, rules};
use gpuzoo_diag::{Diagnostic, Severity, counted};
use gpuzoo_machine::computer::disk::{Change, Disk};

/// What an SD card is made from. Neither changes: what programs write stays in the machine.
#[derive(Clone, Debug)]
pub enum CardSource {
    /// Its blocks from the first one on, at most [`MAX_SD_CARD`](crate::MAX_SD_CARD) bytes.
    Image(Vec<u8>),
    /// Files, which are put into a FAT32 file system.
    Folder(Disk),
}

impl X16 {
    /// Makes a folder's files those of device 8. With a ROM, do it after the KERNAL has set itself up: it looks there for a program to
    /// start.
    ///
    /// ```
    /// use gpuzoo_machine::computer::disk::Disk;
    /// use gpuzoo_x16::{Config, Ending, Limits, X16};
    ///
    /// let mut machine = X16::new(Config::default()).unwrap();
    /// machine.insert(Disk::of([("A", vec![0x00, 0x20, 0x2a])]))?;
    /// // SETNAM with what is at $0816, SETLFS 1, 8, 1, and LOAD to where the file says.
    /// let program = [
    ///     0xa9, 1, 0xa2, 0x19, 0xa0, 0x08, 0x20, 0xbd, 0xff, 0xa9, 1, 0xa2, 8, 0xa0, 1, 0x20, 0xba, 0xff, 0xa9, 0, 0x20, 0xd5, 0xff,
    ///     0x60, b'A',
    /// ];
    /// machine.load_at(0x0801, &program)?;
    /// assert_eq!(machine.run(&Limits::default()), Ending::Returned);
    /// assert_eq!(machine.peek(0x2000), 0x2a);
    /// assert!(machine.missed().is_empty() && machine.changes().is_empty());
    /// # Ok::<(), gpuzoo_diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// V0322 for a ROM that is not the KERNAL.
    pub fn insert(&mut self, disk: Disk) -> Result<(), Diagnostic> {
        if self.bus.has_rom() {
            let Some(variables) = kernal::files::variables(self.bus.kernal_rom()) else {
                let message = "the ROM is not the Commander's: its programs cannot be given files";
                return Err(Diagnostic::error(&rules::OTHER_ROM, message));
            };
            self.bus.status = variables.status;
        }
        self.bus.drive = Some(Box::new(Drive::new(disk)));
        Ok(())
    }

    /// What the program has changed on its disk, folders before what is in them.
    pub fn changes(&self) -> Vec<Change> {
        self.bus.drive.as_ref().map_or_else(Vec::new, |drive| drive.changes())
    }

    /// Files that the program has asked for and did not get, each once, up to a hundred.
    pub fn missed(&self) -> &[Missed] {
        self.bus.drive.as_ref().map_or(&[], |drive| drive.missed())
    }

    /// The first bank of RAM that the program has written to and that is not there, and the instruction that did.
    pub(crate) fn no_bank(&self) -> Option<(u8, u16)> {
        self.bus.no_bank
    }

    /// Bytes of files that the program has written.
    pub(crate) fn written(&self) -> usize {
        self.bus.drive.as_ref().map_or(0, |drive| drive.size())
    }

    /// Blocks of the SD card that programs have written.
    pub(crate) fn sd_card_writes(&self) -> usize {
        self.bus.board.card.as_ref().map_or(0, |card| card.writes())
    }

    /// What there is to say of the SD card: that programs have written to it, and what it was made from stays as it is.
    pub(crate) fn sd_card_remark(&self) -> Option<Diagnostic> {
        let written = self.sd_card_writes();
        let message = format!("the program has written {} of the SD card", counted(written, "block"));
        let problem =
            Diagnostic::new(Severity::Note, &rules::SD_WRITTEN, message + ", which stays in the machine");
        (written > 0)
            .then(|| problem.help("`gpuzoo run --sdcard-out FILE` writes the card as the program leaves it"))
    }

    /// The SD card's image with what programs have written; nothing without a card.
    ///
    /// # Errors
    /// R0704 if there is no memory for it.
    pub fn sd_card(&self) -> Result<Option<Vec<u8>>, Diagnostic> {
        let image = self.bus.board.card.as_ref().map(|card| card.image());
        image.transpose().map_err(|refusal| refusal.problem())
    }
}
