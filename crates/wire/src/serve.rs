//! One stream and who serves it.

use crate::frame;
use serde_json::Value as Json;
use std::io::{BufRead, Error, Write};
use std::sync::mpsc::{TryRecvError, sync_channel};

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

/// Serves until the end of what is served, or of the input.
///
/// # Errors
/// The streams', and what is wrong with a header.
pub fn serve(
    server: &mut dyn Serve,
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> Result<(), Error> {
    // A few messages may wait: more are left in the stream, so that an editor that never stops is not answered from memory.
    let (sender, receiver) = sync_channel(8);
    std::thread::spawn(move || {
        loop {
            let read = frame::read(&mut input);
            let is_last = !matches!(read, Ok(Some(_)));
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    loop {
        let next = match receiver.try_recv() {
            Ok(next) => next,
            Err(TryRecvError::Empty) => {
                let (messages, has_more) = server.idle();
                for message in messages {
                    frame::write(&mut output, &message)?;
                }
                if has_more {
                    continue;
                }
                match receiver.recv() {
                    Ok(next) => next,
                    Err(_) => return Ok(()),
                }
            }
            Err(TryRecvError::Disconnected) => return Ok(()),
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
