//! The KERNAL's editor: lines that are longer than the screen is wide, and what is removed from them and put into them. What the keys do is
//! that of `kernal/cbm/editor.s` in x16-rom 251608b.

use crate::kernal::{codes, line, printing, typed};
use gpuzoo_x16::X16;

/// Cells of a line of the screen: character, color.
fn cells(machine: &X16, row: usize, columns: usize) -> Vec<[u8; 2]> {
    let row = &machine.vera().vram()[0x1_b000 + 256 * row..];
    row[..2 * columns].chunks(2).map(|cell| [cell[0], cell[1]]).collect()
}

/// On which of the first lines of the screen a logical line begins.
fn begins(machine: &X16, lines: usize) -> Vec<bool> {
    (0..lines).map(|line| machine.peek(0x036a + line as u16 / 8) >> (line % 8) & 1 != 0).collect()
}

fn cursor(machine: &X16) -> [u8; 2] {
    [0x0383, 0x0380].map(|at| machine.peek(at))
}

/// Sets a mode, in which a logical line of 80 columns takes 80 / `columns` lines of the screen.
fn mode(number: u8) -> String {
    format!("  lda #{number}\n  clc\n  jsr SCREEN_MODE\n")
}

/// 80 characters and colours that all differ from their neighbours, and how they are printed.
fn full() -> (Vec<[u8; 2]>, Vec<u8>) {
    const COLORS: [(u8, u8); 3] = [(0x05, 0x61), (0x1c, 0x62), (0x9e, 0x67)];
    let at = |index: usize| (1 + (index % 26) as u8, COLORS[index % 3]);
    let cells = (0..80).map(|index| [at(index).0, at(index).1.1]).collect();
    let printed = (0..80).flat_map(|index| [at(index).1.0, at(index).0 + 0x40]).collect();
    (cells, printed)
}

/// The 80 columns of the first logical line.
fn logical(machine: &X16, columns: usize) -> Vec<[u8; 2]> {
    (0..80 / columns).flat_map(|row| cells(machine, row, columns)).collect()
}

/// The keys act on all of a line up to its 80th column, wherever the screen ends, with its colours; what is empty has the present one.
#[test]
fn a_full_line_moves_as_a_whole() {
    const SPACE: [u8; 2] = [0x20, 0x61];
    let (whole, printed) = full();
    for (number, columns) in [(0, 80), (3, 40), (6, 20)] {
        for column in [1usize, 2, 19, 20, 21, 39, 40, 41, 60, 78, 79] {
            let acted = |code: u8| {
                let right = vec![0x1d; column];
                printing(&mode(number), &[&printed[..], &[0x13, 0x05], &right, &[code]].concat())
            };
            // What is before the cursor is removed, what is at it, and none of the others.
            for (code, removed) in [(0x14, column - 1), (0x19, column)] {
                let mut expected = whole.clone();
                expected.remove(removed);
                expected.push(SPACE);
                // At the right edge the key deletes nothing of this line: it takes what is before the next one.
                if code == 0x19 && column == 79 {
                    expected = whole[..79].iter().copied().chain([SPACE]).collect();
                }
                let machine = acted(code);
                assert_eq!(
                    logical(&machine, columns),
                    expected,
                    "{code:02x} in column {column} of {columns}"
                );
            }
            // There is no room in a full line.
            assert_eq!(logical(&acted(0x94), columns), whole, "{column} of {columns}");
        }
        // One that ends in a space has room for one more.
        for column in [0usize, 1, 19, 20, 41, 78] {
            let right = vec![0x1d; column];
            let text = [&printed[..158], &[0x13, 0x05], &right, &[0x94]].concat();
            let mut expected = whole[..79].to_vec();
            expected.insert(column, SPACE);
            let machine = printing(&mode(number), &text);
            assert_eq!(logical(&machine, columns), expected, "room at {column} of {columns}");
            assert_eq!(machine.peek(0x0385), 1);
        }
    }
}

/// At the start of a line the end of the one before is taken; at the start of the screen nothing.
#[test]
fn delete_at_a_lines_start() {
    let (whole, printed) = full();
    let machine = printing("", &[&printed[..], b"\x05X\x9d\x14"].concat());
    let mut expected = whole.clone();
    expected[79] = [0x20, 0x61];
    assert_eq!(
        (cells(&machine, 0, 80), line(&machine, 1, 2), cursor(&machine)),
        (expected, codes("X "), [0, 79])
    );
    let machine = printing("", b"AB\x13\x14");
    assert_eq!((line(&machine, 0, 3), cursor(&machine)), (codes("AB "), [0, 0]));
}

/// A logical line that is printed over the edge takes the next line of the screen; up to 80 columns, and what comes then begins another.
#[test]
fn lines_belong_together() {
    for (number, columns) in [(3, 40), (6, 20)] {
        let rows = 80 / columns;
        for length in [1, columns - 1, columns, columns + 1, 2 * columns, 79, 80, 81] {
            let machine = printing(&mode(number), &vec![b'A'; length]);
            // With its last column filled a line takes the next one, but not with the 80th.
            let taken = (length / columns + 1).min(rows);
            let expected: Vec<bool> = (0..8).map(|row| row == 0 || row >= taken).collect();
            assert_eq!(begins(&machine, 8), expected, "{length} of {columns}");
            assert_eq!(cursor(&machine)[0] as usize, length / columns);
            // RETURN leads behind all of it.
            let next = printing(&mode(number), &[&vec![b'A'; length][..], b"\x13\rB"].concat());
            let behind = if length > 80 { rows } else { taken };
            assert_eq!(line(&next, behind, 1), codes("B"), "{length} of {columns}");
        }
    }
}

/// What is typed does not write over the text below: a line that grows pushes it down, and it stays as it was put together.
#[test]
fn a_line_that_is_typed_pushes_others_down() {
    // Two lines are below, the second of two lines of the screen.
    let below = "\rSHORT\r0123456789012345678901234567890123456789LONG\x13";
    let print: String = below.bytes().map(|byte| format!("  lda #{byte}\n  jsr $ffd2\n")).collect();
    let machine =
        typed(&format!("{}{print}  jsr $ffcf\n  stp", mode(3)), &format!("{}{{RETURN}}", "A".repeat(45)));
    assert_eq!((line(&machine, 0, 40), line(&machine, 1, 6)), (vec![1; 40], codes("AAAAA ")));
    assert_eq!(
        (line(&machine, 2, 6), line(&machine, 3, 3), line(&machine, 4, 5)),
        (codes("SHORT "), codes("012"), codes("LONG "))
    );
    assert_eq!(begins(&machine, 7), [true, false, true, true, false, true, true]);
}

/// INSERT pushes them down, too, where a line has no room; what is printed takes the next line as it is.
#[test]
fn a_line_that_is_inserted_into_pushes_others_down() {
    let inserted = |count: usize| {
        printing(&mode(3), &[b"\rSHORT\x13", &[b'A'; 39][..], b"\x13", &vec![0x94; count]].concat())
    };
    let machine = inserted(1);
    assert_eq!(
        (line(&machine, 0, 40), line(&machine, 1, 5)),
        ([vec![0x20], vec![1; 39]].concat(), codes("SHORT"))
    );
    assert_eq!(begins(&machine, 4), [true; 4]);
    let machine = inserted(2);
    assert_eq!(
        (line(&machine, 0, 3), line(&machine, 1, 2), line(&machine, 2, 5)),
        (codes("  A"), codes("A "), codes("SHORT"))
    );
    assert_eq!(begins(&machine, 4), [true, false, true, true]);
    let machine = printing(&mode(3), &[b"\rSHORT\x13", &[b'A'; 42][..]].concat());
    assert_eq!((line(&machine, 1, 5), begins(&machine, 4)), (codes("AAORT"), vec![true, false, true, true]));
}

/// A line that takes the first row of another one leaves it the second, with which a line begins from then on.
#[test]
fn a_line_that_takes_a_row_leaves_the_rest() {
    let text = [&b"\r"[..], &[b'B'; 45], b"\x13", &[b'A'; 42]].concat();
    let machine = printing(&mode(3), &text);
    assert_eq!((line(&machine, 1, 3), line(&machine, 2, 6)), (codes("AAB"), codes("BBBBB ")));
    assert_eq!(begins(&machine, 4), [true, false, true, true]);
}

/// Up from the first line of the screen all moves down, and a line of its own is above.
#[test]
fn up_from_the_top_makes_a_line() {
    let machine = printing(&mode(3), &[&[b'A'; 45][..], b"\rB\x13\x91C"].concat());
    assert_eq!(
        (line(&machine, 0, 2), line(&machine, 1, 40), line(&machine, 2, 6)),
        (codes("C "), vec![1; 40], codes("AAAAA "))
    );
    assert_eq!(
        (line(&machine, 3, 1), begins(&machine, 5)),
        (codes("B"), vec![true, true, false, true, true])
    );
}

/// A logical line leaves the screen as a whole.
#[test]
fn lines_scroll_together() {
    let text = [&[b'A'; 45][..], b"\rB", &[13; 28], b"C"].concat();
    let machine = printing(&mode(3), &text);
    // 30 lines: the two of A, B, and 28 more; C is in the 31st, so both of A are gone.
    assert_eq!((line(&machine, 0, 2), line(&machine, 28, 1)), (codes("B "), codes("C")));
    assert_eq!((begins(&machine, 30), cursor(&machine)), (vec![true; 30], [28, 1]));
}

/// A line that grows below the last line of the screen moves all up, and is still one: what is deleted and printed then is in its second row.
#[test]
fn a_line_grows_at_the_bottom() {
    let text = [&[b'A'; 45][..], b"\x14B"].concat();
    let machine = printing(&format!("{}  ldx #29\n  ldy #0\n  clc\n  jsr $fff0\n", mode(3)), &text);
    assert_eq!((line(&machine, 28, 40), line(&machine, 29, 6)), (vec![1; 40], codes("AAAAB ")));
    assert_eq!((begins(&machine, 30)[28..].to_vec(), cursor(&machine)), (vec![true, false], [29, 45]));
}

/// The line to which the cursor has gone is read from its start on, not from where the input began.
#[test]
fn another_line_is_read_as_a_whole() {
    let print: String = b"HELLO\r>".map(|byte| format!("  lda #{byte}\n  jsr $ffd2\n")).concat();
    let read = "  ldx #0\nn: jsr $ffcf\n  sta $30,x\n  inx\n  cmp #13\n  bne n\n  stp";
    let machine = typed(&format!("{print}{read}"), "{UP}{RETURN}");
    assert_eq!([0x30, 0x31, 0x32, 0x33, 0x34, 0x35].map(|at| machine.peek(at)), *b"HELLO\r");
}

/// CHRIN gives a line, RETURN, and waits for another one.
#[test]
fn lines_are_read_one_after_the_other() {
    let read = "  ldx #0\nn: jsr $ffcf\n  sta $30,x\n  inx\n  cpx #12\n  bne n\n  stp";
    let machine = typed(read, "ONE{RETURN}{RETURN}T{WAIT:5}WO{RETURN}FOUR{RETURN}");
    let read: Vec<u8> = (0x30..0x3c).map(|at| machine.peek(at)).collect();
    assert_eq!(read, b"ONE\r \rTWO\rFO");
    // The third is on the screen, and the fourth, of which RETURN was not yet read.
    assert_eq!([0, 2, 3].map(|row| line(&machine, row, 4)), ["ONE ", "TWO ", "FOUR"].map(codes));
    assert_eq!(cursor(&machine), [3, 2]);
}

/// A line is read with quotation marks from its start on, whatever was open when RETURN came: between them, control codes are read as such.
#[test]
fn quotation_marks_are_counted_anew() {
    let read = |keys: &str| {
        let text = "  ldx #0\nn: jsr $ffcf\n  sta $30,x\n  inx\n  cmp #13\n  bne n\n  stp";
        let machine = typed(text, &format!("{keys}{{RETURN}}"));
        (0x30..).map(|at| machine.peek(at)).take_while(|byte| *byte != 13).collect::<Vec<u8>>()
    };
    assert_eq!(read("\"{LEFT}A"), [0x22, 0x9d, 0x41], "an open one");
    assert_eq!(read("\"{LEFT}\"A"), [0x22, 0x9d, 0x22, 0x41]);
    assert_eq!(read("B\"\"\"{RIGHT}A"), [0x42, 0x22, 0x22, 0x22, 0x1d, 0x41]);
}
