//! The machines' vectors through the functions that C calls.

use gpuzoo::diag::File;
use gpuzoo::machine::vectors;
use gpuzoo::machines::vera::trace::Trace;
use gpuzoo_c::conform::gpuzoo_conform;
use gpuzoo_c::kernel::*;
use gpuzoo_c::options::gpuzoo_option;
use gpuzoo_c::problems::gpuzoo_problems_text;
use gpuzoo_c::program::*;
use gpuzoo_c::status::gpuzoo_status::{self, GPUZOO_OK};
use gpuzoo_c::text::gpuzoo_text;
use gpuzoo_c::vera::*;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

fn text(text: &str) -> gpuzoo_text {
    gpuzoo_text { data: text.as_ptr().cast(), length: text.len() }
}

#[track_caller]
fn ok(status: gpuzoo_status) {
    assert_eq!(status, GPUZOO_OK);
}

fn folder(machine: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus").join(machine).join("tests/vectors")
}

fn read(machine: &str, name: &str) -> String {
    std::fs::read_to_string(folder(machine).join(name)).unwrap()
}

/// Checks a file's records: how many passed.
fn check(machine: &str, profile: &str, name: &str, records: &str) -> usize {
    let (mut passed, mut failed, mut length) = (0, 0, 0);
    let (mut report, mut problems) = (vec![0u8; 1 << 16], null_mut());
    // SAFETY: all pointers lead to what is said.
    let status = unsafe {
        gpuzoo_conform(
            text(machine),
            text(profile),
            text(name),
            records.as_ptr().cast(),
            records.len(),
            &mut passed,
            &mut failed,
            report.as_mut_ptr().cast(),
            report.len(),
            &mut length,
            &mut problems,
        )
    };
    ok(status);
    let mut why = text("\0");
    if !problems.is_null() {
        // SAFETY: they are there until they are freed, which nobody does.
        ok(unsafe { gpuzoo_problems_text(problems, &mut why) });
    }
    // SAFETY: the library ends its texts with a zero byte.
    let why = unsafe { std::ffi::CStr::from_ptr(why.data) };
    assert_eq!(failed, 0, "{}{}", String::from_utf8_lossy(&report[..length]), why.to_string_lossy());
    passed
}

#[test]
fn records_of_every_kind() {
    for (machine, least) in [("dreambox", 2300), ("nv2a", 1600), ("picogpu", 390), ("servaru", 2400)] {
        let mut passed = 0;
        for entry in std::fs::read_dir(folder(machine)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if !name.ends_with(".jsonl") {
                continue;
            }
            let records = match name.as_str() {
                // Programs and results of the unit are in two files.
                "programs_hw_sample.jsonl" => {
                    [read(machine, "programs_sample.jsonl"), read(machine, &name)].concat()
                }
                _ => read(machine, &name),
            };
            // Where nothing is defined, or only that it is tiny, there is nothing to compare.
            let vague = |chk: &str| !chk.is_empty() && chk.bytes().all(|letter| b"ud".contains(&letter));
            let says = |line: &&str| {
                let record = vectors::parse(line).unwrap();
                !record["chk"].as_str().is_some_and(vague)
            };
            let records = records.lines().filter(says).collect::<Vec<_>>().join("\n");
            let of_emulator = ["ops_sample.jsonl", "programs_sample.jsonl"].contains(&name.as_str());
            let profile = if of_emulator && machine == "nv2a" { "cpu" } else { "" };
            passed += check(machine, profile, &name, &records);
        }
        assert!(passed >= least, "{machine}: {passed}");
    }
}

fn word(json: &Json) -> u32 {
    u32::from_str_radix(json.as_str().unwrap(), 16).unwrap()
}

fn words(json: &Json) -> Vec<u32> {
    match json {
        Json::Array(list) => list.iter().flat_map(words).collect(),
        word => vec![self::word(word)],
    }
}

/// A kernel of a program's words, and its end.
fn with_kernel(machine: &str, profile: &str, words: &[u32], body: impl FnOnce(*const gpuzoo_kernel)) {
    let (mut program, mut kernel) = (null_mut(), null_mut());
    // SAFETY: all pointers lead to what is said; what is zero is usual.
    unsafe {
        ok(gpuzoo_program_load(text(machine), words.as_ptr(), words.len(), &mut program, null_mut()));
        let option = gpuzoo_option { name: text("profile"), value: text(profile) };
        let options = gpuzoo_kernel_options {
            struct_size: size_of::<gpuzoo_kernel_options>(),
            options: &option,
            option_count: usize::from(!profile.is_empty()),
            ..std::mem::zeroed()
        };
        ok(gpuzoo_kernel_open(program, &options, &mut kernel, null_mut()));
        body(kernel);
        ok(gpuzoo_kernel_free(kernel));
        ok(gpuzoo_program_free(program));
    }
}

/// Runs one vertex: inputs and constants by name, and the outputs that are expected. Returns how many components were compared.
fn run(
    kernel: *const gpuzoo_kernel,
    inputs: &[(String, [u32; 4])],
    constants: &[(String, [u32; 4])],
    expected: &[(String, [u32; 4])],
    about: &str,
) -> usize {
    let inputs: Vec<gpuzoo_input> = inputs
        .iter()
        .map(|(name, value)| gpuzoo_input {
            name: text(name),
            data: value.as_ptr().cast(),
            size: 16,
            stride: 16,
            components: 4,
        })
        .collect();
    let constants: Vec<gpuzoo_constants> = constants
        .iter()
        .map(|(name, value)| gpuzoo_constants { name: text(name), values: value.as_ptr().cast(), count: 1 })
        .collect();
    let mut results = vec![[0u32; 4]; expected.len()];
    let outputs: Vec<gpuzoo_output> = expected
        .iter()
        .zip(&mut results)
        .map(|((name, _), value)| gpuzoo_output {
            name: text(name),
            data: value.as_mut_ptr().cast(),
            size: 16,
            stride: 16,
            components: 4,
        })
        .collect();
    let run = gpuzoo_run {
        struct_size: size_of::<gpuzoo_run>(),
        count: 1,
        inputs: inputs.as_ptr(),
        input_count: inputs.len(),
        outputs: outputs.as_ptr(),
        output_count: outputs.len(),
        constants: constants.as_ptr(),
        constant_count: constants.len(),
        killed: null_mut(),
        killed_size: 0,
        flags: GPUZOO_RUN_ZEROS,
    };
    // SAFETY: all pointers lead to what is said.
    ok(unsafe { gpuzoo_kernel_run(kernel, &run, null_mut()) });
    for ((name, expected), got) in expected.iter().zip(&results) {
        for (expected, got) in expected.iter().zip(got) {
            let both_nan = f32::from_bits(*expected).is_nan() && f32::from_bits(*got).is_nan();
            assert!(expected == got || both_nan, "{about}, {name}: {expected:08x}, got {got:08x}");
        }
    }
    4 * expected.len()
}

fn four(json: &Json) -> [u32; 4] {
    words(json).try_into().unwrap()
}

/// A list by number, or an object by number or name, under names that begin with `prefix`.
fn named(json: &Json, prefix: impl Fn(&str) -> String) -> Vec<(String, [u32; 4])> {
    match json {
        Json::Array(list) => list
            .iter()
            .enumerate()
            .map(|(number, value)| (prefix(&number.to_string()), four(value)))
            .collect(),
        Json::Object(map) => map.iter().map(|(name, value)| (prefix(name), four(value))).collect(),
        _ => Vec::new(),
    }
}

/// The programs of two machines, word by word and component by component.
#[test]
fn programs_of_vectors() {
    let mut compared = 0;
    for line in read("dreambox", "run_sample.jsonl").lines() {
        let record: Json = serde_json::from_str(line).unwrap();
        // What is right within a tolerance, or tiny, `conform` knows.
        let exact = |chk: &Json| chk.as_str().unwrap().bytes().all(|letter| b"en".contains(&letter));
        if record.get("tol").is_some() || !record["chk"].as_object().unwrap().values().all(exact) {
            continue;
        }
        let (inputs, constants) =
            (named(&record["in"], |at| format!("in{at}")), named(&record["const"], |at| format!("c{at}")));
        let expected = named(&record["out"], str::to_owned);
        with_kernel("dreambox", "", &words(&record["program"]), |kernel| {
            compared += run(kernel, &inputs, &constants, &expected, &record["name"].to_string());
        });
    }
    assert!(compared > 300 * 4, "{compared}");
    let results = read("nv2a", "programs_hw_sample.jsonl");
    let (mut emulator, mut unit) = (0, 0);
    for (line, results) in read("nv2a", "programs_sample.jsonl").lines().zip(results.lines()) {
        let record: Json = serde_json::from_str(line).unwrap();
        let results: Json = serde_json::from_str(results).unwrap();
        for (profile, outputs, compared) in [("cpu", &record, &mut emulator), ("hw", &results, &mut unit)] {
            with_kernel("nv2a", profile, &words(&record["slots"]), |kernel| {
                let sets = record["sets"].as_array().unwrap().iter().zip(outputs["sets"].as_array().unwrap());
                for (set, outputs) in sets {
                    let inputs = named(&set["v"], |at| format!("v{at}"));
                    let constants = named(&set["c"], |at| format!("c{at}"));
                    let isa = gpuzoo::nv2a().assemble("p", "").unwrap().isa();
                    let expected =
                        named(&outputs["out"], |at| gpuzoo::run::output_name(isa, at.parse().unwrap()));
                    *compared += run(kernel, &inputs, &constants, &expected, &record["name"].to_string());
                }
            });
        }
    }
    assert!(emulator > 1000 && unit > 1000, "{emulator} {unit}");
}

/// Replays a trace: its reads, its memory, its sound; returns the device, to be freed, and how much was compared.
fn replay(trace: &Trace, about: &str) -> (*mut gpuzoo_vera, usize) {
    let mut vera = null_mut();
    // SAFETY: all pointers lead to what is said; what is zero is usual.
    unsafe {
        let options = gpuzoo_vera_options {
            struct_size: size_of::<gpuzoo_vera_options>(),
            listens: u32::from(!trace.sound.is_empty()),
            ..std::mem::zeroed()
        };
        ok(gpuzoo_vera_open(&options, &mut vera, null_mut()));
        let before =
            std::iter::once(trace.start).chain(trace.operations.iter().map(|operation| operation.cycles));
        let access =
            |(operation, cycles): (&gpuzoo::machines::vera::trace::Operation, u32)| gpuzoo_vera_access {
                cycles,
                address: 0x9f20 + u16::from(operation.register),
                is_write: operation.is_write.into(),
                value: if operation.is_write { operation.value } else { 0xa5 },
            };
        let mut accesses: Vec<_> = trace.operations.iter().zip(before).map(access).collect();
        ok(gpuzoo_vera_play(vera, accesses.as_mut_ptr(), accesses.len()));
        let last = trace.operations.last().map_or(trace.start, |operation| operation.cycles);
        ok(gpuzoo_vera_advance(vera, last, null_mut()));
        for (operation, access) in trace.operations.iter().zip(&accesses) {
            assert_eq!(operation.value, access.value, "{about}, line {}", operation.line);
        }
        let mut compared = accesses.iter().filter(|access| access.is_write == 0).count();
        if let Some(expected) = trace.vram() {
            let mut got = vec![0; GPUZOO_VERA_VRAM];
            ok(gpuzoo_vera_vram_read(vera, 0, got.as_mut_ptr(), got.len()));
            assert!(got == expected[..], "{about}: another memory");
            compared += got.len();
        }
        let mut count = 0;
        ok(gpuzoo_vera_samples(vera, null_mut(), 0, &mut count));
        let mut heard = vec![[0; 2]; count];
        ok(gpuzoo_vera_samples(vera, heard.as_mut_ptr().cast(), count, &mut count));
        if let Some(expected) = trace.samples(count) {
            heard.resize(expected.len(), [0; 2]);
            assert!(heard == expected, "{about}: another sound");
            compared += heard.len();
        }
        (vera, compared)
    }
}

fn traces(name: &str) -> Vec<(PathBuf, Trace)> {
    let entries = std::fs::read_dir(folder("vera").join(name)).unwrap().map(|entry| entry.unwrap().path());
    let traces = entries.filter(|path| path.extension().is_some_and(|extension| extension == "trace"));
    let parse = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let (trace, problems) = Trace::parse(&File::new("trace", &text));
        assert!(problems.is_empty(), "{}", path.display());
        (path, trace)
    };
    traces.map(parse).collect()
}

#[test]
fn traces_of_vera() {
    for (folder, least) in [("traces", 10_000), ("sound", 1000)] {
        let mut compared = 0;
        for (path, trace) in traces(folder) {
            let (vera, own) = replay(&trace, &path.display().to_string());
            // SAFETY: it is ours.
            ok(unsafe { gpuzoo_vera_free(vera) });
            compared += own;
        }
        assert!(compared > least, "{folder}: {compared}");
    }
}

#[test]
fn pictures_of_vera() {
    let isr = read("vera", "frames/ISR.txt");
    let mut pictures = 0;
    for (path, trace) in traces("frames") {
        let about = path.display().to_string();
        let (vera, _) = replay(&trace, &about);
        let file = std::fs::File::open(path.with_extension("png")).unwrap();
        let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut expected = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut expected).unwrap();
        let mut got = vec![0u8; GPUZOO_VERA_WIDTH * GPUZOO_VERA_HEIGHT * 4];
        let mut value = 0;
        // SAFETY: all pointers lead to what is said.
        unsafe {
            ok(gpuzoo_vera_advance_frame(vera));
            ok(gpuzoo_vera_advance_frame(vera));
            let stride = GPUZOO_VERA_WIDTH * 4;
            ok(gpuzoo_vera_picture(vera, 0, GPUZOO_VERA_HEIGHT, got.as_mut_ptr(), got.len(), stride));
            ok(gpuzoo_vera_read(vera, 0x9f27, &mut value));
            ok(gpuzoo_vera_free(vera));
        }
        assert!(expected == got, "{about}: another picture");
        let name = path.file_stem().unwrap().to_str().unwrap();
        if let Some(said) = isr.lines().find_map(|line| line.strip_prefix(name)) {
            assert_eq!(format!("{value:02X}"), said.trim(), "{about}");
        }
        pictures += 1;
    }
    assert!(pictures > 5, "{pictures}");
}
