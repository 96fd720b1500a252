//! The disk drive: device 8 as the KERNAL talks to it, with a folder's files in place of an SD card.
//!
//! It does what CMDR-DOS does with TALK, LISTEN and the bytes that follow (Programmer's Reference Guide, chapter 13): channels 0
//! and 1 read and write, 15 takes commands and tells how they went. The files are in [`tree`]: nothing of the folder changes
//! while a program runs.

mod commands;
mod listing;
mod name;
mod status;
mod tree;

use gpuzoo_machine::computer::disk::{Change, Disk, Entry, Now, Unreadable};
use gpuzoo_stored::stored;
use listing::{Columns, Listing};
use name::Name;
pub(crate) use name::text as shown;
use status::Status;
use std::sync::Arc;
use tree::{Found, Is, Path, Tree};
pub use tree::{MAX_CHANGES, MAX_WRITTEN};

/// Bits of the KERNAL's status byte.
pub(super) mod bits {
    /// A byte did not come, or was not taken: the file is not open.
    pub const NOT_WRITTEN: u8 = 0x01;
    pub const NOT_READ: u8 = 0x02;
    /// What is verified differs.
    pub const DIFFERS: u8 = 0x10;
    /// This was the last byte.
    pub const END: u8 = 0x40;
    /// No such device.
    pub const NO_DEVICE: u8 = 0x80;
}

/// The device that it is at first.
pub(super) const DEVICE: u8 = 8;
/// The channel of commands.
const COMMANDS: u8 = 15;
/// The longest name or command.
const LONGEST: usize = 255;
/// How far a file is read at most: programs may go on behind its end.
const FARTHEST: usize = u32::MAX as usize;
/// The most notes that are kept.
const MAX_NOTES: usize = 100;
/// The byte that comes from a channel on which there is nothing.
const NOTHING: u8 = 199;

/// A routine of the KERNAL that a program has called, and the instruction that did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The routine's address.
    pub routine: u16,
    /// The instruction's address.
    pub pc: u16,
}

stored! { Caller { routine, pc } }

/// A file that a program asked for and did not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Its name as the program gave it.
    pub name: String,
    /// Of which device.
    pub device: u8,
    /// Who asked.
    pub caller: Caller,
    /// Why not.
    pub why: Why,
}

stored! { Missed { name, device, caller, why } }

/// Why a program did not get what it asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is no such file; perhaps one whose name is nearly the same.
    Missing(Option<String>),
    /// It cannot be read.
    Unreadable(String),
    /// The one option behind its name is taken for the type, not for the mode that it looks like, so the file is read.
    NoMode(char),
    /// It is a command of CMDR-DOS that this drive does not carry out.
    NoCommand,
}

stored! { enum Why { Missing(near: Option<String>), Unreadable(reason: String), NoMode(letter: char), NoCommand } }

/// An open file.
#[derive(Clone, Debug, PartialEq)]
struct File {
    path: Path,
    /// The bytes, if they are those of the folder.
    original: Option<Arc<[u8]>>,
    at: usize,
    reads: bool,
    writes: bool,
}

stored! { File { path, original, at, reads, writes } if |own: &File| tree::is_path(&own.path) && own.at <= FARTHEST }

/// What is on a channel.
#[derive(Clone, Debug, Default, PartialEq)]
enum Channel {
    #[default]
    Closed,
    File(File),
    /// A listing, and how far it was read.
    Listing(Arc<[u8]>, usize),
}

stored! {
    enum Channel { Closed, File(file: File), Listing(bytes: Arc<[u8]>, at: usize) }
    if |own: &Channel| !matches!(own, Channel::Listing(_, at) if *at > FARTHEST)
}

/// What the bytes on the bus are, and where they go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Roles {
    listens: bool,
    talks: bool,
    /// What comes is a name.
    opens: bool,
    channel: u8,
}

stored! { Roles { listens, talks, opens, channel } }

/// The drive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drive {
    tree: Tree,
    device: u8,
    folder: Path,
    label: Vec<u8>,
    /// It takes nothing that would change a file.
    is_protected: bool,
    channels: [Channel; 15],
    roles: Roles,
    /// What came of a name or a command.
    buffer: Vec<u8>,
    /// What channel 15 says, and how far it was read.
    said: Vec<u8>,
    said_at: usize,
    /// Who called the KERNAL last.
    pub caller: Caller,
    missed: Vec<Missed>,
}

stored! {
    Drive {
        tree, device, folder, label, is_protected, channels, roles, buffer, said, said_at, caller, missed,
    } if |own: &Drive| {
        tree::is_path(&own.folder) && own.said_at <= FARTHEST && own.buffer.len() <= LONGEST + 1 && own.missed.len() <= MAX_NOTES
    }
}

/// Why a command was not carried out.
type Done = Result<Status, Status>;

impl Drive {
    pub fn new(disk: Disk) -> Drive {
        let mut drive = Drive {
            tree: Tree::new(disk),
            device: DEVICE,
            folder: Path::new(),
            label: b"GPUZOO".to_vec(),
            is_protected: false,
            channels: Default::default(),
            roles: Roles::default(),
            buffer: Vec::new(),
            said: Vec::new(),
            said_at: 0,
            caller: Caller::default(),
            missed: Vec::new(),
        };
        drive.say(status::HELLO);
        drive
    }

    /// Has the files of another drive's folder.
    pub fn insert(&mut self, other: &Drive) {
        self.tree.insert(&other.tree);
    }

    /// What the program has changed, folders before what is in them.
    pub fn changes(&self) -> Vec<Change> {
        self.tree.changes()
    }

    /// Bytes that its copies do not share with the disk.
    pub fn size(&self) -> usize {
        self.tree.written()
    }

    /// Files that could not be read.
    pub fn missed(&self) -> &[Missed] {
        &self.missed
    }

    /// True while it takes bytes, and while it sends some.
    pub fn listens(&self) -> bool {
        self.roles.listens
    }

    pub fn talks(&self) -> bool {
        self.roles.talks
    }

    /// True if this is its device number.
    pub fn is_device(&self, device: u8) -> bool {
        device & 0x1f == self.device
    }

    pub fn listen(&mut self) {
        self.roles.listens = true;
    }

    pub fn talk(&mut self) {
        self.roles.talks = true;
    }

    pub fn untalk(&mut self) {
        self.roles.talks = false;
    }

    /// The secondary address after LISTEN: open, close, or go on writing. Returns a new status byte, if it has one.
    pub fn second(&mut self, command: u8) -> Option<u8> {
        let channel = command & 0x0f;
        (self.roles.channel, self.roles.opens) = (channel, false);
        if channel == COMMANDS {
            return Some(0);
        }
        match command & 0xf0 {
            0xf0 => {
                self.roles.opens = true;
                self.buffer.clear();
                None
            }
            0xe0 => {
                self.close(channel);
                None
            }
            _ => self.clears(channel),
        }
    }

    /// The secondary address after TALK.
    pub fn talk_second(&mut self, command: u8) -> Option<u8> {
        self.roles.channel = command & 0x0f;
        self.clears(self.roles.channel)
    }

    /// A file that is addressed has no errors yet.
    fn clears(&self, channel: u8) -> Option<u8> {
        matches!(self.channel(channel), Some(Channel::File(_))).then_some(0)
    }

    fn channel(&self, channel: u8) -> Option<&Channel> {
        self.channels.get(usize::from(channel))
    }

    fn close(&mut self, channel: u8) {
        if let Some(channel) = self.channels.get_mut(usize::from(channel)) {
            *channel = Channel::Closed;
        }
    }

    /// Takes a byte: of a name, of a command, or for a file. Returns the status byte.
    pub fn take(&mut self, byte: u8) -> u8 {
        let Roles { channel, opens, .. } = self.roles;
        if channel == COMMANDS || opens {
            // One too many is kept: it says that there were too many.
            if self.buffer.len() <= LONGEST {
                self.buffer.push(byte);
            }
            return 0;
        }
        match self.channels.get_mut(usize::from(channel)) {
            Some(Channel::File(file)) if file.writes => match self.tree.write(&file.path, file.at, byte) {
                Ok(()) => {
                    file.at += 1;
                    0
                }
                Err(_) => {
                    self.say(status::FULL);
                    bits::NOT_WRITTEN
                }
            },
            _ => bits::NO_DEVICE,
        }
    }

    /// The end of what is taken: a name is opened, a command is carried out.
    pub fn unlisten(&mut self) {
        self.roles.listens = false;
        let Roles { channel, opens, .. } = self.roles;
        let text = match channel == COMMANDS || opens {
            true => std::mem::take(&mut self.buffer),
            false => return,
        };
        if text.len() > LONGEST {
            self.say(status::TOO_LONG);
        } else if channel == COMMANDS {
            if let Some(done) = self.command(&text) {
                self.say(done);
            }
        } else {
            self.close(channel);
            let opened = match text.first() {
                Some(b'$') if channel == 0 => self.list(&text[1..]),
                _ => self.open(channel, &text),
            };
            let (opened, status) = match opened {
                Ok(opened) => (opened, status::OK),
                Err(status) => (Channel::Closed, status),
            };
            if let Some(channel) = self.channels.get_mut(usize::from(channel)) {
                *channel = opened;
            }
            self.say(status);
        }
    }

    /// Sends a byte; and the status byte that goes with it.
    pub fn send(&mut self) -> (u8, u8) {
        let channel = self.roles.channel;
        if channel == COMMANDS {
            let byte = self.said.get(self.said_at).copied();
            self.said_at += 1;
            return byte.map_or_else(
                || {
                    self.say(status::OK);
                    (b'\r', bits::END)
                },
                |byte| (byte, 0),
            );
        }
        let ends = |left: usize| if left == 0 { bits::END } else { 0 };
        let sent = match self.channels.get_mut(usize::from(channel)) {
            Some(Channel::Listing(bytes, at)) => {
                let byte = bytes.get(*at).copied().unwrap_or(0);
                *at += 1;
                return (byte, ends(bytes.len().saturating_sub(*at)));
            }
            Some(Channel::File(file)) => {
                let bytes = match &file.original {
                    Some(bytes) => &bytes[..],
                    None => self.tree.own(&file.path).map_or(&[][..], |bytes| bytes),
                };
                let byte = bytes.get(file.at).copied().filter(|_| file.reads);
                file.at += 1;
                (byte.unwrap_or(0), if byte.is_some() { ends(bytes.len() - file.at) } else { bits::END })
            }
            _ => return (NOTHING, bits::END | bits::NOT_READ),
        };
        // With its last byte a file is closed.
        if sent.1 != 0 {
            self.close(channel);
        }
        sent
    }

    /// True for a file of which there is nothing left to be sent.
    pub fn is_at_end(&self) -> bool {
        match self.channel(self.roles.channel) {
            Some(Channel::File(file)) => {
                self.length(self.roles.channel).is_none_or(|length| file.at >= length)
            }
            _ => false,
        }
    }

    /// How many bytes come or go at once, if they may: of a file, up to the end of a sector.
    pub fn block(&self) -> Option<usize> {
        const SECTOR: usize = 512;
        match self.channel(self.roles.channel)? {
            Channel::File(file) => Some(SECTOR - file.at % SECTOR),
            _ => None,
        }
    }

    fn say(&mut self, status: Status) {
        (self.said, self.said_at) = (status.text().into_bytes(), 0);
    }

    /// A status for what the folder does not give, which is noted.
    fn unread(&mut self, name: &[u8], problem: &Unreadable) -> Status {
        self.miss(name, Why::Unreadable(problem.reason.clone()));
        status::READ_ERROR
    }

    fn missing(&mut self, name: &[u8]) {
        let near = self.nearest(name);
        self.miss(name, Why::Missing(near));
    }

    fn miss(&mut self, name: &[u8], why: Why) {
        let missed = Missed { name: name::text(name), device: self.device, caller: self.caller, why };
        if self.missed.len() < MAX_NOTES && !self.missed.contains(&missed) {
            self.missed.push(missed);
        }
    }

    /// The name of a file here that is nearly the wanted one.
    fn nearest(&self, text: &[u8]) -> Option<String> {
        let wanted = Name::of(text)?;
        let folder = self.tree.find(&self.folder, &wanted.path).ok()?;
        let entries = self.tree.entries(&folder.folder?).ok()?;
        let wanted = name::text(&folder.last).to_uppercase();
        let names: Vec<String> = entries.iter().map(|entry| entry.name.to_uppercase()).collect();
        let near = gpuzoo_diag::suggest::nearest(&wanted, names.iter().map(String::as_str))?;
        let place = names.iter().position(|name| name == near)?;
        Some(entries[place].name.clone())
    }

    /// The names that a path fits.
    fn find(&mut self, path: &[u8]) -> Result<Found, Status> {
        match self.tree.find(&self.folder, path) {
            Ok(found) => Ok(found),
            Err(problem) => Err(self.unread(path, &problem)),
        }
    }

    fn kind(&mut self, path: &Path) -> Result<Option<Is>, Status> {
        match self.tree.kind(path) {
            Ok(kind) => Ok(kind),
            Err(problem) => Err(self.unread(path.join("/").as_bytes(), &problem)),
        }
    }

    /// The first file among the names that fit.
    fn file(&mut self, found: &Found) -> Result<Option<(Path, Is)>, Status> {
        for path in found.paths() {
            if let Some(kind @ (Is::File | Is::Locked)) = self.kind(&path)? {
                return Ok(Some((path, kind)));
            }
        }
        Ok(None)
    }

    fn put(&mut self, path: Path, now: Now) -> Result<(), Status> {
        self.tree.put(path, now).map_err(|_| status::FULL)
    }

    /// The bytes of a file.
    fn bytes(&mut self, path: &Path) -> Result<Vec<u8>, Status> {
        let read = self.tree.read(path);
        read.map_err(|problem| self.unread(path.join("/").as_bytes(), &problem))
    }

    /// Checks a name's partition, of which there is one.
    fn medium(name: &Name) -> Result<(), Status> {
        if name.medium <= 1 { Ok(()) } else { Err(status::NO_MEDIUM) }
    }

    /// Opens a file.
    fn open(&mut self, channel: u8, text: &[u8]) -> Result<Channel, Status> {
        let name = Name::of(text).ok_or(status::SYNTAX)?;
        if name.is_empty {
            return Err(status::NO_NAME);
        }
        Drive::medium(&name)?;
        if let (2.., None, Some(letter @ (b'W' | b'A' | b'M'))) = (channel, name.mode, name.kind) {
            self.miss(text, Why::NoMode(letter.into()));
        }
        let found = self.find(&name.path)?;
        let file = self.file(&found)?;
        let mode = match (channel, name.mode) {
            (0, _) => b'R',
            (1, Some(b'A')) => b'A',
            (1, _) => b'W',
            (_, Some(mode @ (b'W' | b'A' | b'M'))) => mode,
            _ => b'R',
        };
        if mode != b'R' && (self.is_protected || matches!(file, Some((_, Is::Locked)))) {
            return Err(status::PROTECTED);
        }
        let (path, at) = match (mode, file) {
            (b'R', Some((path, _))) => return self.opened(text, path),
            (b'R' | b'A', None) => {
                self.missing(text);
                return Err(status::MISSING);
            }
            (b'W' | b'M', _) if name.is_pattern() => return Err(status::BAD_NAME),
            (b'W', Some(_)) if !name.overwrites => return Err(status::EXISTS),
            (b'W' | b'M', None) if !found.names.is_empty() => return Err(status::EXISTS),
            (b'W', Some((path, _))) => {
                self.put(path.clone(), Now::File(Arc::default()))?;
                (path, 0)
            }
            (_, None) => {
                let path = self.new_path(&found)?;
                self.put(path.clone(), Now::File(Arc::default()))?;
                (path, 0)
            }
            (_, Some((path, _))) => {
                let bytes = self.bytes(&path)?;
                let at = if mode == b'A' { bytes.len() } else { 0 };
                self.put(path.clone(), Now::File(Arc::new(bytes)))?;
                (path, at)
            }
        };
        Ok(Channel::File(File { path, original: None, at, reads: mode == b'M', writes: true }))
    }

    /// A file that is read.
    fn opened(&mut self, text: &[u8], path: Path) -> Result<Channel, Status> {
        let original = match self.tree.own(&path) {
            Some(_) => None,
            None => self.tree.original(&path).transpose().map_err(|problem| self.unread(text, &problem))?,
        };
        Ok(Channel::File(File { path, original, at: 0, reads: true, writes: false }))
    }

    /// The path of a file or folder that is new.
    fn new_path(&self, found: &Found) -> Result<Path, Status> {
        if found.folder.is_none() { Err(status::MISSING) } else { found.new_path().ok_or(status::BAD_NAME) }
    }

    /// Opens a listing: what follows `$`.
    fn list(&mut self, text: &[u8]) -> Result<Channel, Status> {
        let (kind, rest) = match text {
            [b'=', kind @ (b'P' | b'C' | b'L' | b'T'), rest @ ..] => (*kind, rest),
            rest => (0, rest),
        };
        let mut listing = Listing::new(&self.label);
        let folder = |name: &str| Entry {
            name: name.to_owned(),
            is_folder: true,
            bytes: 0,
            modified: None,
            is_locked: false,
        };
        if kind == b'P' {
            let partition = Entry { bytes: 256, ..folder("FAT32") };
            listing.entry(&partition, Columns::default());
            return Ok(Channel::Listing(listing.end().into(), 0));
        }
        if kind == b'C' {
            for name in self.folder.iter().rev() {
                listing.entry(&folder(name), Columns::default());
            }
            listing.entry(&folder("/"), Columns::default());
            return Ok(Channel::Listing(listing.finish().into(), 0));
        }
        // A number alone is a partition, not a name.
        let rest = if rest.iter().all(u8::is_ascii_digit) { &[][..] } else { rest };
        let mut name = Name::of(rest).ok_or(status::SYNTAX)?;
        Drive::medium(&name)?;
        if name.is_empty {
            name.path.push(b'*');
        }
        let found = self.find(&name.path)?;
        let Some(at) = found.folder else { return Err(status::MISSING) };
        let is_all = name.filter == Some(b'A');
        let columns = Columns { times: matches!(kind, b'T' | b'L'), long: kind == b'L' };
        let entries = match self.tree.entries(&at) {
            Ok(entries) => entries,
            Err(problem) => return Err(self.unread(&name.path, &problem)),
        };
        let above = [".", ".."].map(folder);
        let above = above.iter().filter(|_| !at.is_empty() && found.last == b"*");
        for entry in above.chain(entries.iter().filter(|entry| {
            found.names.contains(&entry.name)
                || is_all && entry.name.starts_with('.') && name::is_pattern(&found.last)
        })) {
            let is_wanted = match name.filter {
                Some(b'D') => entry.is_folder,
                Some(b'P') => !entry.is_folder,
                _ => true,
            };
            if is_wanted {
                listing.entry(entry, columns);
            }
        }
        Ok(Channel::Listing(listing.finish().into(), 0))
    }
}
