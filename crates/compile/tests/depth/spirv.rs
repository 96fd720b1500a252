//! Modules of SPIR-V of any depth, word by word.

type Module = Box<dyn Fn(usize) -> Vec<u8> + Sync>;

fn put(words: &mut Vec<u32>, operation: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | operation);
    words.extend_from_slice(operands);
}

/// Ids that all modules have.
const MAIN: u32 = 1;
const VOID: u32 = 2;
const FUNCTION: u32 = 3;
const BOOL: u32 = 4;
const TRUE: u32 = 5;
const FLOAT: u32 = 6;
const ONE: u32 = 7;
const UINT: u32 = 8;
const LENGTH: u32 = 9;
const VECTOR: u32 = 10;
const POINTER: u32 = 11;
const POSITION: u32 = 12;
const ORIGIN: u32 = 13;
const FREE: u32 = 100;

/// A module of a vertex program with further types and a body.
fn module(types: impl Fn(&mut Vec<u32>), body: impl Fn(&mut Vec<u32>)) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x1_0000, 0, 1 << 22, 0];
    put(&mut words, 17, &[1]);
    put(&mut words, 14, &[0, 1]);
    // OpEntryPoint Vertex %main "main" %position, OpDecorate %position BuiltIn Position
    put(&mut words, 15, &[0, MAIN, u32::from_le_bytes(*b"main"), 0, POSITION]);
    put(&mut words, 71, &[POSITION, 11, 0]);
    put(&mut words, 19, &[VOID]);
    put(&mut words, 33, &[FUNCTION, VOID]);
    put(&mut words, 20, &[BOOL]);
    put(&mut words, 41, &[BOOL, TRUE]);
    put(&mut words, 22, &[FLOAT, 32]);
    put(&mut words, 43, &[FLOAT, ONE, 1.0_f32.to_bits()]);
    put(&mut words, 21, &[UINT, 32, 0]);
    put(&mut words, 43, &[UINT, LENGTH, 1]);
    put(&mut words, 23, &[VECTOR, FLOAT, 4]);
    put(&mut words, 32, &[POINTER, 3, VECTOR]);
    put(&mut words, 59, &[POINTER, POSITION, 3]);
    put(&mut words, 44, &[VECTOR, ORIGIN, ONE, ONE, ONE, ONE]);
    types(&mut words);
    put(&mut words, 54, &[VOID, MAIN, 0, FUNCTION]);
    body(&mut words);
    put(&mut words, 56, &[]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn label(words: &mut Vec<u32>, id: u32) {
    put(words, 248, &[id]);
}

fn branch(words: &mut Vec<u32>, id: u32) {
    put(words, 249, &[id]);
}

fn returns(words: &mut Vec<u32>) {
    put(words, 62, &[POSITION, ORIGIN]);
    put(words, 253, &[]);
}

/// Selections in one another: `if (true) { if (true) { … } }`.
fn selections(depth: usize) -> Vec<u8> {
    let depth = depth as u32;
    let (inside, behind) = (FREE, FREE + 100_000);
    module(
        |_| (),
        |words| {
            for at in 0..depth {
                label(words, inside + at);
                put(words, 247, &[behind + at, 0]);
                put(words, 250, &[TRUE, inside + at + 1, behind + at]);
            }
            label(words, inside + depth);
            branch(words, behind + depth - 1);
            for at in (0..depth).rev() {
                label(words, behind + at);
                match at {
                    0 => returns(words),
                    _ => branch(words, behind + at - 1),
                }
            }
        },
    )
}

/// Loops in one another.
fn loops(depth: usize) -> Vec<u8> {
    let depth = depth as u32;
    let (header, body, next, behind) = (FREE, FREE + 100_000, FREE + 200_000, FREE + 300_000);
    module(
        |_| (),
        |words| {
            label(words, FREE - 1);
            branch(words, header);
            for at in 0..depth {
                label(words, header + at);
                put(words, 246, &[behind + at, next + at, 0]);
                put(words, 250, &[TRUE, body + at, behind + at]);
                label(words, body + at);
                branch(words, if at + 1 < depth { header + at + 1 } else { next + at });
            }
            for at in (0..depth).rev() {
                if at + 1 < depth {
                    label(words, behind + at + 1);
                    branch(words, next + at);
                }
                label(words, next + at);
                branch(words, header + at);
            }
            label(words, behind);
            returns(words);
        },
    )
}

/// Switches in one another.
fn switches(depth: usize) -> Vec<u8> {
    let depth = depth as u32;
    let (inside, behind) = (FREE, FREE + 100_000);
    module(
        |_| (),
        |words| {
            for at in 0..depth {
                label(words, inside + at);
                put(words, 247, &[behind + at, 0]);
                put(words, 251, &[LENGTH, behind + at, 1, inside + at + 1]);
            }
            label(words, inside + depth);
            branch(words, behind + depth - 1);
            for at in (0..depth).rev() {
                label(words, behind + at);
                match at {
                    0 => returns(words),
                    _ => branch(words, behind + at - 1),
                }
            }
        },
    )
}

/// A variable of a type of types.
fn types(depth: usize, next: impl Fn(&mut Vec<u32>, u32, u32)) -> Vec<u8> {
    let last = FREE + depth as u32;
    module(
        |words| {
            for at in FREE..last {
                next(words, at, if at == FREE { FLOAT } else { at - 1 });
            }
            put(words, 32, &[last, 6, last - 1]);
            put(words, 59, &[last, last + 1, 6]);
        },
        |words| {
            label(words, last + 2);
            returns(words);
        },
    )
}

/// A constant of constants: structs in one another.
fn constants(depth: usize) -> Vec<u8> {
    let (kind, value, last) = (FREE, FREE + 100_000, depth as u32);
    module(
        |words| {
            for at in 0..last {
                let [of, from] = if at == 0 { [FLOAT, ONE] } else { [kind + at - 1, value + at - 1] };
                put(words, 30, &[kind + at, of]);
                put(words, 44, &[kind + at, value + at, from]);
            }
        },
        |words| {
            label(words, FREE - 1);
            returns(words);
        },
    )
}

/// A function that calls a function that calls …; the entry point comes first.
fn calls(depth: usize) -> Vec<u8> {
    let (first, results) = (FREE, FREE + 100_000);
    let depth = depth as u32;
    module(
        |_| (),
        |words| {
            for at in 0..depth {
                label(words, results + 2 * at);
                put(words, 57, &[VOID, results + 2 * at + 1, first + at]);
                returns(words);
                put(words, 56, &[]);
                put(words, 54, &[VOID, first + at, 0, FUNCTION]);
            }
            label(words, results + 2 * depth);
            returns(words);
        },
    )
}

/// Values each of which holds the one before twice.
fn doubled_values(depth: usize) -> Vec<u8> {
    let (kind, value, depth) = (FREE, FREE + 100_000, depth as u32);
    module(
        |words| {
            for at in 0..depth {
                let of = if at == 0 { FLOAT } else { kind + at - 1 };
                put(words, 30, &[kind + at, of, of]);
            }
        },
        |words| {
            label(words, FREE - 1);
            for at in 0..depth {
                let from = if at == 0 { ONE } else { value + at - 1 };
                put(words, 80, &[kind + at, value + at, from, from]);
            }
            returns(words);
        },
    )
}

/// Constants each of which holds the one before twice.
fn doubled_constants(depth: usize) -> Vec<u8> {
    let (kind, value, depth) = (FREE, FREE + 100_000, depth as u32);
    module(
        |words| {
            for at in 0..depth {
                let [of, from] = if at == 0 { [FLOAT, ONE] } else { [kind + at - 1, value + at - 1] };
                put(words, 30, &[kind + at, of, of]);
                put(words, 44, &[kind + at, value + at, from, from]);
            }
        },
        |words| {
            label(words, FREE - 1);
            returns(words);
        },
    )
}

/// Types, constants and values that hold the ones before twice.
pub fn doubled() -> Vec<(&'static str, Module)> {
    let structs = |words: &mut Vec<u32>, id: u32, of: u32| put(words, 30, &[id, of, of]);
    vec![
        ("structs", Box::new(move |depth| types(depth, structs))),
        ("constants", Box::new(doubled_constants)),
        ("values", Box::new(doubled_values)),
    ]
}

pub fn all() -> Vec<(&'static str, Module)> {
    let arrays = |words: &mut Vec<u32>, id: u32, of: u32| put(words, 28, &[id, of, LENGTH]);
    let structs = |words: &mut Vec<u32>, id: u32, of: u32| put(words, 30, &[id, of]);
    vec![
        ("selections", Box::new(selections)),
        ("loops", Box::new(loops)),
        ("switches", Box::new(switches)),
        ("arrays", Box::new(move |depth| types(depth, arrays))),
        ("structs", Box::new(move |depth| types(depth, structs))),
        ("constants", Box::new(constants)),
        ("calls", Box::new(calls)),
    ]
}
