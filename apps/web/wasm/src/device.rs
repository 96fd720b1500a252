//! VERA and the Commander X16 for pages of the host's own. Accesses on the bus are exports of their own; the rest are questions.

use crate::files::Files;
use crate::memory::Bytes;
use crate::objects::{Object, Objects, closed, number};
use crate::request::{Answer, Problem, Reply, Request};
use gpuzoo::machines::vera::{HEIGHT, Profile, STATE, Vera, WIDTH};
use gpuzoo::machines::x16::{Config, Input, Limits, Unread, X16};
use gpuzoo::{Arguments, computer};
use serde_json::{Value as Json, json};

/// Answers a question about a device or a machine; nothing for an operation that is none.
pub fn answer(files: &Files, objects: &mut Objects, op: &str, request: Request) -> Option<Answer> {
    Some(match op {
        "x16/assemble" => assembled(files, request),
        "vera" => profile(request).map(|profile| {
            let mut vera = Vera::new(profile);
            if request.is("listens") {
                vera.listen();
            }
            json!({ "id": objects.open(Object::Vera(Box::new(vera))) }).into()
        }),
        "x16" => machine(request)
            .map(|machine| json!({ "id": objects.open(Object::X16(Box::new(machine))) }).into()),
        "vera/advance" | "vera/picture" | "vera/samples" | "vera/vram" | "vera/poke" | "vera/state" => {
            number(request).and_then(|id| device(objects.vera(id).ok_or_else(closed)?, op, request))
        }
        "x16/load" | "x16/run" | "x16/give" | "x16/peek" | "x16/poke" | "x16/cpu" => {
            number(request).and_then(|id| computer(objects.x16(id).ok_or_else(closed)?, op, request))
        }
        _ => return None,
    })
}

/// A PRG file of a text.
fn assembled(files: &Files, request: Request) -> Answer {
    let mut include = |wanted: &str| files.include(wanted);
    let name = request.maybe("name").unwrap_or("program.s");
    let text = gpuzoo::vera().text_form();
    let input = computer::Input { name, bytes: request.content()?, form: text, include: &mut include };
    bytes(gpuzoo::vera().read(input, &Arguments::default())?.emit("prg")?)
}

fn profile(request: Request) -> Result<Profile, Problem> {
    let Some(name) = request.maybe("profile") else { return Ok(Profile::default()) };
    gpuzoo::registry::profile(gpuzoo::vera().gpu(), Some(name))?;
    Profile::find(name).ok_or_else(|| format!("there is no profile `{name}`").into())
}

fn machine(request: Request) -> Result<X16, Problem> {
    let mut config = Config { deviations: profile(request)?.deviations(), ..Config::default() };
    if let Some(banks) = request.number("ramBanks")? {
        config.ram_banks = banks;
    }
    if !request.about["rom"].is_null() {
        config.rom = Some(request.block(&request.about["rom"])?.bytes().to_vec());
    }
    Ok(X16::new(config)?)
}

/// The range `start` to `end` of a memory of so many bytes.
fn range(request: Request, size: usize) -> Result<std::ops::Range<usize>, Problem> {
    let start = request.number("start")?.unwrap_or(0);
    let end = request.number("end")?.unwrap_or(size);
    match start <= end && end <= size {
        true => Ok(start..end),
        false => Err(format!("the memory has {size} bytes").into()),
    }
}

fn bytes(bytes: Vec<u8>) -> Answer {
    Ok(Reply { value: json!(bytes.len()), bytes: Bytes::Raw(bytes) })
}

fn device(vera: &mut Vera, op: &str, request: Request) -> Answer {
    match op {
        "vera/advance" => {
            let frames = request.number::<u32>("frames")?.unwrap_or(1).min(MOST_FRAMES);
            (0..frames).for_each(|_| vera.advance_frame());
            Ok(json!({ "frames": vera.frames(), "irq": vera.irq() }).into())
        }
        "vera/picture" => {
            let pixels = vera.picture().as_flattened().to_vec();
            Ok(Reply { value: json!({ "width": WIDTH, "height": HEIGHT }), bytes: Bytes::Raw(pixels) })
        }
        "vera/samples" => {
            let samples = vera.take_samples().into_flattened();
            let words: Vec<u32> = samples.into_iter().map(i32::cast_unsigned).collect();
            Ok(Reply { value: json!(words.len() / 2), bytes: Bytes::Words(words) })
        }
        "vera/vram" => bytes(vera.vram()[range(request, vera.vram().len())?].to_vec()),
        "vera/poke" => {
            let given = request.content()?;
            let start: usize = request.number("start")?.unwrap_or(0);
            let memory = vera.vram_mut();
            let size = memory.len();
            let place = memory.get_mut(start..start.saturating_add(given.len()));
            place
                .ok_or_else(|| Problem::from(format!("the memory has {size} bytes")))?
                .copy_from_slice(given);
            Ok(Json::Null.into())
        }
        _ => {
            let state = STATE.iter().map(|item| (item.name.to_owned(), json!((item.get)(vera))));
            Ok(Json::Object(state.collect()).into())
        }
    }
}

/// Pictures of one request: it cannot be stopped but by ending the module.
const MOST_FRAMES: u32 = 600;
const CPU_MEMORY: usize = 0x1_0000;

fn computer(machine: &mut X16, op: &str, request: Request) -> Answer {
    match op {
        "x16/load" => {
            machine.load_prg(request.content()?)?;
            Ok(Json::Null.into())
        }
        "x16/run" => {
            let most = u64::from(MOST_FRAMES);
            let frames = request.number::<u64>("frames")?;
            let cycles = request.number("cycles")?;
            let frames = if cycles.is_none() { Some(frames.unwrap_or(1).min(most)) } else { frames };
            let ending = machine.run(&Limits { frames, cycles });
            let value = json!({
                "text": ending.text(),
                "over": ending.is_final(),
                "cycles": machine.cycles(),
                "output": machine.output(),
            });
            Ok(value.into())
        }
        "x16/give" => {
            let input = Input::read(request.text("input")?).map_err(said)?;
            machine.give(&input);
            Ok(Json::Null.into())
        }
        "x16/peek" => {
            let range = range(request, CPU_MEMORY)?;
            bytes(range.map(|at| machine.peek(at as u16)).collect())
        }
        "x16/poke" => {
            let given = request.content()?;
            let start: usize = request.number("start")?.unwrap_or(0);
            if start.saturating_add(given.len()) > CPU_MEMORY {
                return Err(format!("the CPU sees {CPU_MEMORY} bytes").into());
            }
            (start..).zip(given).for_each(|(at, byte)| machine.poke(at as u16, *byte));
            Ok(Json::Null.into())
        }
        _ => {
            let cpu = machine.cpu();
            let registers =
                json!({ "pc": cpu.pc, "a": cpu.a, "x": cpu.x, "y": cpu.y, "s": cpu.s, "p": cpu.p });
            Ok(registers.into())
        }
    }
}

fn said(problems: Vec<Unread>) -> Problem {
    problems.iter().map(Unread::to_string).collect::<Vec<_>>().join("\n").into()
}
