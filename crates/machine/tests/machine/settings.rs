//! Settings that several machines have, and what is said of them; sound files; lists that there is no memory for.

use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_machine::computer::sound::Sound;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;
use gpuzoo_machine::options::keys::{Choice, Flag, Int, Key, Number, Section};
use gpuzoo_machine::options::settings::{Reader, Setting, Table, Value};
use gpuzoo_machine::options::words;
use gpuzoo_machine::unit::run_state::Mode;
use gpuzoo_raster::{Compare, Cull, Filter, Rect, Winding, Wrap};

/// What a reader makes of a table, and the messages.
fn read<T>(entries: &[(&str, Value)], read: impl FnOnce(&mut Reader) -> T) -> (T, Vec<String>) {
    let table = Table::of(entries);
    let mut problems: Vec<Diagnostic> = Vec::new();
    let value = read(&mut Reader::new(&table, &mut problems));
    (value, problems.into_iter().map(|problem| problem.message).collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn items(values: &[Value]) -> Value {
    let setting = |value: &Value| Setting { span: Span::default(), value: value.clone() };
    Value::List(values.iter().map(setting).collect())
}

#[test]
fn words_mean_what_they_say() {
    let key = words::depth_compare(Compare::Always);
    for (word, compare) in [
        ("never", Compare::Never),
        ("less", Compare::Less),
        ("equal", Compare::Equal),
        ("lequal", Compare::LessEqual),
        ("greater", Compare::Greater),
        ("notequal", Compare::NotEqual),
        ("gequal", Compare::GreaterEqual),
        ("always", Compare::Always),
    ] {
        assert_eq!(read(&[("depth_compare", text(word))], |reader| key.read(reader)), (compare, vec![]));
    }
    // What is not said, or is not one of them, is the default.
    for default in [Compare::Always, Compare::Less] {
        let key = words::depth_compare(default);
        assert_eq!(read(&[], |reader| key.read(reader)), (default, vec![]));
        let (value, problems) = read(&[("depth_compare", text("lesss"))], |reader| key.read(reader));
        assert_eq!((value, problems.len()), (default, 1));
    }
    let cull = words::cull(Cull::None);
    for (word, side) in [("none", Cull::None), ("front", Cull::Front), ("back", Cull::Back)] {
        assert_eq!(read(&[("cull", text(word))], |reader| cull.read(reader)).0, side);
    }
    let front = words::front(Winding::Clockwise);
    for (word, winding) in [("cw", Winding::Clockwise), ("ccw", Winding::CounterClockwise)] {
        assert_eq!(read(&[("front", text(word))], |reader| front.read(reader)).0, winding);
    }
    let filter = words::filter(Filter::Nearest);
    for (word, found) in [("nearest", Filter::Nearest), ("linear", Filter::Linear)] {
        assert_eq!(read(&[("filter", text(word))], |reader| filter.read(reader)).0, found);
    }
    for default in [true, false] {
        let write = words::depth_write(default);
        assert_eq!(read(&[], |reader| write.read(reader)).0, default);
        assert_eq!(read(&[("depth_write", Value::Bool(!default))], |reader| write.read(reader)).0, !default);
    }
}

#[test]
fn a_texture_wraps_in_both_directions_alike_unless_it_says_two() {
    let wrap = |value: Value| read(&[("wrap", value)], words::wrap);
    assert_eq!(read(&[], words::wrap), (None, vec![]));
    for (word, wraps) in [("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror)] {
        assert_eq!(wrap(text(word)), (Some([wraps; 2]), vec![]));
    }
    assert_eq!(wrap(items(&[text("clamp"), text("mirror")])), (Some([Wrap::Clamp, Wrap::Mirror]), vec![]));
    // One of two is wrong: there is nothing that the other could stand for.
    for wrong in [
        items(&[text("clamp"), text("mirrored")]),
        items(&[text("x"), text("clamp")]),
        items(&[Value::Int(1), text("clamp")]),
        // One in a list, three of them, no text.
        items(&[text("clamp")]),
        items(&[text("clamp"), text("clamp"), text("clamp")]),
        Value::Int(1),
        text("Clamp"),
    ] {
        let (value, problems) = wrap(wrong.clone());
        assert_eq!((value, problems.len()), (None, 1), "{wrong:?}");
    }
}

#[test]
fn a_rectangle_is_four_numbers() {
    let rect = |numbers: &[f64]| {
        let numbers: Vec<Value> = numbers.iter().map(|number| Value::Float(*number)).collect();
        read(&[("viewport", items(&numbers))], |reader| words::rect(reader, "viewport")).0
    };
    assert_eq!(rect(&[-3.0, 5.0, 20.0, 10.0]), Some(Rect { x: -3, y: 5, width: 20, height: 10 }));
    assert_eq!((rect(&[1.0; 3]), rect(&[1.0; 5])), (None, None));
}

#[test]
fn keys_say_what_they_take() {
    let flag = Flag::new("on", true, "whether");
    assert_eq!(
        (flag.takes().as_str(), flag.default(), flag.example()),
        ("`true` or `false`", "true".to_owned(), "false".to_owned())
    );
    let int = Int::new("n", (-2, 9), 3, "how many");
    assert_eq!((int.takes().as_str(), int.default()), ("an integer from -2 to 9", "3".to_owned()));
    for (value, found) in [(-3, 3), (-2, -2), (9, 9), (10, 3)] {
        assert_eq!(read(&[("n", Value::Int(value))], |reader| int.read(reader)).0, found, "{value}");
    }
    let number = Number::new("f", 1.0, "how much");
    assert_eq!((number.default().as_str(), number.example().as_str()), ("1.0", "1.0"));
    assert_eq!(read(&[("f", Value::Int(4))], |reader| number.read(reader)).0, 4.0);
    assert_eq!(
        read(&[("f", text("4"))], |reader| number.read(reader)),
        (1.0, vec!["`f` must be a number".to_owned()])
    );
    static CHOICES: [(&str, u8); 3] = [("one", 1), ("two", 2), ("three", 3)];
    let choice = Choice::new("c", &CHOICES, 2, "which");
    assert_eq!(choice.takes(), "`\"one\"`, `\"two\"` or `\"three\"`");
    assert_eq!((choice.default(), choice.without()), ("\"two\"".to_owned(), "\"two\"".to_owned()));
    assert_ne!(choice.example(), choice.default());
    static KEYS: [&dyn Key; 2] = [&Flag::new("on", false, ""), &Int::new("n", (0, 9), 3, "")];
    let section = Section::new("s", &KEYS, "", "a part");
    assert_eq!(
        (section.takes().as_str(), section.example().as_str()),
        ("a table of `on` and `n`", "{ on = true, n = 3 }")
    );
    // One without a default must be there.
    assert_eq!(section.without(), "must be given");
    let several = Section::new("s", &KEYS, "none", "parts").list();
    assert_eq!(several.takes(), "a list of tables of `on` and `n`");
    assert_eq!((several.example().as_str(), several.without().as_str()), ("[{ on = true, n = 3 }]", "none"));
    assert_eq!((several.keys().len(), several.name(), several.about()), (2, "s", "parts"));
    let mode = Mode { name: "range", about: "what", choices: &[("all", "every one"), ("user", "some")] };
    assert_eq!(
        (mode.takes().as_str(), mode.default(), mode.example()),
        ("`\"all\"` or `\"user\"`", "\"all\"".to_owned(), "\"user\"".to_owned())
    );
    assert_eq!(Key::choices(&mode).len(), 2);
}

/// A WAV file of PCM: RIFF, its format and its data, all numbers lowest byte first.
#[test]
fn a_sound_is_a_wav_file() {
    let file = Sound { rate: 44_100, samples: vec![[1, -1], [0x1234, i16::MIN], [0, 0]] }.wav();
    // 3 samples of 4 bytes behind 44 bytes of header; RIFF's length is without its first 8 bytes.
    assert_eq!(file.len(), 56);
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let half = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap());
    assert_eq!((&file[..4], word(4), &file[8..16]), (&b"RIFF"[..], 48, &b"WAVEfmt "[..]));
    // 16 bytes of format: PCM, two channels, the rate, bytes a second, bytes a sample, bits of one side.
    assert_eq!((word(16), half(20), half(22), word(24)), (16, 1, 2, 44_100));
    assert_eq!((word(28), half(32), half(34)), (176_400, 4, 16));
    assert_eq!((&file[36..40], word(40)), (&b"data"[..], 12));
    assert_eq!(file[44..], [1, 0, 0xff, 0xff, 0x34, 0x12, 0, 0x80, 0, 0, 0, 0]);
    let silence = Sound { rate: 8000, samples: vec![] }.wav();
    assert_eq!((silence.len(), &silence[40..]), (44, &[0; 4][..]));
}

#[test]
fn lists_are_as_long_as_they_are_said_to_be() {
    assert!(memory::room::<u64>(5).unwrap().capacity() >= 5);
    assert_eq!(memory::collect(3, [1, 2]).unwrap(), [1, 2]);
    assert_eq!(memory::collect(3, 1..9).unwrap(), [1, 2, 3]);
    assert_eq!(memory::filled(7, 3).unwrap(), [7; 3]);
    let mut list = vec![1];
    memory::push(&mut list, 2).unwrap();
    assert_eq!(list, [1, 2]);
    memory::reserve(&mut list, 10).unwrap();
    assert!(list.capacity() >= 12);
    // What there is no memory for is so many bytes; more than 64 bits hold are all of them.
    let most = usize::MAX / 16;
    assert!(
        matches!(memory::room::<u64>(most), Err(Refusal::System { bytes, .. }) if bytes == most as u64 * 8)
    );
    assert!(matches!(memory::refused::<u64>(usize::MAX), Refusal::System { bytes: u64::MAX, .. }));
}
