//! Reports: each is one file that a strict parser reads, that loads nothing, that is the same on every run, and that shows
//! what it is about.

use crate::common::{gpuzoo, scratch, text, with_input};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Elements of HTML that have no end tag.
const VOID: [&str; 3] = ["meta", "img", "br"];
/// Shapes of drawings.
const SHAPES: [&str; 4] = ["rect", "line", "path", "circle"];

/// A file of the repository's examples.
fn shipped(path: &str) -> String {
    text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shipped").join(path)).to_owned()
}

/// Writes a report twice; what there is in it.
fn report(name: &str, args: &[&str]) -> String {
    let folder = scratch(&format!("report-{name}"));
    let page = |file: &str| {
        let path = folder.join(file);
        let done = gpuzoo(&[args, &["--report", text(&path)]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        std::fs::read_to_string(path).unwrap()
    };
    let (first, second) = (page("a.html"), page("b.html"));
    assert!(first == second, "{name}: the same bytes");
    check(&first);
    first
}

fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).expect("well-formed")
}

/// What holds for every page.
fn check(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>\n<html "));
    let document = parse(page);
    let mut ids = BTreeSet::new();
    let mut nodes = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            match attribute.name() {
                "src" => assert!(value.starts_with("data:image/png;base64,"), "{value:.60}"),
                "href" => assert!(value.starts_with('#'), "{value}"),
                "id" => assert!(ids.insert(value), "{value} twice"),
                "data-node" => assert!(nodes.insert(value), "{value} twice"),
                name => assert!(!name.starts_with("on"), "{name}"),
            }
        }
        assert!(!["link", "iframe", "object", "base"].contains(&node.tag_name().name()));
    }
    for node in document.descendants() {
        if let Some(target) = node.attribute("href") {
            assert!(ids.contains(&target[1..]), "{target}");
        }
        let from = node.attribute("data-from").unwrap_or_default().split_whitespace();
        from.for_each(|from| assert!(nodes.contains(from), "{from}"));
    }
    // HTML knows no other elements that end themselves.
    for (at, _) in page.match_indices("/>") {
        let start = page[..at].rfind('<').unwrap();
        let name = page[start + 1..at].split(' ').next().unwrap();
        assert!(VOID.contains(&name) || SHAPES.contains(&name), "{name}");
    }
}

fn count<'a>(document: &'a Document, name: &'a str) -> usize {
    document.descendants().filter(|node| node.has_tag_name(name)).count()
}

/// All text of the elements of a name.
fn texts(document: &Document, name: &str) -> Vec<String> {
    let own = document.descendants().filter(|node| node.tag_name().name() == name);
    own.map(|node| node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect())
        .collect()
}

#[test]
fn a_scene_is_shown_with_its_views() {
    let page = report("teapot", &["render", &shipped("dreambox/teapot.toml")]);
    let document = parse(&page);
    // The picture, depth, overdraw and triangles; Dreambox has neither batches nor levels.
    assert_eq!(texts(&document, "figcaption").len(), 4);
    assert!(
        page.contains("0.76078683, the nearest") && page.contains("teapot.toml --pixel X,Y"),
        "{page:.900}"
    );
    // 42 of 1,200 cycles.
    assert!(page.contains("42 a vertex"));
    assert!(texts(&document, "td").contains(&"1,032,192".to_owned()), "the cost of draw 0");
    let mipmap = report("mipmap", &["render", &shipped("servaru/mipmap.toml")]);
    assert!(mipmap.contains("miplevel") && mipmap.contains("level 0"));
}

#[test]
fn slots_of_two_halves_are_drawn() {
    let page = report("light", &["render", &shipped("nv2a/light.toml")]);
    let document = parse(&page);
    // 32 slots, each with two halves: all MAC are busy, and 7 ILU.
    let cells = |class: &str| {
        let own = document.descendants().filter(|node| node.has_tag_name("rect"));
        own.filter(|node| node.attribute("class") == Some(class) && node.attribute("height") == Some("18"))
            .count()
    };
    assert_eq!((cells("busy"), cells("cell")), (32 + 7, 32 - 7));
    assert!(page.contains("MAC in 32 of 32 slots, ILU in 7 of 32 slots, all halves in 7"));
    assert!(page.contains("slot 12: RSQ R1.x, R3.w"));
}

#[test]
fn a_pixel_is_shown_with_the_graph_of_its_colour() {
    let scene = shipped("servaru/toon.toml");
    let page = report("toon", &["trace", &scene, "--pixel", "160,120"]);
    let document = parse(&page);
    // The picture and what is around it; a graph for the colour, and those of the vertices.
    assert_eq!(count(&document, "img"), 2);
    assert!(page.contains("P9.x is 0 (slot 21: CMP P9, R2.w, 0, R4;): it begins there"), "{page:.900}");
    let graph = document
        .descendants()
        .find(|node| node.attribute("aria-label") == Some("what P9 = (0, 0, 0, 0) was computed from"));
    let graph = graph.expect("a drawing");
    // 22 instructions, and what was there before them: a row for each.
    let rows = graph.descendants().filter(|node| node.tag_name().name() == "circle").count();
    assert!(rows > 22, "{rows}");
    // Each component that a step of the fragment's program wrote can be asked about: by their masks five write four, three
    // write three, and 14 one.
    let nodes = document.descendants().filter_map(|node| node.attribute("data-node"));
    assert_eq!(nodes.filter(|name| name.starts_with("t0s")).count(), 5 * 4 + 3 * 3 + 14);
    let scene = report("servaru", &["render", &scene]);
    assert!(scene.contains("The fragment program of draw 0"));
}

#[test]
fn a_job_has_a_timeline() {
    let job = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/scene_public_1.json");
    let page = report("job", &["render", text(&job)]);
    let document = parse(&page);
    let timeline = document
        .descendants()
        .find(|node| node.attribute("aria-label") == Some("what 10 blocks did in 217243 cycles"));
    let names: Vec<String> = timeline
        .expect("a drawing")
        .children()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| node.text().map(str::to_owned))
        .collect();
    for block in ["blitter", "shader unit0", "shader unit1", "output merger"] {
        assert!(names.iter().any(|name| name == block), "{names:?}");
    }
    assert!(page.contains("batch") && page.contains("lane 31") && page.contains("fragment instructions"));
    let heads = texts(&document, "h2");
    for head in ["The vertex program of draw 0", "The fragment program of draw 0"] {
        assert!(heads.iter().any(|known| known == head), "{heads:?}");
    }
    assert!(page.contains("--pixel X,Y"));
    let pixel = report("job-pixel", &["trace", text(&job), "--pixel", "50,50"]);
    assert!(pixel.contains("around the pixel") && pixel.contains("fragment (50, 50): "));
    let vertex = report("job-vertex", &["trace", text(&job), "--vertex", "2"]);
    assert!(vertex.contains("vertex 2") && vertex.contains("Where they come from"));
}

#[test]
fn a_computer_is_shown_with_its_memory() {
    let page = report("cube", &["render", &shipped("vera/cube.s"), "--frame", "3"]);
    let captions = texts(&parse(&page), "figcaption");
    let names: Vec<&str> = captions.iter().filter_map(|caption| caption.split(':').next()).collect();
    assert_eq!(names, ["screen", "vram", "tiles", "sprites", "palette"]);
    // A frame by itself needs one behind that of the start.
    for head in ["Timeline", "The last whole frame"] {
        assert!(page.contains(&format!(">{head}</h")), "{head}");
    }
    let run = report("vera-run", &["run", &shipped("vera/lines.s"), "--frames", "2"]);
    assert!(run.contains("cycles") && !run.contains("The last whole frame"));
    // What a CPU does with FX is a row of its own.
    let rows = texts(&parse(&run), "text");
    for row in ["DATA1", "FX control", "FX position"] {
        assert!(rows.iter().any(|known| known == row), "{rows:?}");
    }
    let captions = texts(&parse(&run), "figcaption");
    assert_eq!(captions.len(), 5, "{captions:?}");
    // Pictures end before the longest run does.
    let long = report("vera-long", &["run", &shipped("vera/lines.s"), "--frames", "20000"]);
    assert!(long.contains("There are none: `--frames` cannot be 20000.") && long.contains("cycles"));
    // A bus trace has no time.
    let trace = scratch("report-vera-trace").join("lines.trace");
    let recorded = gpuzoo(&["record", &shipped("vera/lines.s"), "-o", text(&trace)]);
    assert_eq!(recorded.code, 0, "{}", recorded.err);
    let replayed = report("vera-replay", &["run", text(&trace), "--state"]);
    assert!(replayed.contains("accesses") && !replayed.contains(">Timeline</h"));
    let trace = report("vera-trace", &["trace", &shipped("vera/lines.s"), "--steps", "5"]);
    assert!(trace.contains("$0810") || trace.contains("$080D"), "{trace:.900}");
}

#[test]
fn what_check_finds_is_underlined_and_the_exit_code_stays() {
    let folder = scratch("report-check");
    // A name that would be an element if it were not escaped.
    let (program, page) = (folder.join("<b>&.vsh"), folder.join("out.html"));
    std::fs::write(&program, "mov oD0, r5\nmul r1, v0, v1\nfoo <i>\n").unwrap();
    let done = gpuzoo(&["check", text(&program), "--report", text(&page)]);
    assert_eq!(done.code, 1, "{}", done.err);
    let shown = std::fs::read_to_string(&page).unwrap();
    check(&shown);
    let document = parse(&shown);
    let marks = texts(&document, "mark");
    assert!(marks.contains(&"v1".to_owned()) && marks.contains(&"foo".to_owned()), "{marks:?}");
    assert!(shown.contains("<b title=") && shown.contains("error[N0101]"));
    assert!(!shown.contains("<i>") && shown.contains("&lt;b&gt;&amp;.vsh"));
    // Several at once are a table; a scene, too, is a file.
    let all = folder.join("all.html");
    let done = gpuzoo(&["check", text(&program), "scene.toml", "--report", text(&all)]);
    assert_eq!(done.code, 1);
    let shown = std::fs::read_to_string(&all).unwrap();
    check(&shown);
    assert!(shown.contains("scene.toml") && shown.contains("error[A0101]"));
    let good = report("check", &["check", &shipped("nv2a/light.vsh")]);
    assert!(good.contains("no errors, no warnings") && good.contains("32 of 136 slots"));
}

#[test]
fn results_and_differences_are_tables() {
    let vertices = scratch("report-vertices").join("v.csv");
    std::fs::write(&vertices, "in0.x,in0.y,in0.z,in0.w\n1,2,3,4\n-1,nan,inf,0\n").unwrap();
    let run = report("run", &["run", "default.vu", text(&vertices)]);
    let document = parse(&run);
    let rows: Vec<Vec<String>> = document
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .map(|row| {
            let cells = row.children().filter(|cell| cell.has_tag_name("td"));
            cells
                .map(|cell| {
                    cell.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect()
                })
                .collect()
        })
        .collect();
    // Least, greatest, zeros, NaN, infinities of `pos`, which is the first input.
    let row =
        |name: &str| rows.iter().find(|row| row.first().is_some_and(|cell| cell == name)).unwrap().clone();
    assert_eq!(row("pos.x"), ["pos.x", "-1", "1", "0", "0", "0"]);
    assert_eq!(row("pos.y"), ["pos.y", "2", "2", "0", "1", "0"]);
    assert_eq!(row("pos.z"), ["pos.z", "3", "3", "0", "0", "1"]);
    assert_eq!(row("pos.w"), ["pos.w", "0", "4", "1", "0", "0"]);

    let folder = scratch("report-conform");
    let (good, bad, page) = (folder.join("good.jsonl"), folder.join("bad.jsonl"), folder.join("out.html"));
    std::fs::write(&good, "{\"text\":\"end\",\"word\":\"0000003f\"}\n").unwrap();
    let half = "{\"text\":\"end\",\"word\":\"0000003e\"}\n{\"text\":\"end\",\"word\":\"0000003f\"}\n";
    std::fs::write(&bad, half).unwrap();
    let done = gpuzoo(&["conform", "--gpu", "dreambox", text(&good), text(&bad), "--report", text(&page)]);
    assert_eq!(done.code, 1, "{}", done.err);
    let shown = std::fs::read_to_string(&page).unwrap();
    check(&shown);
    let cells = texts(&parse(&shown), "td");
    for cell in ["pass", "FAIL", "0000003e", "0000003f", "1 difference"] {
        assert!(cells.iter().any(|known| known == cell), "{cell}: {cells:?}");
    }
    // What passed is there, too.
    let summaries = texts(&parse(&shown), "summary");
    assert!(
        summaries.iter().any(|summary| summary.ends_with("good.jsonl: all records (1)")),
        "{summaries:?}"
    );
}

#[test]
fn a_trace_has_its_steps_and_graphs() {
    let page =
        report("trace", &["trace", "default.vu", "-c", "c0=1,0,0,0", "--allow", "G0207", "--allow", "G0208"]);
    assert!(
        page.contains("vertex 0")
            && page.contains("ld r0 0")
            && page.contains("what pos = (0, 0, 0, 0) was computed from")
    );
}

#[test]
fn a_report_is_a_file_and_follows_the_rules_of_outputs() {
    let folder = scratch("report-rules");
    let page = folder.join("out.html");
    let refused = gpuzoo(&["check", "default.vu", "--report", "-"]);
    assert_eq!((refused.code, refused.err.contains("error[G0108]")), (2, true), "{}", refused.err);
    // What is wrong leaves what was there.
    std::fs::write(&page, "old").unwrap();
    let failed = gpuzoo(&["render", "nothing.toml", "--report", text(&page)]);
    assert_eq!((failed.code, std::fs::read_to_string(&page).unwrap().as_str()), (2, "old"));
    let own = folder.join("own.vu");
    std::fs::write(&own, "ld r0 0 st pos r0").unwrap();
    let itself = gpuzoo(&["check", text(&own), "--report", text(&own)]);
    assert!(itself.code == 2 && itself.err.contains("error[G0131]"), "{}", itself.err);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "ld r0 0 st pos r0");
    // Of every verb: a folder, a folder that is not there.
    let records = folder.join("v.jsonl");
    std::fs::write(&records, "{\"text\":\"end\",\"word\":\"0000003f\"}\n").unwrap();
    let job = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/scene_public_1.json");
    let lines = shipped("vera/lines.s");
    for verb in [
        &["check", "default.vu"][..],
        &["run", "default.vu", "--allow", "G0207"],
        &["trace", "default.vu", "--allow", "G0207"],
        &["trace", "scene.toml", "--pixel", "0,0"],
        &["render", "scene.toml"],
        &["render", text(&job)],
        &["run", &lines],
        &["trace", &lines],
        &["conform", "--gpu", "dreambox", text(&records)],
    ] {
        for (to, help) in [(&folder, "name a file in it"), (&folder.join("none/out.html"), "make it first")] {
            let done = gpuzoo(&[verb, &["--report", text(to)]].concat());
            assert!(done.code == 2 && done.err.contains("error[G0105]"), "{verb:?}: {}", done.err);
            assert!(cfg!(windows) || done.err.contains(help), "{verb:?}: {}", done.err);
        }
    }
    let both = gpuzoo(&["render", "scene.toml", "-o", text(&folder.join("p.png")), "--report", text(&page)]);
    assert_eq!(both.code, 0, "{}", both.err);
    assert!(folder.join("p.png").is_file() && std::fs::read_to_string(&page).unwrap().len() > 1000);
    let small = gpuzoo(&["render", "scene.toml", "--report", text(&page), "--limit", "memory=100"]);
    assert_eq!((small.code, small.err.contains("error[R0703]")), (1, true), "{}", small.err);
    let piped = with_input(&["check", "-", "--stdin-name", "x.vu", "--report", text(&page)], "st pos r0");
    assert_eq!(piped.code, 0, "{}", piped.err);
    assert!(std::fs::read_to_string(&page).unwrap().contains("<h1>check x.vu</h1>"));
}

/// A white triangle over one of two columns, with an edge through the middle of pixels.
#[test]
fn several_samples_smooth_edges_and_say_so() {
    let folder = scratch("samples");
    let scene = folder.join("s.toml");
    let content = "gpu = \"dreambox\"\nsize = [4, 4]\nclear = { color = [0, 0, 0] }\n\
        program.p.source = \"ld r0 0 st pos r0 ld r1 1 st col r1\"\n\
        mesh.m = { position = [[-1, -1, 0], [1, -1, 0], [-1, 1, 0]], color = [[1, 1, 1], [1, 1, 1], [1, 1, 1]] }\n\
        [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { in0 = \"position\", in1 = \"color\" }\n";
    std::fs::write(&scene, content).unwrap();
    let draw = |samples: &str| {
        let raw = folder.join(format!("{samples}.raw"));
        let done = gpuzoo(&["render", text(&scene), "--samples", samples, "-o", text(&raw)]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(done.err.contains("note[G0242]"), samples != "1", "{}", done.err);
        let bytes = std::fs::read(raw).unwrap();
        assert_eq!(bytes.len(), 4 * 4 * 4);
        bytes.chunks(4).map(|pixel| pixel[0]).collect::<Vec<u8>>()
    };
    let one = draw("1");
    assert!(one.iter().all(|value| [0, 255].contains(value)), "{one:?}");
    // In 4 × 4 samples of a pixel on the diagonal 10 or 6 are covered, as the fill rule says of those on the edge itself.
    let sixteen = draw("16");
    for pixel in [0, 5, 10, 15] {
        assert!([96, 159].contains(&sixteen[pixel]), "{sixteen:?}");
    }
    assert_eq!((sixteen[12], sixteen[3]), (255, 0));
    let png = folder.join("s.png");
    gpuzoo(&["render", text(&scene), "--samples", "4", "-o", text(&png)]);
    let bytes = std::fs::read(&png).unwrap();
    assert!(bytes.windows(41).any(|part| part == b"gpuzoo: each pixel is the mean of 4 sampl"));
    let page = report("samples", &["render", text(&scene), "--samples", "4"]);
    assert!(page.contains("picture: each pixel is the mean of 4 samples") && page.contains("note[G0242]"));
    for args in [&["--samples", "4", "--view", "depth"][..], &["--samples", "2"]] {
        assert_eq!(gpuzoo(&[&["render", text(&scene)], args].concat()).code, 2);
    }
    // Where the program itself leads to pixels, a larger picture is another one.
    for (own, code) in [("picogpu/knot.toml", 1), ("nv2a/vp.toml", 1), ("nv2a/light.toml", 0)] {
        let own = shipped(own);
        let done = gpuzoo(&["render", &own, "--samples", "4", "-o", text(&png)]);
        assert_eq!((done.code, done.err.contains("error[R0326]")), (code, code == 1), "{}", done.err);
    }
    let large = gpuzoo(&["render", text(&scene), "--size", "8000x10", "--samples", "16", "-o", text(&png)]);
    assert_eq!((large.code, large.err.contains("error[R0314]")), (1, true), "{}", large.err);
}

/// Colours are for a terminal, or where `--color` asks for them, and never in a file.
#[test]
fn tables_and_traces_have_colours_where_they_are_wanted() {
    let folder = scratch("colours");
    let vertices = folder.join("v.csv");
    std::fs::write(&vertices, "in0.x,in0.y,in0.z,in0.w\n1,nan,3,4\n").unwrap();
    let run: &[&str] = &["run", "default.vu", text(&vertices), "--allow", "G0207"];
    let trace: &[&str] = &["trace", "default.vu", text(&vertices), "--allow", "G0207"];
    let pixel: &[&str] = &["trace", "scene.toml", "--pixel", "0,0"];
    let why: &[&str] = &["why", "default.vu", text(&vertices), "--register", "pos.y", "--allow", "G0207"];
    let conform: &[&str] = &["conform", "--gpu", "dreambox", "run.jsonl"];
    let list: &[&str] = &["list", "gpus"];
    let plain = |colored: &str| {
        let mut parts = colored.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
    };
    for args in [run, trace, pixel, why, conform, list] {
        let off = gpuzoo(args).out;
        let on = gpuzoo(&[args, &["--color", "always"]].concat()).out;
        assert!(!off.contains('\u{1b}') && on.contains('\u{1b}'), "{args:?}: {on}");
        assert_eq!(plain(&on), off, "{args:?}");
    }
    for args in [run, trace, pixel, why] {
        let file = folder.join("out.txt");
        gpuzoo(&[args, &["--color", "always", "-o", text(&file)]].concat());
        assert!(!std::fs::read_to_string(&file).unwrap().contains('\u{1b}'), "{args:?}");
    }
    let mut no = crate::common::command(&[run, &["--color", "auto"]].concat());
    let out = no.env("FORCE_COLOR", "1").env("NO_COLOR", "1").output().unwrap();
    assert!(!out.stdout.contains(&0x1b));
    let mut forced = crate::common::command(run);
    let out = forced.env("FORCE_COLOR", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).contains("\u{1b}[1;31mnan\u{1b}[0m"));
}
