//! Where results go: columns of the caller's, with any distance from vertex to vertex.

use super::registers::no_output;
use crate::codes::SMALL_BUFFER;
use gpuzoo_diag::{Diagnostic, Diagnostics, counted};
use gpuzoo_engine::Outputs;

/// A buffer of the caller's for one output: of each vertex so many components, from x on.
#[derive(Debug)]
pub struct Buffer<'a> {
    name: &'a str,
    values: &'a mut [u32],
    stride: usize,
    components: usize,
}

impl<'a> Buffer<'a> {
    /// For the bits of an output: its name, the words, how many words lie from one vertex to the next, and how many
    /// components are wanted (at most four). Words between are left as they are.
    pub fn bits(name: &'a str, values: &'a mut [u32], stride: usize, components: usize) -> Buffer<'a> {
        Buffer { name, values, stride, components: components.min(4) }
    }

    /// The same for floats.
    pub fn floats(name: &'a str, values: &'a mut [f32], stride: usize, components: usize) -> Buffer<'a> {
        Buffer::bits(name, gpuzoo_engine::bits::of_mut(values), stride, components)
    }
}

/// The buffers in the order of a kernel's outputs; outputs without one are dropped.
pub(super) fn targets<'a>(
    names: &[String],
    count: usize,
    buffers: Vec<Buffer<'a>>,
) -> Result<Vec<Target<'a>>, Diagnostics> {
    let mut targets: Vec<Target> = names.iter().map(|_| Target::new(&mut [], 4, 0)).collect();
    let mut taken = vec![false; names.len()];
    for Buffer { name, values, stride, components } in buffers {
        let Some(at) = names.iter().position(|known| known == name) else {
            return Err(no_output(name, names).into());
        };
        if std::mem::replace(&mut taken[at], true) {
            let message = format!("there are two buffers for `{name}`");
            return Err(Diagnostic::error(&SMALL_BUFFER, message)
                .help("copy its values, or leave one out")
                .into());
        }
        if stride < components {
            let message = format!(
                "the vertices of `{name}` are {} apart and have {components}",
                counted(stride, "word")
            );
            return Err(Diagnostic::error(&SMALL_BUFFER, message).into());
        }
        let has = values.len();
        let needs =
            count.checked_sub(1).map_or(0, |last| last.saturating_mul(stride).saturating_add(components));
        if has < needs {
            let message =
                format!("the buffer for `{name}` has {}, and {needs} are needed", counted(has, "word"));
            return Err(Diagnostic::error(&SMALL_BUFFER, message).into());
        }
        targets[at] = Target::new(values, stride, components);
    }
    Ok(targets)
}

/// Where one output of successive vertices goes.
#[derive(Debug, Default)]
pub(super) struct Target<'a> {
    values: &'a mut [u32],
    stride: usize,
    components: usize,
}

impl<'a> Target<'a> {
    pub fn new(values: &'a mut [u32], stride: usize, components: usize) -> Target<'a> {
        Target { values, stride, components }
    }

    /// The room of the next vertices, which is taken away from it.
    pub fn take(&mut self, vertices: usize) -> Target<'a> {
        let values = std::mem::take(&mut self.values);
        let at = vertices.saturating_mul(self.stride).min(values.len());
        let (own, rest) = values.split_at_mut(at);
        self.values = rest;
        Target { values: own, ..*self }
    }
}

impl Target<'_> {
    fn store(&mut self, first: usize, columns: [&[u32]; 4]) {
        let Target { values, stride, components } = self;
        let room = values.get_mut(first.saturating_mul(*stride)..).unwrap_or_default();
        match *components {
            0 => {}
            // The usual case, all at once: the rows may lie far from each other.
            4 => {
                let [x, y, z, w] = columns;
                for ((((row, x), y), z), w) in room.chunks_mut(*stride).zip(x).zip(y).zip(z).zip(w) {
                    if let Some(row) = row.first_chunk_mut() {
                        *row = [*x, *y, *z, *w];
                    }
                }
            }
            components => {
                for (at, column) in columns.into_iter().enumerate().take(components) {
                    let to = room.get_mut(at..).unwrap_or_default().iter_mut().step_by(*stride);
                    to.zip(column).for_each(|(to, component)| *to = *component);
                }
            }
        }
    }
}

/// All outputs of successive vertices, in the order of their names.
#[derive(Default)]
pub(super) struct Sink<'a>(pub Vec<Target<'a>>);

impl Outputs for Sink<'_> {
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]) {
        if let Some(target) = self.0.get_mut(output) {
            target.store(first, columns);
        }
    }

    fn split(mut self, lanes: usize) -> (Self, Self) {
        let taken = self.0.iter_mut().map(|target| target.take(lanes)).collect();
        (Sink(taken), self)
    }
}

/// What takes outputs by name, behind a function whose outputs come in another order, with others that are watched.
pub(super) struct Watching<'a, O> {
    pub own: O,
    /// For each output of the function that has a name, the name's number.
    pub names: &'a [usize],
    /// For the outputs behind these.
    pub watches: Sink<'a>,
    /// Whether vertices were killed, if they can be.
    pub killed: &'a mut [u32],
}

impl<O: Outputs> Outputs for Watching<'_, O> {
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]) {
        match self.names.get(output) {
            Some(name) => self.own.store(*name, first, columns),
            None => self.watches.store(output - self.names.len(), first, columns),
        }
    }

    fn killed(&mut self, first: usize, lanes: &[u32]) {
        let room = self.killed.get_mut(first..).unwrap_or_default();
        room.iter_mut().zip(lanes).for_each(|(to, killed)| *to = *killed);
        self.own.killed(first, lanes);
    }

    fn split(self, lanes: usize) -> (Self, Self) {
        let (own, others) = self.own.split(lanes);
        let (watches, more) = self.watches.split(lanes);
        let (killed, rest) = self.killed.split_at_mut(lanes.min(self.killed.len()));
        let names = self.names;
        (
            Watching { own, names, watches, killed },
            Watching { own: others, names, watches: more, killed: rest },
        )
    }
}
