//! One stream and who serves it.

use crate::wire::frame;
use crate::wire::timed::{Input, Untimed};
use serde_json::Value as Json;
use std::io::{BufRead, Error, Write};
use std::sync::mpsc::{SendError, TryRecvError, sync_channel};

/// Who answers messages. It gets them in their order and gives those to send; it never waits for anything.
pub trait Serve {
    /// What a message is answered with, or what is no JSON, with the reason.
    fn handle(&mut self, message: Result<Json, String>) -> Vec<Json>;

    /// Does a piece, of some milliseconds, of what is left to do while no message waits: what is to be sent, and whether there is
    /// more to do.
    fn idle(&mut self) -> (Vec<Json>, bool);

    /// True once there is nothing more to answer.
    fn ended(&self) -> bool;
}

/// Serves until the end of what is served, or of the input. A thread waits for the input; where the system gives none, work that is begun
/// is done before the next message is read.
///
/// # Errors
/// The streams', and what is wrong with a header.
pub fn serve<R: BufRead + Send + 'static>(
    server: &mut dyn Serve,
    input: R,
    output: impl Write,
) -> Result<(), Error> {
    serve_timed(server, Untimed(input), output)
}

/// Reads a message; the wait for its first byte is not part of it.
fn read(input: &mut impl Input) -> Result<Option<Vec<u8>>, Error> {
    input.fill_buf()?;
    input.begin();
    let read = frame::read(input)?;
    input.end();
    Ok(read)
}

/// As [`serve`], with input that may have limits of time.
///
/// # Errors
/// As for [`serve`], and `TimedOut` for a message that is not complete in time.
pub fn serve_timed<R: Input + Send + 'static>(
    server: &mut dyn Serve,
    input: R,
    mut output: impl Write,
) -> Result<(), Error> {
    // A few messages may wait: more are left in the stream, so that an editor that never stops is not answered from memory.
    let (sender, receiver) = sync_channel(8);
    // The thread gets the input once it is there.
    let (hand, taken) = sync_channel::<R>(1);
    let waits = std::thread::Builder::new().spawn(move || {
        let Ok(mut input) = taken.recv() else { return };
        loop {
            let read = read(&mut input);
            let is_last = !matches!(read, Ok(Some(_)));
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut own = match waits {
        Ok(_) => hand.send(input).err().map(|SendError(input)| input),
        Err(_) => Some(input),
    };
    loop {
        let next = match (&mut own, receiver.try_recv()) {
            (None, Ok(next)) => next,
            (None, Err(TryRecvError::Disconnected)) => return Ok(()),
            (own, _) => {
                let (messages, has_more) = server.idle();
                for message in messages {
                    frame::write(&mut output, &message)?;
                }
                if has_more {
                    continue;
                }
                match own {
                    Some(input) => read(input),
                    None => match receiver.recv() {
                        Ok(next) => next,
                        Err(_) => return Ok(()),
                    },
                }
            }
        };
        let Some(bytes) = next? else { return Ok(()) };
        let message = serde_json::from_slice(&bytes).map_err(|error| error.to_string());
        for answer in server.handle(message) {
            frame::write(&mut output, &answer)?;
        }
        if server.ended() {
            return Ok(());
        }
    }
}
