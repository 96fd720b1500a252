//! `assemble` and `disassemble`: every form, against the words that the machine's spec gives.

use crate::common::{data, gpuzoo, raw, scratch, text, with_input};
use std::process::Command;

/// The default program, word by word (dreambox spec section 5).
const WORDS: [u32; 10] = [
    0x00000000, 0x00000440, 0x00000880, 0x00000cc0, 0x03d10457, 0x00000001, 0x00000441, 0x00000881,
    0x00000cc1, 0x0000003f,
];

fn emitted(form: &str) -> String {
    let done = gpuzoo(&["assemble", "default.vu", "--emit", form]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{form}");
    done.out
}

#[test]
fn binary_is_little_endian() {
    let output = raw(&["asm", "default.vu"], b"");
    let bytes: Vec<u8> = WORDS.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(output.stdout, bytes);
}

#[test]
fn hex_is_a_slot_a_line() {
    let lines: String = WORDS.iter().map(|word| format!("{word:08x}\n")).collect();
    assert_eq!(emitted("hex"), lines);
}

#[test]
fn c_and_rust_hold_the_words() {
    let hex: Vec<String> = WORDS.iter().map(|word| format!("    {word:#010x}, // ")).collect();
    let c = emitted("c");
    assert!(c.contains("static const uint32_t default_words[10] = {\n    0x00000000, // ld r0 0\n"), "{c}");
    let rust = emitted("rust");
    assert!(rust.contains("pub const DEFAULT: [u32; 10] = [\n"), "{rust}");
    for hex in &hex {
        assert!(c.contains(hex) && rust.contains(hex), "{hex}");
    }
    let named = gpuzoo(&["assemble", "default.vu", "--emit", "c", "--name", "power-on"]);
    assert!(named.out.contains("uint32_t power_on_words[10]"));
}

/// In assembly a matrix is what the program reads: rows have dot products with a vector, columns are added up.
#[test]
fn a_matrix_says_its_order_in_every_form() {
    let columns =
        "mul r0, #m[0], v0.x\nmad r0, #m[1], v0.y, r0\nmad r0, #m[2], v0.z, r0\nadd oPos, r0, #m[3]\n";
    for (read, order) in [("%matmul4x4 oPos v0 #m\n", "rows"), (columns, "columns")] {
        let program = format!("#m matrix4 96\n{read}");
        let emit = |form: &str| {
            let done =
                with_input(&["assemble", "--gpu", "nv2a", "-", "--name", "p", "--emit", form], &program);
            assert_eq!(done.code, 0, "{}", done.err);
            done.out
        };
        assert!(emit("c").contains(&format!("\n#define P_M 96 // {order}\n")), "{}", emit("c"));
        assert!(
            emit("inl").starts_with(&format!("// constants from 96, 4: m, {order} of a matrix\n")),
            "{}",
            emit("inl")
        );
        let json: serde_json::Value = serde_json::from_str(&emit("json")).unwrap();
        assert_eq!(json["constants"][0]["matrix"], order);
    }
}

#[test]
fn json_holds_words_and_text() {
    let json: serde_json::Value = serde_json::from_str(&emitted("json")).unwrap();
    let words: Vec<String> = WORDS.iter().map(|word| format!("{word:08x}")).collect();
    assert_eq!(json["words"], serde_json::json!(words));
    assert_eq!(json["slots"][4], serde_json::json!({"words": ["03d10457"], "text": "shf r1 r1 xyxy 0b1111"}));
}

#[test]
fn asm_leaves_out_the_end_that_is_appended() {
    let source = std::fs::read_to_string(data().join("default.vu")).unwrap();
    let code: String =
        source.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect();
    assert_eq!(emitted("asm"), code);
}

#[test]
fn ir_says_what_the_program_means() {
    let plain = emitted("ir");
    assert!(plain.contains("= input 0\n") && plain.contains(".xyxy "), "{plain}");
    let optimized = gpuzoo(&["assemble", "default.vu", "--emit", "ir-opt"]);
    assert_eq!(
        optimized.out,
        "v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = input 3\n\
         v4 = v1.xyxy                         @4\n\
         output 0 = v0\noutput 1 = v4\noutput 2 = v2\noutput 3 = v3\n"
    );
}

#[test]
fn a_c_kernel_is_a_function() {
    let done = gpuzoo(&["assemble", "default.vu", "--emit", "c-kernel", "--name", "power-on"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with("// power_on_kernel: a program for Dreambox"), "{}", done.out);
    // Input 0 is copied to output 0, and output 1 is the second input's x y x y.
    for line in ["out0z[lane] = v0z;", "out1x[lane] = v1x;", "out1w[lane] = v1y;"] {
        assert!(done.out.contains(line), "{line}: {}", done.out);
    }
}

#[test]
fn the_extension_of_the_output_tells_the_form() {
    let folder = scratch("emit");
    for (name, begin) in [
        ("a.hex", "00000000\n00000440\n"),
        ("a.h", "// For Dreambox"),
        ("a.c", "// For Dreambox"),
        ("a.rs", "/// For Dreambox"),
        ("a.json", "{\"gpu\":\"dreambox\""),
        ("a.vu", "ld r0 0\n"),
        ("a.ir", "v0 = const"),
        ("a.bin", "\0\0\0\0"),
        ("a", "\0\0\0\0"),
    ] {
        let path = folder.join(name);
        let done = gpuzoo(&["assemble", "default.vu", "-o", text(&path)]);
        assert_eq!((done.code, done.out.as_str()), (0, ""), "{name}: {}", done.err);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(begin.as_bytes()), "{name}");
        if name != "a.ir" && name != "a" && !name.ends_with('h') && name != "a.c" && name != "a.rs" {
            let back = raw(&["dis", "--gpu", "dreambox", text(&path)], b"");
            assert_eq!(String::from_utf8_lossy(&back.stdout), emitted("asm"), "{name}");
        }
    }
}

#[test]
fn an_extension_that_says_no_form_is_reported() {
    let folder = scratch("emit-extension");
    std::fs::write(folder.join("p.s"), "rts\n").unwrap();
    for (source, name, one) in [("default.vu", "a.xyz", ".hex"), (text(&folder.join("p.s")), "a.xex", ".prg")]
    {
        let path = folder.join(name);
        let done = gpuzoo(&["assemble", source, "-o", text(&path)]);
        assert_eq!((done.code, done.out.as_str(), path.exists()), (2, "", false), "{}", done.err);
        assert!(
            done.err.contains("error[G0118]: the extension `.") && done.err.contains(one),
            "{}",
            done.err
        );
        let emit = if one == ".hex" { "c" } else { "bin" };
        assert_eq!(gpuzoo(&["assemble", source, "-o", text(&path), "--emit", emit]).code, 0);
    }
}

/// Compiled by the C compiler of this machine, if there is one: as C99 to the letter and as C++, included twice.
#[test]
fn the_c_header_is_c99_and_cpp() {
    let compiles = |compiler: &str| {
        Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let folder = scratch("emit-header");
    // One with constants of its own.
    std::fs::write(folder.join("lit.vsh"), "vs.1.1\ndef c7, 1, 2, 3, 4\nadd oPos, v0, c7\n").unwrap();
    for (source, name) in [(data().join("default.vu"), "default"), (folder.join("lit.vsh"), "lit")] {
        let header = folder.join(format!("{name}.h"));
        let done = gpuzoo(&["assemble", text(&source), "-o", text(&header)]);
        assert_eq!(done.code, 0, "{}", done.err);
        let macros = name.to_uppercase();
        let main = format!(
            "#include \"{name}.h\"\n#include \"{name}.h\"\nint main(void)\n{{\n    \
             return sizeof {name}_words / sizeof *{name}_words != {macros}_WORDS_COUNT;\n}}\n"
        );
        for (compiler, file, flags) in [
            ("cc", "main.c", &["-std=c99", "-pedantic"][..]),
            ("c++", "main.cpp", &["-std=c++11", "-pedantic"]),
        ] {
            if !compiles(compiler) {
                gpuzoo_skipped::say(&format!("there is no compiler `{compiler}`: headers of programs"));
                continue;
            }
            std::fs::write(folder.join(file), &main).unwrap();
            let mut command = Command::new(compiler);
            command.args(flags).args(["-Wall", "-Wextra", "-Werror", "-o", name, file]).current_dir(&folder);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(Command::new(folder.join(name)).status().unwrap().success(), "{compiler}");
        }
    }
}

#[test]
fn every_form_of_words_is_disassembled() {
    for (input, args) in [
        (&b"00000440 0000003f"[..], &["dis", "--gpu", "dreambox", "-"][..]),
        (b"0x440, 0x3f // the end", &["dis", "--gpu", "dreambox", "-"]),
        (b"440 3f", &["dis", "--gpu", "dreambox", "-"]),
        (b"[1088, \"3f\"]", &["dis", "--gpu", "dreambox", "-"]),
        (b"{\"words\": [1088, 63]}", &["dis", "--gpu", "dreambox", "-"]),
        (b"\x40\x04\0\0\x3f\0\0\0", &["dis", "--gpu", "dreambox", "-"]),
        (b"0000", &["dis", "--gpu", "dreambox", "-", "--from", "bin", "--deny", "warnings"]),
    ] {
        let output = raw(args, input);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if input != b"0000" {
            assert_eq!(text, "ld r1 1\n", "{input:?}");
            continue;
        }
        // 0x30303030: opcode 48, which nothing has; assembling the text gives the word again.
        assert!(text.contains(".word 0x30303030 // opcode 48 is not defined"), "{text}");
        let again = raw(&["asm", "--gpu", "dreambox", "-"], text.as_bytes());
        assert_eq!(again.stdout, b"0000");
    }
}

/// A program of vp20compiler leaves other bits in unused fields than gpuzoo's assembler: an instruction to who reads it, `.word`
/// to who wants it back. Neither loses a bit without a word.
#[test]
fn a_disassembly_is_to_be_read_or_exact() {
    let words = b"00000000 0020021b 0836106c 2f1007f8 00000000 0020001b 0836106c 2070f801";
    let dis = |args: &[&str]| {
        let output = raw(&[&["dis", "--gpu", "nv2a", "-"][..], args].concat(), words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, text, told) = dis(&[]);
    assert_eq!((code, text.as_str()), (Some(0), "MOV R1.xyzw, v1\nMOV oPos.xyzw, v0\n"));
    assert!(
        told.contains("note[B0103]") && told.contains("1 slot: other bits of the same meaning"),
        "{told}"
    );
    assert!(told.contains("`--exact` keeps every bit"), "{told}");
    for dialect in ["vsh", "vp", "d3d"] {
        let (code, text, told) = dis(&["--exact", "--dialect", dialect]);
        assert_eq!((code, told.as_str()), (Some(0), ""), "{dialect}");
        let again = raw(&["asm", "--gpu", "nv2a", "--emit", "hex", "-"], text.as_bytes());
        let again = String::from_utf8_lossy(&again.stdout).replace('\n', " ");
        assert_eq!(again.trim(), String::from_utf8_lossy(words), "{text}");
    }
    // No text, and it is said.
    let output = raw(&["dis", "--gpu", "nv2a", "--dialect", "vp", "--from", "bin", "-"], b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[N0303]"));
    let output = raw(&["dis", "--gpu", "vera", "--exact", "x.prg"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_not_a_program_is_reported() {
    let cases: [(&[u8], &[&str], &str); 6] = [
        (b"\x01\x02\x03", &["dis", "--gpu", "dreambox", "-"], "B0101"),
        (b"440 xyz", &["dis", "--gpu", "dreambox", "-"], "G0210"),
        (b"[440, ", &["dis", "--gpu", "dreambox", "-"], "G0204"),
        (b"ld r0 \xff", &["asm", "--gpu", "dreambox", "-"], "A0115"),
        (b"ld r99 0", &["asm", "--gpu", "dreambox", "-"], "A0103"),
        (&[0; 4 * 65], &["dis", "--gpu", "dreambox", "-"], "A0110"),
    ];
    for (input, args, code) in cases {
        let output = raw(args, input);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{code}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("error[{code}]")), "{code}");
    }
}

#[test]
fn standard_input_is_named() {
    let done = with_input(&["asm", "--stdin-name", "mine.vu", "--emit", "c"], "end");
    assert_eq!(done.code, 0);
    assert!(done.out.contains("mine_words[2]"), "{}", done.out);
    let done = with_input(&["asm", "--stdin-name", "mine.vu"], "ned");
    assert!(done.err.contains("mine.vu:1:1"), "{}", done.err);
}

/// A PicoGpu binary begins with a store command; then each instruction has its text, the assembler's own, too.
#[test]
fn slots_behind_a_header_have_texts() {
    let program = "#fragmentShader\n#input r0.xyzw\n#output r2.xyzw\n#uniform r3.xyzw\nmov r2 r3\n";
    let done = with_input(&["assemble", "--gpu", "picogpu", "--emit", "json", "-"], program);
    let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let slots = json["slots"].as_array().unwrap();
    let texts: Vec<&str> = slots.iter().map(|slot| slot["text"].as_str().unwrap()).collect();
    assert_eq!((texts[0], texts[24]), ("fsub r4.xy r2 r1", "mov r2 r3"), "{texts:?}");
    assert!(texts.iter().all(|text| !text.is_empty() && !text.contains("ignores")), "{texts:?}");
    let words = |value: &serde_json::Value| value.as_array().unwrap().len();
    let of_slots: usize = slots.iter().map(|slot| words(&slot["words"])).sum();
    assert_eq!(words(&json["words"]), words(&json["header"]) + of_slots);
    // The size says what the assembler added.
    let done = with_input(&["check", "--gpu", "picogpu", "-"], program);
    assert!(
        done.out.starts_with("26 instructions, 30 of 511 words; the assembler added 25 of the 26\n"),
        "{}",
        done.out
    );
}
