//! Constants from a table, or from a buffer that RenderDoc exported.

use super::{Constants, find};
use crate::Program;
use crate::codes::{CSV_HEADER, CSV_ROW};
use crate::run::csv::{MAX_ERRORS, not_all, rows};
use crate::run::names::Names;
use crate::value::{self, bad_number, has_decimal_comma};
use gpuzoo_diag::{Diagnostic, File, counted};
use gpuzoo_isa::{FileKind, list};
use std::ops::Range;

impl Constants {
    /// Reads a table with the columns `name,x,y,z,w`; or a buffer of constants as RenderDoc exports it, with the columns
    /// `Name,Value,Byte Offset,Type`.
    ///
    /// In the latter, rows of a matrix and elements of an array are successive constants from that of its name on; variables
    /// that are not constants of the program are passed over, unless none is one. `names` says which they are.
    pub fn csv(&mut self, program: &Program, table: &File, names: &Names) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let mut lines = rows(table);
        let (start, header) = lines.next().unwrap_or((0, Vec::new()));
        let columns: Vec<&str> = header.iter().map(|(_, cell)| *cell).collect();
        let end = header.last().map_or(start, |(at, cell)| at + cell.len());
        if columns == BUFFER {
            let unknown = self.buffer(program, table, lines, names, &mut problems);
            if problems.is_empty() && self.given.is_empty() {
                let problem = Diagnostic::error(&CSV_HEADER, "no variable of the buffer is a constant");
                let problem = problem.label(table.span(start..end), "");
                let problem = problem.help("say which is which: `--rename NAME=CONSTANT`");
                problems.push(match unknown.is_empty() {
                    true => problem,
                    false => problem.help(format!("the buffer has {}", list(unknown.into_iter()))),
                });
            }
            return problems;
        }
        if columns != ["name", "x", "y", "z", "w"] {
            let problem = Diagnostic::error(&CSV_HEADER, "the columns of constants are `name,x,y,z,w`");
            problems.push(problem.label(table.span(start..end), ""));
            return problems;
        }
        for (start, cells) in lines {
            if problems.len() >= MAX_ERRORS {
                not_all(&mut problems);
                break;
            }
            let [(at, name), ref components @ ..] = cells[..] else { continue };
            if components.len() != 4 {
                let message = format!("this row has {}, the header 5", counted(cells.len(), "cell"));
                let end = cells.last().map_or(start, |(at, cell)| at + cell.len());
                problems.push(Diagnostic::error(&CSV_ROW, message).label(table.span(start..end), ""));
                continue;
            }
            let mut value = [0; 4];
            let mistakes = problems.len();
            for (component, (at, cell)) in value.iter_mut().zip(components) {
                match value::parse(cell) {
                    Some(bits) => *component = bits,
                    None => problems.push(bad_number(table, *at, cell)),
                }
            }
            if components.iter().any(|(_, cell)| has_decimal_comma(cell)) {
                break;
            }
            match find(program, name) {
                Ok(index) if problems.len() == mistakes => {
                    self.set_part(index, program.code().constant_mask(name), value);
                    self.name(name, index, 1);
                }
                Ok(_) => {}
                Err(problem) => problems.push(problem.at(table.span(at..at + name.len()))),
            }
        }
        problems
    }

    /// The rows of a buffer that RenderDoc exported. Returns the first variables that are no constants.
    fn buffer<'a>(
        &mut self,
        program: &Program,
        table: &File,
        lines: impl Iterator<Item = (usize, Vec<(usize, &'a str)>)>,
        names: &Names,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<&'a str> {
        let mut unknown = Vec::new();
        let most = program.file(|kind| kind == FileKind::Constant).map_or(0, |file| file.count);
        // The variable whose rows follow, where its name stands, and the constants that it has so far.
        let mut variable: Option<(&str, usize, Range<u16>)> = None;
        for (start, cells) in lines {
            if problems.len() >= MAX_ERRORS {
                not_all(problems);
                break;
            }
            let [(at, name), (place, value), ..] = cells[..] else {
                let end = cells.last().map_or(start, |(at, cell)| at + cell.len());
                let problem = Diagnostic::error(&CSV_ROW, "this row has 1 cell, the header 4");
                problems.push(problem.label(table.span(start..end), ""));
                continue;
            };
            let own = names.constant(name).or_else(|| find(program, name).ok());
            let is_part = |whole: &str| {
                let rest = name.strip_prefix(whole).unwrap_or(name);
                rest.starts_with('[') || rest.len() < name.len() && rest.starts_with(".row")
            };
            let goes_on = own.is_none() && variable.as_ref().is_some_and(|(whole, ..)| is_part(whole));
            if !goes_on {
                if let Some((name, _, range)) = variable.take() {
                    self.named.push((name.to_owned(), range));
                }
                variable = own.map(|first| (name, at, first..first));
                let is_part = name.is_empty() || name.contains(".row") || name.starts_with('[');
                if variable.is_none() && !is_part && unknown.len() < MOST_SHOWN {
                    unknown.push(name);
                }
            }
            let Some((whole, at, range)) = &mut variable else { continue };
            if value.is_empty() {
                continue;
            }
            if range.end >= most {
                let message =
                    format!("`{whole}` has more values than there are constants from c{}", range.start);
                problems
                    .push(Diagnostic::error(&CSV_ROW, message).label(table.span(*at..*at + whole.len()), ""));
                break;
            }
            // What is missing of four is padding.
            let (mut constant, mut at) = ([0; 4], place);
            let mistakes = problems.len();
            for (index, cell) in value.split(',').enumerate() {
                let blanks = cell.len() - cell.trim_start().len();
                match (constant.get_mut(index), value::parse(cell.trim())) {
                    (Some(component), Some(bits)) => *component = bits,
                    _ => problems.push(bad_number(table, at + blanks, cell.trim())),
                }
                at += cell.len() + 1;
            }
            if problems.len() == mistakes {
                self.set(range.end, constant);
                range.end += 1;
            }
        }
        if let Some((name, _, range)) = variable {
            self.named.push((name.to_owned(), range));
        }
        unknown
    }
}

/// Of the variables that are no constants so many are shown.
const MOST_SHOWN: usize = 8;
/// The columns of a buffer of constants that RenderDoc exported.
const BUFFER: [&str; 4] = ["Name", "Value", "Byte Offset", "Type"];
