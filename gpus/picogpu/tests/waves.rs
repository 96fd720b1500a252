//! Recordings as waveforms, signal by signal, from timelines made for it.

use gpuzoo_diag::File;
use gpuzoo_isa::Stage;
use gpuzoo_picogpu::*;
use std::collections::HashMap;

/// The changes of each signal: when, and to what, with as many binary digits as it has.
type Signals = HashMap<String, Vec<(u64, String)>>;

fn written(timeline: &Timeline, options: &VcdOptions) -> String {
    let mut bytes = Vec::new();
    write_vcd(timeline, options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Names without the scope `picogpu`, each with its number of bits, and the changes.
fn read(text: &str) -> (HashMap<String, u32>, Signals) {
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().unwrap();
    let mut names = HashMap::new();
    let mut sizes = HashMap::new();
    let mut scopes: Vec<(String, &[vcd::ScopeItem])> = vec![(String::new(), &header.items)];
    while let Some((path, items)) = scopes.pop() {
        for item in items {
            match item {
                vcd::ScopeItem::Scope(scope) => {
                    let path = if scope.identifier == "picogpu" {
                        path.clone()
                    } else {
                        format!("{path}{} ", scope.identifier)
                    };
                    scopes.push((path, &scope.items));
                }
                vcd::ScopeItem::Var(var) => {
                    sizes.insert(format!("{path}{}", var.reference), var.size);
                    names.insert(var.code, format!("{path}{}", var.reference));
                }
                _ => {}
            }
        }
    }
    let (mut now, mut signals) = (0, Signals::new());
    for command in parser {
        let (id, value) = match command.unwrap() {
            vcd::Command::Timestamp(time) => {
                now = time;
                continue;
            }
            vcd::Command::ChangeScalar(id, value) => (id, value.to_string()),
            vcd::Command::ChangeVector(id, value) => (id, value.iter().map(|bit| bit.to_string()).collect()),
            _ => continue,
        };
        signals.entry(names[&id].clone()).or_default().push((now, value));
    }
    (sizes, signals)
}

/// A timeline with a run of `fadd` for three vertices from cycle 20 on.
fn one_run() -> Timeline {
    let text = "#vertexShader #input r0.xy #output r1.xyzw #uniform r2.x fadd r1.x r0 r2";
    let program = assemble(&File::new("t", text), DOCUMENT).program;
    let inputs = |x: f32| [[x.to_bits(), 7, 0, 0], [0; 4], [0; 4]];
    let run = Run {
        unit: 1,
        start: 20,
        stage: Stage::Vertex,
        program: 0,
        inputs: [1.0, 2.0, 3.0].map(inputs).to_vec(),
        uniforms: vec![[0x3f00_0000, 0, 0, 0]],
    };
    Timeline { runs: vec![run], programs: vec![lowered(&program, DOCUMENT)], ..Timeline::default() }
}

/// Whoever asks for more changes gets four million, and is told that there are more.
#[test]
fn changes_are_limited() {
    let busy = (0..=MAX_CHANGES as u64 / 2).map(|at| (Block::ALL[0].0, 3 * at..3 * at + 1)).collect();
    let options = VcdOptions { changes: usize::MAX, ..VcdOptions::default() };
    let text = written(&Timeline { busy, ..Timeline::default() }, &options);
    assert!(text[text.len() - 80..].contains("cut off: more happened than is shown"));
}

/// A wire for each block; of both units the counter, the stage, the number of threads and the registers of the threads that are asked
/// for, all zeros at first.
#[test]
fn every_signal_begins_as_zeros_of_its_size() {
    for (options, threads) in [
        (VcdOptions::default(), 1),
        (VcdOptions { threads: 0, ..VcdOptions::default() }, 0),
        (VcdOptions { threads: 2, ..VcdOptions::default() }, 2),
        (VcdOptions { threads: 99, ..VcdOptions::default() }, 32),
    ] {
        assert_eq!(options.changes, MAX_CHANGES);
        let (sizes, signals) = read(&written(&Timeline::default(), &options));
        let mut expected: HashMap<String, u32> = HashMap::new();
        expected.extend(Block::ALL.map(|(_, name)| (format!("{name}_busy"), 1)));
        for unit in ["unit0", "unit1"] {
            // 511 instructions, and 32 threads.
            expected.extend(
                [("pc", 9), ("fragment_program", 1), ("threads", 6)]
                    .map(|(name, bits)| (format!("{unit} {name}"), bits)),
            );
            for thread in 0..threads {
                for register in 0..16 {
                    expected.extend(
                        ["x", "y", "z", "w"]
                            .map(|lane| (format!("{unit} thread{thread} r{register}_{lane}"), 32)),
                    );
                }
            }
        }
        assert_eq!(sizes, expected);
        assert_eq!(signals.len(), sizes.len());
        for (name, changes) in signals {
            assert_eq!(changes, [(0, "0".repeat(sizes[&name] as usize))], "{name}");
        }
    }
}

/// Intervals that overlap, touch or lie in one another are one.
#[test]
fn blocks_are_busy_while_any_of_their_intervals_lasts() {
    let blitter = [50..60, 10..30, 15..20, 25..40, 40..42, 70..71];
    let busy = blitter.map(|cycles| (Block::Blitter, cycles)).to_vec();
    let busy = [busy, vec![(Block::Unit1, 12..13)]].concat();
    let (_, signals) = read(&written(&Timeline { busy, ..Timeline::default() }, &VcdOptions::default()));
    let changes =
        |name: &str| signals[name].iter().map(|(time, value)| (*time, &**value)).collect::<Vec<_>>();
    let expected = [(0, "0"), (10, "1"), (42, "0"), (50, "1"), (60, "0"), (70, "1"), (71, "0")];
    assert_eq!(changes("blitter_busy"), expected);
    assert_eq!(changes("shader_unit1_busy"), [(0, "0"), (12, "1"), (13, "0")]);
    assert_eq!(changes("rasterizer_busy"), [(0, "0")]);
}

/// The counter goes on by one each cycle; inputs are there at the beginning, and what an instruction writes in the cycle after it:
/// `lduni` and `initregs` come first.
#[test]
fn a_run_is_shown_cycle_by_cycle() {
    let options = VcdOptions { threads: 2, ..VcdOptions::default() };
    let (_, signals) = read(&written(&one_run(), &options));
    let changes = |name: &str| {
        let changes = signals[name].iter().skip(1);
        changes.map(|(time, value)| (*time, u32::from_str_radix(value, 2).unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(changes("unit1 pc"), [(20, 0), (21, 1), (22, 2), (23, 3)]);
    assert_eq!((changes("unit1 threads"), changes("unit1 fragment_program")), (vec![(20, 3)], vec![(20, 0)]));
    assert_eq!(changes("unit0 pc"), []);
    let float = f32::to_bits;
    for (thread, x) in [(0, 1.0), (1, 2.0)] {
        let of = |register: &str| changes(&format!("unit1 thread{thread} {register}"));
        assert_eq!((of("r0_x"), of("r0_y")), (vec![(20, float(x))], vec![(20, 7)]));
        assert_eq!(of("r2_x").last(), Some(&(21, float(0.5))));
        let of_result = of("r1_x");
        assert_eq!(of_result[of_result.len() - 2..], [(22, 0), (23, float(x + 0.5))]);
        assert_eq!(of("r1_y").last(), Some(&(22, 0)));
    }
}

/// A file that lacks something says so, whether the counters did not fit or a thread's registers; one that lacks nothing does not.
#[test]
fn what_is_left_out_is_said() {
    let is_cut = |timeline: &Timeline, threads: usize, changes: usize| {
        written(timeline, &VcdOptions { threads, changes }).contains("cut off: more happened than is shown")
    };
    // The stage, the threads, and four counters.
    let timeline = one_run();
    assert_eq!([5, 6, 7].map(|changes| is_cut(&timeline, 0, changes)), [true, false, false]);
    // No register of the first thread, and all of the first but none of the second, whose numbers are equal.
    let (_, signals) = read(&written(&timeline, &VcdOptions { threads: 1, ..VcdOptions::default() }));
    let all: usize = signals.values().map(|changes| changes.len() - 1).sum();
    assert_eq!(
        [6, 7, all - 1, all, all + 1].map(|changes| is_cut(&timeline, 1, changes)),
        [true, true, true, false, false]
    );
    let second = 6 + 2 * (all - 6);
    assert_eq!([all, second - 1, second].map(|changes| is_cut(&timeline, 2, changes)), [true, true, false]);
    // A recording that was cut off itself.
    assert!(is_cut(&Timeline { truncated: true, ..Timeline::default() }, 0, 100));
    assert!(!is_cut(&Timeline::default(), 0, 0));
}
