//! A program: how large it is, which slots do what, what it costs.

use crate::{Program, check};
use gpuzoo_machine::text::grouped;
use gpuzoo_report::{Html, draw};

/// The most slots that are drawn and listed.
pub const MOST_SLOTS: usize = 1_024;

/// Size, costs, which half of each slot is used where a slot has two, and the slots.
pub fn program(html: &mut Html, program: &Program) {
    let figures = check::figures(program);
    for line in figures.text().lines() {
        html.leaf("p", &[], line);
    }
    let budgets = program.costs().into_iter().filter_map(|cost| Some((cost.frame_budget?, cost)));
    for (budget, cost) in budgets.filter(|(_, cost)| cost.per_run > 0) {
        let text = format!("{} a vertex", grouped(cost.per_run));
        let bars = [
            draw::Bar::new(cost.name, cost.per_run.saturating_mul(1_000), &text),
            draw::Bar::new("a thousandth of a frame's budget", budget, &grouped(budget / 1_000)),
        ];
        draw::bars(html, &bars);
    }
    halves(html, program);
    listing(html, program);
}

/// Which half of each slot has an instruction, on machines that pair them.
fn halves(html: &mut Html, program: &Program) {
    let isa = program.isa();
    if isa.halves.len() < 2 {
        return;
    }
    let slots = &program.code().slots;
    let names: Vec<String> = isa.halves.iter().map(|half| half.opcode.name.to_ascii_uppercase()).collect();
    let cells = |half: usize| -> Vec<Option<String>> {
        let of_slot = |slot: &gpuzoo_isa::Slot| {
            let inst = slot.insts().find(|inst| usize::from(inst.op.half) == half)?;
            let mut text = String::new();
            isa.print_inst(inst, &mut text);
            Some(text)
        };
        slots.iter().take(MOST_SLOTS).map(of_slot).collect()
    };
    let rows: Vec<(&str, Vec<Option<String>>)> =
        names.iter().enumerate().map(|(half, name)| (name.as_str(), cells(half))).collect();
    let used = |cells: &[Option<String>]| cells.iter().flatten().count();
    let both =
        (0..slots.len().min(MOST_SLOTS)).filter(|slot| rows.iter().all(|(_, cells)| cells[*slot].is_some()));
    let mut parts: Vec<String> = rows
        .iter()
        .map(|(name, cells)| format!("{name} in {} of {} slots", used(cells), cells.len()))
        .collect();
    parts.push(format!("all halves in {}", both.count()));
    html.leaf("p", &[], &parts.join(", "));
    draw::slots(html, &rows);
}

fn listing(html: &mut Html, program: &Program) {
    let (isa, code) = (program.isa(), program.code());
    html.node("details", &[], |html| {
        html.leaf("summary", &[], &format!("The slots ({})", code.slots.len()));
        let rows = code.slots.iter().take(MOST_SLOTS).enumerate();
        html.table("code", &["slot", "words", "instruction"], rows, |html, (number, slot)| {
            let words: Vec<String> = slot.words(isa).iter().map(|word| format!("{word:08x}")).collect();
            let mut text = String::new();
            isa.print_counting(slot, code.numbering, &mut text);
            html.node("tr", &[], |html| {
                html.leaf("td", &[("class", "at")], &number.to_string());
                html.leaf("td", &[("class", "dim")], &words.join(" ")).leaf("td", &[], &text);
            });
        });
        if code.slots.len() > MOST_SLOTS {
            html.leaf("p", &[("class", "dim")], &format!("and {} more", code.slots.len() - MOST_SLOTS));
        }
    });
}
