//! `fmt`: what texts look like when they are laid out, and that they mean what they meant.

use gpuzoo::diag::{Lexeme, Role};
use gpuzoo::format::{checked, format, lexemes};
use gpuzoo::isa::numbers;
use gpuzoo::machine::TextOptions;
use gpuzoo::options::ReadOptions;
use gpuzoo::{GPUS, Gpu, Program, Registry};

fn machine(id: &str) -> &'static dyn Gpu {
    Registry::default().by_id(id).unwrap()
}

fn laid_out(id: &str, text: &str) -> String {
    let gpu = machine(id);
    let done = checked(gpu, "test", text, &TextOptions::default()).unwrap();
    assert_eq!(format(gpu, &done, &TextOptions::default()), done, "again");
    done
}

#[test]
fn streams_of_tokens_keep_their_lines() {
    let text = "\n\n  ld\tr0   0\t// position \n\n\n\nadd r0\n r0 // twice\nst   pos r0 /* the\n  end */  \n";
    let done = "ld r0 0     // position\n\nadd r0\n    r0  // twice\nst pos r0 /* the\n  end */\n";
    assert_eq!(laid_out("dreambox", text), done);
}

#[test]
fn pairs_and_comments_stand_below_each_other() {
    let text = "#light  vector 5;the light\nmul oPos.xyz , r12,c58 + rcc r1.x,r12.w\n mad oPos.xyz, r12, r1.x, c59\n\
                dp3 r3.w ,v0 , #light    + rsq r1.y , r3.w  ; both\n";
    let done = "\
#light vector 5                             ;the light
mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
mad oPos.xyz, r12, r1.x, c59
dp3 r3.w, v0, #light   + rsq r1.y, r3.w     ; both
";
    assert_eq!(laid_out("nv2a", text), done);
}

#[test]
fn statements_that_go_on_are_indented() {
    let text = "!!VP1.0\nMOV o[HPOS] ,\n v[OPOS] ;# place\n  MOV   o[COL0],v[COL0];\nEND\n";
    let done = "!!VP1.0\nMOV o[HPOS],\n    v[OPOS];    # place\nMOV o[COL0], v[COL0];\nEND\n";
    assert_eq!(laid_out("nv2a", text), done);
}

/// A preprocessor line may hold anything.
#[test]
fn preprocessor_lines_stay_as_they_are() {
    let text = "#define  TWO(a,b)  \\\n   mov a , b\nxvs.1.1\n  TWO( oPos,v0 )\n#if  1 /* why\n  not */\n mov   oD0 , v3\n#endif\n";
    let done = "#define  TWO(a,b)  \\\n   mov a , b\nxvs.1.1\nTWO( oPos, v0 )\n#if  1 /* why\n  not */\nmov oD0, v3\n#endif\n";
    assert_eq!(laid_out("nv2a", text), done);
}

#[test]
fn semicolons_end_statements() {
    let text = ".vertex\n MOV   P9 ,P0 ;#place\nMOV P10,P1 ; MOV P11 , P2\n";
    let done = ".vertex\nMOV P9, P0;     #place\nMOV P10, P1; MOV P11, P2\n";
    assert_eq!(laid_out("servaru", text), done);
}

#[test]
fn letters_may_stand_apart() {
    let text = "#vertexShader\n#input   r0.xyz\n#output r1.xyzw\n mov r1.xyz\tr0 // a\n";
    assert_eq!(
        laid_out("picogpu", text),
        "#vertexShader\n#input r0.xyz\n#output r1.xyzw\nmov r1.xyz r0   // a\n"
    );
}

#[test]
fn programs_of_a_cpu_have_columns() {
    let text = "; at the start\n   ; within\nrow=$22\nlong_name = $23 ; two\nvalue  =  3\nstart: lda #<( row+1 ) ; it's\n\
                \t\t\t\t\t; a long story\n@loop:\n dex\n bne @loop\n: bra :-\nmuch_too_long: rts\n.byte \"a  ;b\" ,  ' '\n";
    let done = "\
; at the start
        ; within
row=$22
long_name = $23                 ; two
value     = 3
start:  lda #<( row+1 )         ; it's
                                ; a long story
@loop:
        dex
        bne @loop
:       bra :-
much_too_long: rts
.byte \"a  ;b\", ' '
";
    assert_eq!(laid_out("vera", text), done);
}

/// Line ends and a byte order mark are the file's own.
#[test]
fn what_editors_add_stays() {
    assert_eq!(laid_out("dreambox", "ld  r0 0\r\nst pos   r0"), "ld r0 0\r\nst pos r0\r\n");
    let gpu = machine("dreambox");
    assert_eq!(format(gpu, "\u{feff}  ld r0  0\n", &TextOptions::default()), "\u{feff}ld r0 0\n");
    for nothing in ["", "\n", " \n\t\r\n"] {
        for gpu in GPUS {
            assert_eq!(format(*gpu, nothing, &TextOptions::default()), "");
        }
    }
}

/// A text with mistakes is not touched.
#[test]
fn mistakes_are_reported() {
    let done = checked(machine("vera"), "a.s", " lda  #\n", &TextOptions::default()).unwrap_err();
    assert!(done.to_string().contains("a.s:1:"), "{done}");
    let done = checked(machine("nv2a"), "a.vsh", "mov  r99, v0\n", &TextOptions::default());
    assert!(done.is_err());
}

/// A text with other blanks where there are some, and comments behind its lines.
fn disturbed(
    gpu: &'static dyn Gpu,
    text: &str,
    options: &TextOptions,
    pick: &mut dyn FnMut(u32) -> u32,
) -> String {
    let mark = match gpu.shader_unit() {
        Some(unit) => unit.syntax(text, options).comment(),
        None => ";",
    };
    let blanks = [" ", "\t", "   ", " \t "];
    let mut out = String::new();
    let lexemes = lexemes(gpu, text, options);
    let mut at = 0;
    for Lexeme { start, end, role, .. } in lexemes {
        for letter in text[at..start].chars() {
            match letter {
                '\n' if pick(4) == 0 => out += &format!("{}{mark} no{}\n", blanks[pick(4) as usize], pick(9)),
                '\n' => out += ["\n", " \n", "\n\n\n", "\n  \n"][pick(4) as usize],
                ' ' => out += blanks[pick(4) as usize],
                other => out.push(other),
            }
        }
        let is_label = matches!(role, Role::Label) || out.ends_with(':');
        if out.ends_with('\n') && pick(3) == 0 && !is_label {
            out += blanks[pick(4) as usize];
        }
        out += &text[start..end];
        at = end;
    }
    out + &text[at..]
}

/// The words of random programs of all machines and dialects, with blanks of all kinds between them.
#[test]
fn generated_programs_keep_their_words() {
    let mut pick = numbers(19);
    let mut texts = 0;
    for unit in gpuzoo::shader_units() {
        let gpu = Registry::default().by_id(unit.about().id).unwrap();
        let ops: Vec<_> = unit.isa().ops().filter(|op| !op.internal).collect();
        let dialects = unit.about().text_options.dialects.iter().map(|own| Some(own.name));
        let dialects: Vec<_> = dialects.chain([None]).collect();
        for round in 0..150 {
            let dialect = dialects[round % dialects.len()];
            let options = TextOptions { dialect, exact: true, ..TextOptions::default() };
            let count = 1 + pick(12) as usize;
            let slots =
                (0..count).map(|_| unit.isa().random_slot(ops[pick(ops.len() as u32) as usize], &mut pick));
            let code = gpuzoo::isa::Program { slots: slots.collect(), ..Default::default() };
            let (text, _) = unit.disassemble(&code, &options);
            let text = disturbed(gpu, &text, &options, &mut pick);
            // Not all that words can say is allowed in a text.
            let Ok(done) = checked(gpu, "random", &text, &options) else { continue };
            texts += 1;
            assert_eq!(format(gpu, &done, &options), done, "of\n{text}");
            assert_eq!(comments(gpu, &done, &options), comments(gpu, &text, &options), "of\n{text}");
            let words = |text: &str| {
                let read = gpuzoo::Machine::new(unit).read(
                    "random",
                    text.as_bytes(),
                    &ReadOptions { dialect: dialect.map(str::to_owned), ..gpuzoo::read::Form::Asm.into() },
                    None,
                );
                read.map(|program: Program| program.words()).unwrap()
            };
            assert_eq!(words(&done), words(&text));
        }
    }
    assert!(texts > 300, "only {texts}");
}

fn comments(gpu: &'static dyn Gpu, text: &str, options: &TextOptions) -> Vec<String> {
    let all = lexemes(gpu, text, options).into_iter().filter(|own| own.role == Role::Comment);
    all.map(|own| own.text(text).trim_end().to_owned()).collect()
}

/// Any text keeps all that is not blank, and the layout of a layout is the same.
#[test]
fn soups_of_words_are_laid_out_once() {
    let words = [
        "mov",
        "r0",
        ".",
        ",",
        ";",
        "+",
        "#",
        "%",
        "!!VP1.0",
        "vs.1.1",
        "/*",
        "*/",
        "//",
        "\n",
        " ",
        "\t",
        "\r\n",
        "=",
        ":",
        "loop",
        "@a",
        "\"",
        "'",
        "\\",
        "\\\n",
        "5",
        "0x",
        "c[",
        "]",
        "ä",
        "\u{1f600}",
        ".byte",
        "end",
        "END",
        "#define",
        "$",
    ];
    let mut pick = numbers(7);
    for gpu in GPUS {
        // Which dialect a text without a meaning is in may depend on its blanks.
        let dialects = gpu.about().text_options.dialects.iter().map(|own| Some(own.name));
        let dialects: Vec<_> =
            dialects.chain(gpu.about().text_options.dialects.is_empty().then_some(None)).collect();
        for round in 0..2_000 {
            let count = pick(24);
            let text: String = (0..count).map(|_| words[pick(words.len() as u32) as usize]).collect();
            let options = TextOptions { dialect: dialects[round % dialects.len()], ..TextOptions::default() };
            let done = format(*gpu, &text, &options);
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&done), bare(&text), "{text:?}");
            assert_eq!(format(*gpu, &done, &options), done, "{text:?}");
        }
    }
}
