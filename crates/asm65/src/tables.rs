//! Tables of routines that a program's start, its end or its interrupts call: constructors, destructors and interruptors.
//!
//! Sources say which routines are called (`.constructor` and its kin), and a configuration says where each table lies (`CONDES` of its `FEATURES`).
//! As in ld65 a table is made if something needs its name, and its entries are in the order of their priorities, then of their names.

use crate::assembler::{Assembler, Called, Field, Fixup, Outcome};
use crate::config::{MAX_TABLE, Table, numbered};
use crate::expr::Expr;
use crate::expr::Sym;
use crate::rules::{COUNT, TOO_LONG};
use crate::symbols::Named;
use crate::symbols::Owner;
use crate::token::{Kind, Mark};
use crate::words::Directive;
use gpuzoo_diag::{Diagnostic, Span};
use hashbrown::HashSet;
/// The priority that is meant where none is said (cc65's `cddefs.h`), and the highest one.
const PRIORITY: u8 = 7;
const MAX_PRIORITY: i64 = 32;

impl Assembler<'_> {
    /// `.constructor name, priority` and its kin; `.condes name, table, priority`.
    pub fn called(&mut self, directive: Directive) -> Outcome<()> {
        let (name, span) = self.name("the name of a routine")?;
        let symbol = self.symbols.entry(Owner::Scope(self.symbols.scope), name, span, self.context);
        self.note(Named::Symbol(symbol), span);
        let table = match directive {
            Directive::Constructor => 0,
            Directive::Destructor => 1,
            Directive::Interruptor => 2,
            _ => {
                self.expect(Mark::Comma, "`,`")?;
                self.table()?
            }
        };
        let mut priority = PRIORITY;
        if self.accept(Mark::Comma) {
            let (value, at) = self.constant()?;
            if !(1..=MAX_PRIORITY).contains(&value) {
                return Err(self.problem(&COUNT, at, "a priority is 1 to 32"));
            }
            priority = value as u8;
        }
        self.exports.push((symbol, span));
        self.called.push(Called { table, priority, symbol });
        Ok(())
    }

    /// The table of `.condes`, by its name or its number.
    fn table(&mut self) -> Outcome<u8> {
        if let Kind::Name(name) = self.peek().kind
            && let Some(table) = numbered(self.text(name))
        {
            self.next();
            return Ok(table);
        }
        let (value, at) = self.constant()?;
        match (0..=MAX_TABLE).contains(&value) {
            true => Ok(value as u8),
            false => Err(self.problem(&COUNT, at, "tables are 0 to 6")),
        }
    }

    /// Makes the configuration's tables that something needs.
    pub fn make_tables(&mut self) {
        let Some(config) = self.config.clone() else { return };
        let needed = self.needed(&self.exported_names());
        for table in config.tables.iter().filter(|table| needed.contains(&table.label)) {
            self.make_table(table, &needed);
        }
    }

    fn make_table(&mut self, table: &Table, needed: &HashSet<String>) {
        let name = |called: &Called| self.text(self.symbols.get(called.symbol).name);
        let mut entries: Vec<&Called> =
            self.called.iter().filter(|called| called.table == table.number).collect();
        entries.sort_by_key(|called| (called.priority, name(called)));
        if table.is_decreasing {
            entries.reverse();
        }
        let routines: Vec<Sym> = entries.into_iter().map(|called| called.symbol).collect();
        self.begin_unit();
        self.sections.enter(&table.segment, false, table.span);
        let (piece, start) = self.sections.end();
        let here = self.sections.here();
        if !self.sections.reserve(2 * routines.len(), 0) {
            let message = format!("there is no room for the table `{}` in {}", table.label, table.segment);
            self.report_in(Diagnostic::error(&TOO_LONG, message).at(table.span), 0);
            return;
        }
        self.export(&table.label, here, true, table.span);
        if let Some(count) = table.count.as_ref().filter(|count| needed.contains(*count)) {
            self.export(count, Expr::Number(routines.len() as i64), false, table.span);
        }
        let fixups = routines.into_iter().enumerate().map(|(at, routine)| Fixup {
            piece,
            offset: start + 2 * at,
            field: Field::Word,
            expr: Expr::Symbol(routine),
            span: table.span,
            context: 0,
        });
        self.fixups.extend(fixups);
    }

    /// Exports a name of a source that is no text.
    pub fn export(&mut self, name: &str, value: Expr, is_label: bool, span: Span) -> Sym {
        let name = self.names.intern(name);
        let symbol = self.symbols.entry(Owner::Scope(self.symbols.root), name, span, 0);
        self.symbols.define(symbol, value);
        let entry = self.symbols.get_mut(symbol);
        (entry.is_label, entry.is_own) = (is_label, true);
        self.exports.push((symbol, span));
        symbol
    }
}
