//! Commands on channel 15.

use super::name::{self, Name};
use super::status::{self, Status};
use super::tree::{Found, Is, Path};
use super::{Channel, DEVICE, Done, Drive, Why};
use gpuzoo_machine::computer::disk::Now;
use std::sync::Arc;

/// What the letters of a command are followed by: a partition, folders, a colon.
fn arguments(text: &[u8]) -> &[u8] {
    let begins = |byte: &u8| matches!(byte, b'/' | b':' | b'0'..=b'9');
    &text[text.iter().position(begins).unwrap_or(text.len())..]
}

/// Folders and a name, without what follows a comma.
fn named(text: &[u8]) -> Result<Name, Status> {
    let (place, name) = match text.contains(&b':') {
        true => name::split(text, b':'),
        false => (&[][..], text),
    };
    let name = Name::at(place, name::split(name, b',').0).ok_or(status::SYNTAX)?;
    Drive::medium(&name).map(|()| name)
}

/// A number, and nothing behind it that counts.
fn number(text: &[u8]) -> Option<u8> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&text[..digits]).ok()?;
    if digits.is_empty() { Some(0) } else { digits.parse().ok() }
}

/// The word of a command of CMDR-DOS (`parser.s` of x16-rom) that this drive does not carry out: it has no computer's memory, no partitions
/// and no blocks. Those that CMDR-DOS does not carry out either are not among them.
fn left_out(text: &[u8]) -> Option<&[u8]> {
    let length = match text {
        [b'M', b'-', b'R' | b'W' | b'E', ..] | [b'F', b'-', b'L' | b'U', ..] | [b'G', b'-', b'P', ..] => 3,
        [b'F', b'L', ..] => 2,
        [b'L', ..] => 1,
        [b'N', ..]
            if text.split(|byte| *byte == b',').nth(2).is_some_and(|form| form.starts_with(b"FAT32")) =>
        {
            1
        }
        _ => return None,
    };
    text.get(..length)
}

impl Drive {
    /// Carries out a command; what it says then, or nothing if it has said it.
    pub(super) fn command(&mut self, text: &[u8]) -> Option<Status> {
        // What is printed ends with a return. Commands with bytes in them have a length.
        let text = match text {
            [b'P' | b'T', ..] | [b'M', b'-', ..] => text,
            [line @ .., b'\r'] => line,
            _ => text,
        };
        if let Some(word) = left_out(text) {
            self.miss(word, Why::NoCommand);
        }
        let done = match text {
            [] => return None,
            [b'T', channel, ..] => return self.tell(*channel),
            [b'G', b'-', b'D', ..] => {
                // The disk was not changed.
                (self.said, self.said_at) = (vec![0], 0);
                return None;
            }
            [b'I', rest @ ..] => self.initialize(rest),
            [b'C', b'D', rest @ ..] => self.change_folder(rest),
            [b'C', b'P', rest @ ..] => Ok(status::selected(number(rest).unwrap_or(u8::MAX))),
            [b'C', 0xd0, number, ..] => Ok(status::selected(*number)),
            [b'C', rest @ ..] => self.copy(rest),
            [b'M', b'D', rest @ ..] => self.make_folder(rest),
            [b'R', b'D', rest @ ..] => self.remove_folder(rest),
            [b'R', b'-', b'H', rest @ ..] => self.rename_disk(rest),
            [b'R', b'-', ..] => Err(status::UNKNOWN),
            [b'R', rest @ ..] => self.rename(rest),
            [b'S', b'-', device, ..] => self.swap(*device),
            [b'S', rest @ ..] => self.scratch(rest),
            [b'N', rest @ ..] => Err(status::no_partition(number(arguments(rest)).unwrap_or(u8::MAX))),
            [b'P', channel, position @ ..] => self.position(*channel, position),
            [b'W', b'-', flag @ (b'0' | b'1'), ..] => {
                self.is_protected = *flag == b'1';
                Ok(status::OK)
            }
            [b'U', b'0', b'>', device @ 8..=15, ..] => {
                self.device = *device;
                Ok(status::OK)
            }
            [b'U', b'0', b'>', b'S' | b'R' | b'T' | b'B' | b'V' | b'D', ..] | [b'U', b'0'] => Ok(status::OK),
            [b'U', b'I' | b'9', ..] => Ok(status::HELLO),
            [b'U', b'J' | b':', ..] => {
                self.device = DEVICE;
                Ok(status::HELLO)
            }
            _ => Err(status::UNKNOWN),
        };
        Some(match done {
            Ok(status) | Err(status) => status,
        })
    }

    /// Nothing of a folder is kept that would have to be read again.
    fn initialize(&mut self, text: &[u8]) -> Done {
        match number(arguments(text)) {
            Some(0 | 1) => Ok(status::OK),
            Some(_) => Err(status::NO_MEDIUM),
            None => Err(status::SYNTAX),
        }
    }

    /// What may be changed.
    fn writable(&self) -> Result<(), Status> {
        if self.is_protected { Err(status::PROTECTED) } else { Ok(()) }
    }

    fn change_folder(&mut self, text: &[u8]) -> Done {
        let mut name = named(arguments(text))?;
        // The arrow to the left.
        if name.path == b"_" {
            name.path = b"..".to_vec();
        }
        if name.path.is_empty() {
            return Err(status::MISSING);
        }
        let found = self.find(&name.path)?;
        match self.folders(&found)?.into_iter().next() {
            Some(folder) => self.folder = folder,
            None => return Err(status::MISSING),
        }
        Ok(status::OK)
    }

    /// The folders among the names that fit.
    fn folders(&mut self, found: &Found) -> Result<Vec<Path>, Status> {
        if found.last.is_empty() && found.names.is_empty() {
            // The root has no name.
            return Ok(found.folder.iter().cloned().collect());
        }
        let mut folders = Vec::new();
        for path in found.paths() {
            if self.kind(&path)? == Some(Is::Folder) {
                folders.push(path);
            }
        }
        Ok(folders)
    }

    fn make_folder(&mut self, text: &[u8]) -> Done {
        let name = named(arguments(text))?;
        if name.is_pattern() {
            return Err(status::BAD_NAME);
        }
        self.writable()?;
        let found = self.find(&name.path)?;
        if !found.names.is_empty() {
            return Err(status::EXISTS);
        }
        let path = self.new_path(&found)?;
        self.put(path, Now::Folder).map(|()| status::OK)
    }

    fn remove_folder(&mut self, text: &[u8]) -> Done {
        let name = named(arguments(text))?;
        self.writable()?;
        let found = self.find(&name.path)?;
        let Some(path) = self.folders(&found)?.into_iter().next() else { return Ok(status::scratched(0)) };
        let is_empty = match self.tree.entries(&path) {
            Ok(entries) => entries.is_empty(),
            Err(problem) => return Err(self.unread(&name.path, &problem)),
        };
        if !is_empty || path.is_empty() || self.folder.starts_with(&path) {
            return Ok(status::scratched(0));
        }
        self.tree.remove(path).map_err(|_| status::FULL)?;
        Ok(status::scratched(1))
    }

    fn scratch(&mut self, text: &[u8]) -> Done {
        self.writable()?;
        let mut count = 0;
        for text in arguments(text).split(|byte| *byte == b',') {
            let name = named(text)?;
            if name.is_empty {
                return Err(status::NO_NAME);
            }
            let found = self.find(&name.path)?;
            for path in found.paths() {
                if self.kind(&path)? == Some(Is::File) {
                    self.tree.remove(path).map_err(|_| status::FULL)?;
                    count += 1;
                }
            }
        }
        Ok(status::scratched(count))
    }

    fn rename(&mut self, text: &[u8]) -> Done {
        let text = arguments(text);
        if !text.contains(&b'=') {
            return Err(status::NO_NAME);
        }
        let (new, old) = name::split(text, b'=');
        let (new, old) = (named(new)?, named(old)?);
        if new.is_pattern() {
            return Err(status::BAD_NAME);
        }
        if new.is_empty || old.is_empty {
            return Err(status::NO_NAME);
        }
        self.writable()?;
        let (from, to) = (self.find(&old.path)?, self.find(&new.path)?);
        let Some(from) = from.paths().next() else {
            self.missing(&old.path);
            return Err(status::MISSING);
        };
        // Another case of letters is another name of the same.
        if to.paths().any(|path| path != from) {
            return Err(status::EXISTS);
        }
        let to = self.new_path(&to)?;
        if to == from {
            return Ok(status::OK);
        }
        if to.starts_with(&from) {
            return Err(status::MISSING);
        }
        self.shift(from, to).map(|()| status::OK)
    }

    /// Gives a file, or a folder with all that is in it, another place.
    fn shift(&mut self, from: Path, to: Path) -> Result<(), Status> {
        let mut all = vec![(from, to)];
        let mut at = 0;
        while let Some((from, to)) = all.get(at).cloned() {
            at += 1;
            if self.kind(&from)? != Some(Is::Folder) {
                let bytes = self.bytes(&from)?;
                self.put(to, Now::File(Arc::new(bytes)))?;
                continue;
            }
            let entries = match self.tree.entries(&from) {
                Ok(entries) => entries,
                Err(problem) => return Err(self.unread(from.join("/").as_bytes(), &problem)),
            };
            let below = |path: &Path, name: &String| [&path[..], std::slice::from_ref(name)].concat();
            all.extend(entries.iter().map(|entry| (below(&from, &entry.name), below(&to, &entry.name))));
            self.put(to, Now::Folder)?;
        }
        for (from, _) in all.into_iter().rev() {
            self.tree.remove(from).map_err(|_| status::FULL)?;
        }
        Ok(())
    }

    fn copy(&mut self, text: &[u8]) -> Done {
        if !text.contains(&b':') {
            // All files of one partition to another.
            return Err(status::UNKNOWN);
        }
        let (new, old) = name::split(arguments(text), b'=');
        let new = named(new)?;
        if new.is_pattern() {
            return Err(status::BAD_NAME);
        }
        if new.is_empty || old.is_empty() {
            return Err(status::NO_NAME);
        }
        self.writable()?;
        let to = self.find(&new.path)?;
        if !to.names.is_empty() {
            return Err(status::EXISTS);
        }
        let to = self.new_path(&to)?;
        let mut bytes = Vec::new();
        for old in old.split(|byte| *byte == b',') {
            let name = named(old)?;
            if name.is_empty {
                return Err(status::NO_NAME);
            }
            let found = self.find(&name.path)?;
            let Some((path, _)) = self.file(&found)? else {
                self.missing(&name.path);
                return Err(status::MISSING);
            };
            bytes.extend(self.bytes(&path)?);
        }
        self.put(to, Now::File(Arc::new(bytes))).map(|()| status::OK)
    }

    fn rename_disk(&mut self, text: &[u8]) -> Done {
        let name = named(arguments(text))?;
        if name.is_pattern() {
            return Err(status::BAD_NAME);
        }
        // Eleven letters are what FAT has room for.
        self.label = name.path.into_iter().take(11).collect();
        Ok(status::OK)
    }

    fn swap(&mut self, device: u8) -> Done {
        self.device = match device {
            b'8' | b'D' => DEVICE,
            b'9' => 9,
            _ => return Err(status::UNKNOWN),
        };
        Ok(status::OK)
    }

    /// Goes to a place in a file, or to its end.
    fn position(&mut self, channel: u8, position: &[u8]) -> Done {
        let size = self.length(channel).ok_or(status::NO_CHANNEL)?;
        let byte = |at: usize| usize::from(position.get(at).copied().unwrap_or(0)) << (8 * at);
        if let Some(Channel::File(file)) = self.channels.get_mut(usize::from(channel)) {
            file.at = (byte(0) | byte(1) | byte(2) | byte(3)).min(size);
        }
        Ok(status::OK)
    }

    /// Says where a channel is in its file, and how long that is.
    fn tell(&mut self, channel: u8) -> Option<Status> {
        let Some(size) = self.length(channel) else { return Some(status::NO_CHANNEL) };
        let Some(Channel::File(file)) = self.channel(channel) else { return Some(status::NO_CHANNEL) };
        (self.said, self.said_at) = (format!("07,{:08X} {size:08X},00,00", file.at).into_bytes(), 0);
        None
    }

    /// How long the file of a channel is.
    pub(super) fn length(&self, channel: u8) -> Option<usize> {
        match self.channel(channel)? {
            Channel::File(file) => Some(match &file.original {
                Some(bytes) => bytes.len(),
                None => self.tree.own(&file.path)?.len(),
            }),
            _ => None,
        }
    }
}
