//! Inputs that are neither programs of a shader unit nor scenes: tables, JSON, vectors, traces, jobs, the IR, programs of a CPU.

use super::golden::{computer, software};
use super::{Case, Found};
use gpuzoo::compile::Language;
use gpuzoo::computer::Input;
use gpuzoo::conform::{self, Companions, Files, Options};
use gpuzoo::machine::unit::job::JobOptions;
use gpuzoo::options::ReadOptions;
use gpuzoo::read::Form;
use gpuzoo::run::constants::Constants;
use gpuzoo::run::{Names, csv, json_vertices};
use gpuzoo::{Arguments, Machine, Registry, dreambox, nv2a, registry};
use gpuzoo_diag::{Diagnostic, File, FileId, Sources};

/// Reads a file that alone is what spans lie in.
fn alone(read: impl Fn(&File) -> Vec<Diagnostic> + Sync + 'static) -> impl Fn(&str) -> Found + Sync {
    move |text| {
        let mut sources = Sources::default();
        let id: FileId = sources.add("t", text);
        let problems = read(sources.get(id));
        (sources, problems)
    }
}

/// A line again and again behind a head.
fn lines(head: &str, line: &str) -> impl Fn(usize) -> String + Sync + 'static {
    let (head, line) = (head.to_owned(), line.to_owned());
    move |times| format!("{head}{}", line.repeat(times))
}

/// What repeats between a head and an end, with `@` for the number of each.
fn numbered(head: &str, item: &str, end: &str) -> impl Fn(usize) -> String + Sync + 'static {
    let (head, item, end) = (head.to_owned(), item.to_owned(), end.to_owned());
    move |times| {
        let items: String = (0..times).map(|at| item.replace('@', &at.to_string())).collect();
        format!("{head}{items}{end}")
    }
}

fn of_machine(machine: Machine, form: Form, text: &[u8], defines: &[&str]) -> Found {
    let define = defines.iter().map(|define| (*define).to_owned()).collect();
    match machine.read("p", text, &ReadOptions { define, ..form.into() }, None) {
        Ok(program) => {
            ((**program.sources()).clone(), [program.warnings().to_vec(), program.check()].concat())
        }
        Err(error) => ((*error.sources).clone(), error.list),
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = ir();
    cases.extend(data());
    cases.extend(programs());
    cases.extend(cpu());
    cases.extend(vectors());
    cases.extend(shading());
    cases
}

/// Sources in shading languages.
fn shading() -> Vec<Case> {
    let mut cases = Vec::new();
    let read = |language| move |text: &str| of_machine(nv2a(), Form::Source(language), text.as_bytes(), &[]);
    let main = "void main(float4 p : POSITION, out float4 o : POSITION) {\n";
    for (code, line) in [
        ("K0205", "float4 x@ = ;\n"),
        ("K0206", "float x@ = 1e99;\n"),
        ("K0207", "o = q@;\n"),
        ("K0208", "o = p.q;\n"),
        ("K0209", "o = p + float3x3(1, 1, 1, 1, 1, 1, 1, 1, 1);\n"),
        ("K0210", "o = sin();\n"),
        ("K0214", "discard;\n"),
        ("K0215", "1 = p.x;\n"),
        ("K0216", "float a;\n"),
        ("K0217", "float b@[p.x];\n"),
        ("K0218", "o.x = p[7];\n"),
        ("K0221", "float3 c@ = p;\n"),
        ("K0224", "int e@ = 1 / 0;\n"),
    ] {
        let text = numbered(main, line, "o = p;\n}\n");
        cases.push(Case::new(format!("cg {line}"), code, text, read(Language::Cg)));
    }
    for (code, line) in
        [("K0201", "#wat\n"), ("K0202", "#include \"nope@.h\"\n"), ("K0222", "float d@ = 7 / 2;\n")]
    {
        let text = numbered("", line, &format!("{main}o = p;\n}}\n"));
        cases.push(Case::new(format!("cg {line}"), code, text, read(Language::Cg)));
    }
    let main = "void main(float4 p : POSITION";
    let end = ", out float4 o : POSITION) { o = p; }\n";
    for (code, input) in [("K0211", " : WAT"), ("K0212", " : ATTR1"), ("K0223", "")] {
        let text = numbered(main, &format!(",\nfloat4 i@{input}"), end);
        cases.push(Case::new(format!("cg input{input}"), code, text, read(Language::Cg)));
    }
    for (code, body) in [("K0219", ""), ("K0220", " return f@();")] {
        let text = move |times: usize| -> String {
            let function = |at: usize| format!("float f@() {{{body} }}\n").replace('@', &at.to_string());
            let calls: String = (0..times).map(|at| format!("o += f{at}();\n")).collect();
            let functions: String = (0..times).map(function).collect();
            format!(
                "{functions}void main(float4 p : POSITION, out float4 o : POSITION) {{\no = p;\n{calls}}}\n"
            )
        };
        cases.push(Case::new(format!("cg functions{body}"), code, text, read(Language::Cg)));
    }
    let end = "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n";
    let uniforms = move |times: usize| -> String {
        let uniform = |at| format!("@group(0) @binding({at}) var<uniform> u{at}: vec4f;\n");
        (0..times).map(uniform).collect::<String>() + end
    };
    cases.push(Case::new("wgsl uniforms", "K0112", uniforms, read(Language::Wgsl)));
    cases
}

fn ir() -> Vec<Case> {
    let mut cases = Vec::new();
    let read = || alone(|file| gpuzoo::ir::text::parse(file).1);
    for (code, line) in [
        ("I0101", "v@ = fneg\n"),
        ("I0102", "v@ = fad v0, v0\n"),
        ("I0103", "v@ = input 65536\n"),
        ("I0104", "v@ = fneg v99999999\n"),
        ("I0105", "v@ = input 0\nv@ = input 1\n"),
        ("I0106", "v@ = input 0\nv@9 = v@.xyz\n"),
        ("I0107", "v@ = input 0\noutput 0 = v@\n"),
        ("I0108", "v@ = const (1e99, 0, 0, 0)\n"),
        ("I0109", "?\n?\n?\n?\n?\n"),
    ] {
        cases.push(Case::new(format!("ir {line}"), code, numbered("", line, ""), read()));
        cases.push(Case::new(format!("ir line {line}"), "", numbered("", line.trim(), ""), read()));
    }
    cases
}

fn data() -> Vec<Case> {
    let mut cases = Vec::new();
    let isa = dreambox().assemble("p", "end").unwrap().isa();
    let table = || alone(move |file| csv::vertices(isa, file).1);
    for (code, head, line) in [
        ("G0202", "in0.x,in0.y\n", "1\n"),
        ("G0203", "in0.x\n", "x\n"),
        ("G0203", "in0.x,in0.y", "\n1,x"),
        ("", "in0.x\n", "1\n"),
        ("", "in0.x", ",x"),
        ("G0206", "in0.x", ",in77.x"),
        ("G0201", "in0.x", ",in0.x"),
        ("G0202", "in0.x\n1", ",1"),
    ] {
        cases.push(Case::new(format!("csv {head}{line}"), code, lines(head, line), table()));
    }
    let program = || dreambox().assemble("p", "end").unwrap();
    for (code, head, line) in [
        ("G0202", "name,x,y,z,w\n", "c0,1\n"),
        ("G0203", "name,x,y,z,w\n", "c0,1,2,3,?\n"),
        ("G0206", "name,x,y,z,w\n", "k@,1,2,3,4\n"),
        ("G0201", "name,x,y,z,w", ",q"),
    ] {
        let read = alone(move |file| Constants::default().csv(&program(), file, &Names::default()));
        cases.push(Case::new(format!("constants {line}"), code, numbered(head, line, ""), read));
    }
    for (code, head, item, end) in [
        ("G0206", "{\"c0\": [1, 2, 3, 4]", ", \"k@\": [1, 2, 3, 4]", "}"),
        ("G0205", "[[1, 2, 3, 4]", ",\n[1]", "]"),
        ("G0204", "{\"c0\": [1, 2, 3, 4]", ", \"c1\": [1, 2, 3, 4]", "}"),
        ("", "[[1, 2, 3, 4]", ", [1, 2, 3, 4]", "]"),
    ] {
        let read = alone(move |file| Constants::default().json(&program(), file).err().into_iter().collect());
        cases.push(Case::new(format!("constants {item}"), code, numbered(head, item, end), read));
    }
    for (code, head, item, end) in [
        ("", "[{\"in0\": [1, 2, 3, 4]}", ",\n{\"in0\": [1, 2, 3, 4]}", "]"),
        ("G0206", "[{\"in0\": [1, 2, 3, 4]}", ",\n{\"in@77\": [1, 2, 3, 4]}", "]"),
        ("G0205", "{\"in0\": [[1, 2, 3, 4]", ", [1, 2, \"x\", 4]", "]}"),
        ("G0204", "[", "{} ", "]"),
    ] {
        let read = alone(move |file| json_vertices(isa, file).err().into_iter().collect());
        cases.push(Case::new(format!("vertices {item}"), code, numbered(head, item, end), read));
    }
    cases
}

fn programs() -> Vec<Case> {
    let mut cases = Vec::new();
    for (form, code, head, line, end) in [
        (Form::Hex, "G0210", "", "00000440\nxyz ", ""),
        (Form::Hex, "G0210", "", "00000440 ", "xyz"),
        (Form::Json, "G0210", "[1088", ", 4294967296", "]"),
        (Form::Json, "G0205", "{\"wods\": [1088", ", 1", "]}"),
        (Form::Asm, "A0114", "", "oops\noops\noops\noops\noops\n", ""),
    ] {
        let read = move |text: &str| of_machine(dreambox(), form, text.as_bytes(), &[]);
        cases.push(Case::new(format!("words {line}"), code, numbered(head, line, end), read));
    }
    let read = |text: &str| of_machine(dreambox(), Form::Asm, &[text.as_bytes(), &[0xff]].concat(), &[]);
    cases.push(Case::new("not text", "A0115", lines("", "é"), read));
    for (code, head, line) in [
        // A block comment that is opened again and again, and one of many lines.
        ("A0109", "", "/* "),
        ("A0109", "/*", "\n"),
        // Blocks, includes, macros and conditions of the preprocessor.
        ("N0703", "vs.1.1\n", "#if\n"),
        ("N0702", "vs.1.1\n", "#include \"a@.h\"\n"),
        ("N0704", "vs.1.1\n#define M(a, b) a\n", "M(1)\n"),
        ("N0705", "vs.1.1\n", "#define M @\n"),
        ("", "vs.1.1\n#define M mov r0, v0\n", "M\n"),
        ("", "vs.1.1\n", "#define M@ M@\nmov r0, M@\n"),
    ] {
        let read = |text: &str| of_machine(nv2a(), Form::Asm, text.as_bytes(), &[]);
        cases.push(Case::new(format!("text {head}{line}"), code, numbered(head, line, ""), read));
    }
    let log = |text: &str| of_machine(nv2a(), Form::Log, text.as_bytes(), &[]);
    for (name, code, item) in [
        ("log cut off", "N0804", "nv2a_pgraph_method 0: 0x97 -> 0x0b\n"),
        (
            "log",
            "N0801",
            "nv2a_pgraph_method 0: 0x97 -> 0x17fc A[0] 0x5\nnv2a_pgraph_method 0: 0x97 -> 0x17fc A[0] 0x0\n",
        ),
    ] {
        let slot = [0, 0x0020_001b, 0x0836_106c, 0x2070_f801];
        let slot =
            slot.map(|word| format!("nv2a_pgraph_method 0: 0x97 -> 0x0b00 A[0] 0x{word:x}\n")).concat();
        let end =
            "nv2a_pgraph_method 0: 0x97 -> 0x17fc A[0] 0x5\nnv2a_pgraph_method 0: 0x97 -> 0x17fc A[0] 0x0\n";
        cases.push(Case::new(name, code, numbered(&slot, item, end), log));
    }
    cases.push(Case::new("defines", "N0709", lines("", "X "), |text: &str| {
        let defines: Vec<&str> = text.split_whitespace().collect();
        of_machine(nv2a(), Form::Asm, b"!!VP1.0\nMOV o[HPOS], v[0];\nEND", &defines)
    }));
    cases
}

/// Programs of VERA's CPU, and its traces.
fn cpu() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, code, head, item, end) in [
        ("chain", "", " .word n0\n", "n@1 = n@2 + n@2\n", ""),
        ("undefined", "V0204", "", " .word n@\n", ""),
        ("undefined among many", "V0204", "", "m@ = @\n .word n@\n", ""),
        ("twice", "V0205", "", "n = 1\n", ""),
        ("scopes", "V0229", "", " .word s@::a\n", ""),
        ("nearly", "V0202", ".macro lad\n.endmacro\n", " lda@ 1\n", ""),
        ("macros", "", "", ".macro m@\n nop\n.endmacro\n m@\n", ""),
        ("calls", "V0219", ".macro m\n.warning \"w\"\n.endmacro\n", " m\n", ""),
        ("unclosed", "V0212", "", ".scope a@\n", ""),
        ("line", "V0201", "", " nop nop", "\n"),
        ("operators", "V0214", " .byte 1", "+1", "\n"),
        ("errors", "V0227", "", "?\n?\n?\n?\n?\n", ""),
        ("repeat", "V0206", ".repeat 60000\n .byte 256\n.endrepeat\n", "; x\n", ""),
        ("unnamed", "V0204", "", " bne :+++\n", ""),
        ("lost", "V0234", " nop\n.bss\n", " .byte 1\n", ""),
    ] {
        cases.push(Case::new(format!("asm65 {name}"), code, numbered(head, item, end), software));
    }
    cases.push(Case::new("asm65 long", "V0215", |times| " .res 300\n".repeat(times), software));
    // A lint for each of many instructions, which run.
    const BANK_2: &str = " lda #2<<1\n sta CTRL\n";
    let polygon =
        " lda #2\n sta FX_CTRL\n lda #4<<1\n sta CTRL\n lda #10\n sta FX_X_POS_L\n lda #5\n sta FX_Y_POS_L\n";
    let handler = " sei\n lda #$20\n sta FX_CTRL\n lda #<handler\n sta $314\n lda #>handler\n sta $315\n lda #1\n sta IEN\n\
         cli\nidle: bra idle\nhandler:\n";
    let line_handler = " sei\n lda #<handler\n sta $314\n lda #>handler\n sta $315\n lda #64\n sta IRQLINE_L\n lda #2\n sta IEN\n\
         cli\nidle: bra idle\nhandler:\n";
    for (code, head, item, end) in [
        ("V0401", "", " lda AUDIO_DATA\n", " stp\n"),
        ("V0402", " lda #5<<1\n sta CTRL\n", " sta FX_POLY_FILL_L\n", " stp\n"),
        ("V0403", "", " inc DATA0\n", " stp\n"),
        ("V0404", " lda #$50\n", " sta FX_MULT\n", " stp\n"),
        ("V0405", polygon, " sta DATA1\n", " stp\n"),
        ("V0406", handler, " lda DATA0\n", " lda #1\n sta ISR\n ply\n plx\n pla\n rti\n"),
        ("V0407", " lda #3\n sta FX_CTRL\n", " inc DATA1\n", " stp\n"),
        ("V0408", "", " stz FX_X_INCR_L\n", " stp\n"),
        ("V0409", " nop\n", " lda $8000\n", " stp\n"),
        (
            "V0410",
            line_handler,
            " lda SCANLINE_L\n cmp #64\n beq :+\n:\n",
            " lda #2\n sta ISR\n ply\n plx\n pla\n rti\n",
        ),
    ] {
        let read = |text: &str| {
            let software = computer().assemble("p.s", text).unwrap();
            let arguments = Arguments::default().with("run").set("frames", 3_u64);
            let report = software.check(&arguments).unwrap();
            ((**software.sources()).clone(), report.remarks)
        };
        let head = if head.is_empty() && code != "V0408" { String::new() } else { format!("{BANK_2}{head}") };
        cases.push(Case::new(format!("lint {item}"), code, numbered(&head, item, end), read));
    }
    let debug = "version\tmajor=2\nseg\tid=0,name=\"C\",start=0x801,size=1,oname=\"x\",ooffs=2\nspan\tid=0,seg=0,start=0,size=1\n";
    let source = "file\tid=@,name=\"f@\",size=9\nline\tid=@,file=@,line=1,span=0\n";
    for (code, head, item) in [
        ("V0231", "al 0801 .a\n", "al x\n"),
        ("V0231", debug, "sym\tid=@\n"),
        ("V0233", debug, source),
        ("", "", "al 0801 .n@\n"),
        ("", debug, "sym\tid=@,name=\"n\",val=@,type=lab\n"),
    ] {
        let read = |text: &str| {
            let mut include = |_: &str| Ok(b"nop".to_vec());
            let input = Input { name: "x", bytes: &[1, 8, 0x60], form: Some("prg"), include: &mut include };
            match computer().read(input, &Arguments::default().set("symbols", text.as_bytes().to_vec())) {
                Ok(program) => ((**program.sources()).clone(), program.warnings().to_vec()),
                Err(problems) => ((*problems.sources).clone(), problems.list),
            }
        };
        cases.push(Case::new(format!("symbols {item}"), code, numbered(head, item, ""), read));
    }
    for (code, line) in [
        ("V0101", "X\n"),
        ("V0101", "X "),
        ("V0102", "W 20 0\n"),
        ("V0103", "W 40 00\n"),
        ("V0104", "V 20000 00\n"),
        ("", "W 20 00\n"),
        ("", "V 0 00\n"),
    ] {
        let read = |text: &str| match gpuzoo::diff::read(
            &Registry::default(),
            "t.trace",
            text.as_bytes(),
            &Default::default(),
        ) {
            Ok(_) => (Sources::default(), Vec::new()),
            Err(problems) => (Sources::default(), problems),
        };
        cases.push(Case::new(format!("trace {line}"), code, lines("W 20 00\n", line), read));
    }
    cases
}

fn vectors() -> Vec<Case> {
    let mut cases = Vec::new();
    for (code, line) in [
        ("C0101", "{\"a\":}\n"),
        ("C0102", "{\"text\":\"end\",\"word\":\"xyz\"}\n"),
        ("C0103", "{\"a\":1}\n"),
        ("", "{\"text\":\"end\",\"word\":\"0000003e\"}\n"),
        ("C0101", "{\"a\":} "),
    ] {
        let head = "{\"text\":\"end\",\"word\":\"0000003f\"}\n";
        let read = alone(|file| {
            let gpu = registry::shader_units().find(|gpu| gpu.about().id == "dreambox").unwrap();
            let (companions, files, arguments) = Default::default();
            let (companions, files): (Companions, Files) = (companions, files);
            let arguments: Arguments = arguments;
            let options = Options {
                arguments: &arguments,
                companions: &companions,
                files: &files,
                failures: 9,
                every: false,
                budget: &Default::default(),
            };
            conform::check(gpu, file, &options, |_| {}).diagnostics
        });
        cases.push(Case::new(format!("vectors {line}"), code, lines(head, line), read));
    }
    let job = serde_json::json!({ "width": 4, "height": 4, "clear_color": "00000000" });
    let draw = serde_json::json!({
        "vs": "#vertexShader #input r0.xyzw #output r0.xyzw trap",
        "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw #uniform r2.xyzw mov r1 r2",
        "vertex_count": 0, "vertex_data": [], "fs_uniforms": [["3f800000", "3f000000", "bf800000", "40000000"]],
    });
    for (code, member, value) in [
        ("R0101", "widht", serde_json::json!(3)),
        ("P0302", "fs_uniforms", serde_json::json!([["+1"]])),
        ("P0304", "fs_uniforms", serde_json::json!([["00000000"]])),
        ("A0101", "vs", serde_json::json!("mvo")),
        ("P0212", "fs", draw["vs"].clone()),
        ("R0104", "fs", serde_json::Value::Null),
    ] {
        let (job, mut draw) = (job.clone(), draw.clone());
        draw[member] = value;
        let text = move |times: usize| {
            let mut job = job.clone();
            job["draws"] = vec![draw.clone(); times].into();
            job.to_string()
        };
        let read = alone(|file| {
            let gpu = registry::shader_units().find(|gpu| gpu.about().id == "picogpu").unwrap();
            match gpuzoo::job::check(gpu, file, &JobOptions::default()) {
                Ok(problems) => problems,
                Err(problem) => vec![problem],
            }
        });
        cases.push(Case::new(format!("job {member}"), code, text, read));
    }
    cases
}
