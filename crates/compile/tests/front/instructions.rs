//! Single instructions of SPIR-V: what is compiled of each gives what the evaluator gives, which has it from the
//! specification.

use super::modules::{Outcome, compare};

/// Ids of what every module declares.
const MAIN: u32 = 1;
const VOID: u32 = 2;
const OF_NOTHING: u32 = 3;
const FLOAT: u32 = 4;
const VEC4: u32 = 5;
const INT: u32 = 6;
const UINT: u32 = 7;
const BOOL: u32 = 8;
const TO_INPUT: u32 = 9;
const TO_OUTPUT: u32 = 10;
const A: u32 = 11;
const B: u32 = 12;
const POSITION: u32 = 13;
const GLSL: u32 = 14;
const VEC3: u32 = 15;
const MAT3: u32 = 16;
const ZERO: u32 = 20;
const ONE: u32 = 21;
const FREE: u32 = 24;

struct Writer {
    words: Vec<u32>,
    free: u32,
}

impl Writer {
    fn put(&mut self, op: u32, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | op);
        self.words.extend_from_slice(operands);
    }

    fn result(&mut self, op: u32, ty: u32, operands: &[u32]) -> u32 {
        self.free += 1;
        self.put(op, &[&[ty, self.free - 1], operands].concat());
        self.free - 1
    }

    /// A vertex program of two vectors, whose position is a vector of the value that `body` computes.
    fn module(body: impl FnOnce(&mut Writer) -> u32) -> Vec<u8> {
        let mut own = Writer { words: Vec::new(), free: FREE };
        own.put(17, &[1]);
        own.put(
            11,
            &[
                GLSL,
                u32::from_le_bytes(*b"GLSL"),
                u32::from_le_bytes(*b".std"),
                u32::from_le_bytes(*b".450"),
                0,
            ],
        );
        own.put(14, &[0, 1]);
        own.put(15, &[0, MAIN, u32::from_le_bytes(*b"main"), 0, A, B, POSITION]);
        own.put(71, &[A, 30, 0]);
        own.put(71, &[B, 30, 1]);
        own.put(71, &[POSITION, 11, 0]);
        own.put(19, &[VOID]);
        own.put(33, &[OF_NOTHING, VOID]);
        own.put(22, &[FLOAT, 32]);
        own.put(23, &[VEC4, FLOAT, 4]);
        own.put(23, &[VEC3, FLOAT, 3]);
        own.put(24, &[MAT3, VEC3, 3]);
        own.put(21, &[INT, 32, 1]);
        own.put(21, &[UINT, 32, 0]);
        own.put(20, &[BOOL]);
        own.put(32, &[TO_INPUT, 1, VEC4]);
        own.put(32, &[TO_OUTPUT, 3, VEC4]);
        own.put(43, &[FLOAT, ZERO, 0]);
        own.put(43, &[FLOAT, ONE, 1f32.to_bits()]);
        own.put(59, &[TO_INPUT, A, 1]);
        own.put(59, &[TO_INPUT, B, 1]);
        own.put(59, &[TO_OUTPUT, POSITION, 3]);
        own.put(54, &[VOID, MAIN, 0, OF_NOTHING]);
        own.put(248, &[FREE - 1]);
        let value = body(&mut own);
        let all = own.result(80, VEC4, &[value, ONE, ONE, ONE]);
        own.put(62, &[POSITION, all]);
        own.put(253, &[]);
        own.put(56, &[]);
        let header = [0x0723_0203, 0x1_0300, 0, own.free, 0];
        header.into_iter().chain(own.words).flat_map(u32::to_le_bytes).collect()
    }

    /// Components of the inputs: those of `a`, then those of `b`.
    fn component(&mut self, number: u32) -> u32 {
        let vector = self.result(61, VEC4, &[if number < 4 { A } else { B }]);
        self.result(81, FLOAT, &[vector, number % 4])
    }

    fn vector(&mut self, first: u32) -> u32 {
        let parts = [0, 1, 2].map(|at| self.component((first + at) % 8));
        self.result(80, VEC3, &parts)
    }

    fn matrix(&mut self, first: u32) -> u32 {
        let columns = [0, 3, 6].map(|at| self.vector(first + at));
        self.result(80, MAT3, &columns)
    }

    /// A vector as one number, in which each component counts.
    fn sum(&mut self, vector: u32) -> u32 {
        let weights = self.result(80, VEC3, &[ONE, ONE, ONE]);
        let own = self.vector(4);
        let weights = self.result(129, VEC3, &[weights, own]);
        self.result(148, FLOAT, &[vector, weights])
    }
}

/// Values that no operation rounds to another side on.
const INPUTS: [[[f32; 4]; 2]; 6] = [
    [[1.5, 2.0, 3.25, 0.5], [4.0, 0.25, 1.0, 2.0]],
    [[-1.5, 2.0, -3.25, 0.5], [4.0, 0.25, -1.0, 2.0]],
    [[7.75, -2.0, 0.125, 3.0], [-0.5, 0.75, 2.5, -2.0]],
    [[-7.0, -3.0, 5.0, 2.0], [3.0, -0.25, 0.5, 4.0]],
    [[0.25, 0.5, 0.75, 0.125], [0.5, 0.25, 0.75, 0.5]],
    [[6.0, 4.0, 3.0, 2.0], [5.0, 1.0, 0.5, -3.0]],
];

/// How many of some modules are compared; those that the compiler refuses are named.
fn check(name: &str, bytes: &[u8], refused: &mut Vec<String>) {
    for [a, b] in INPUTS {
        match compare(bytes, None, &[a, b], &[]) {
            Outcome::Compared(_) => {}
            Outcome::Refused(code) => {
                refused.push(format!("{name} {code}"));
                return;
            }
            Outcome::Textures => unreachable!(),
        }
    }
}

#[test]
fn instructions_do_what_the_specification_says() {
    let mut refused = Vec::new();
    for op in [127, 129, 131, 133, 136, 140, 141] {
        let bytes = Writer::module(|own| {
            let [a, b] = [0, 1].map(|at| own.component(at));
            let operands = [a, b];
            own.result(op, FLOAT, &operands[..if op == 127 { 1 } else { 2 }])
        });
        check(&format!("float {op}"), &bytes, &mut refused);
    }
    for op in [126, 128, 130, 132, 134, 135, 137, 138, 139, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179]
    {
        let is_unsigned = matches!(op, 134 | 137 | 172 | 174 | 176 | 178);
        let ty = if is_unsigned { UINT } else { INT };
        let bytes = Writer::module(|own| {
            let operands = [0, 1].map(|at| {
                let float = own.component(at);
                let float = if is_unsigned { own.result(12, FLOAT, &[GLSL, 4, float]) } else { float };
                own.result(if is_unsigned { 109 } else { 110 }, ty, &[float])
            });
            if op >= 170 {
                let is_so = own.result(op, BOOL, &operands);
                return own.result(169, FLOAT, &[is_so, ONE, ZERO]);
            }
            let value = own.result(op, ty, &operands[..if op == 126 { 1 } else { 2 }]);
            own.result(if is_unsigned { 112 } else { 111 }, FLOAT, &[value])
        });
        check(&format!("integer {op}"), &bytes, &mut refused);
    }
    for op in 180..192 {
        let bytes = Writer::module(|own| {
            let operands = [2, 4].map(|at| own.component(at));
            let is_so = own.result(op, BOOL, &operands);
            own.result(169, FLOAT, &[is_so, ONE, ZERO])
        });
        check(&format!("comparison {op}"), &bytes, &mut refused);
    }
    for op in 164..169 {
        let bytes = Writer::module(|own| {
            let operands = [0, 1].map(|at| {
                let component = own.component(at);
                own.result(184, BOOL, &[component, ONE])
            });
            let is_so = own.result(op, BOOL, &operands[..if op == 168 { 1 } else { 2 }]);
            own.result(169, FLOAT, &[is_so, ONE, ZERO])
        });
        check(&format!("condition {op}"), &bytes, &mut refused);
    }
    for (op, count) in [(84, 1), (143, 0), (144, 0), (145, 0), (146, 2), (147, 0), (142, 0)] {
        let bytes = Writer::module(|own| {
            let [one, other] = [0, 2].map(|at| own.matrix(at));
            let (vector, scalar) = (own.vector(1), own.component(5));
            let value = match op {
                84 => own.result(op, MAT3, &[one]),
                143 => own.result(op, MAT3, &[one, scalar]),
                144 => own.result(op, VEC3, &[vector, one]),
                145 => own.result(op, VEC3, &[one, vector]),
                147 => {
                    let other = own.vector(3);
                    own.result(op, MAT3, &[vector, other])
                }
                142 => own.result(op, VEC3, &[vector, scalar]),
                _ => own.result(op, MAT3, &[one, other]),
            };
            let is_vector = matches!(op, 142 | 144 | 145);
            let value = match is_vector {
                true => value,
                false => own.result(145, VEC3, &[value, vector]),
            };
            own.sum(value)
        });
        check(&format!("matrix {op} {count}"), &bytes, &mut refused);
    }
    println!("{refused:?}");
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn extended_instructions_do_what_the_specification_says() {
    let mut refused = Vec::new();
    for (op, count) in (1..=4).chain([6]).chain(8..=24).map(|op| (op, 1)).chain([
        (25, 2),
        (26, 2),
        (27, 1),
        (28, 1),
        (29, 1),
        (30, 1),
        (31, 1),
        (32, 1),
        (37, 2),
        (40, 2),
        (43, 3),
        (46, 3),
        (48, 2),
        (49, 3),
        (50, 3),
    ]) {
        let bytes = Writer::module(|own| {
            let operands = [0, 1, 3].map(|at| own.component(at));
            // Edges of `SmoothStep` are in order, and what is clamped has bounds in order.
            let operands = match op {
                43 => [operands[0], ZERO, ONE],
                49 => [ZERO, ONE, operands[2]],
                26 => [own.result(12, FLOAT, &[GLSL, 4, operands[0]]), operands[1], operands[2]],
                _ => operands,
            };
            own.result(12, FLOAT, &[&[GLSL, op], &operands[..count]].concat())
        });
        check(&format!("extended {op}"), &bytes, &mut refused);
    }
    for (op, count) in [(5, 1), (7, 1), (39, 2), (42, 2), (45, 3)] {
        let bytes = Writer::module(|own| {
            let operands = [0, 1, 3].map(|at| {
                let float = own.component(at);
                own.result(110, INT, &[float])
            });
            let low = own.result(12, INT, &[GLSL, 39, operands[1], operands[2]]);
            let high = own.result(12, INT, &[GLSL, 42, operands[1], operands[2]]);
            let operands = if op == 45 { [operands[0], low, high] } else { operands };
            let value = own.result(12, INT, &[&[GLSL, op], &operands[..count]].concat());
            own.result(111, FLOAT, &[value])
        });
        check(&format!("extended integer {op}"), &bytes, &mut refused);
    }
    for (op, is_scalar) in [
        (66, true),
        (67, true),
        (68, false),
        (69, false),
        (70, false),
        (71, false),
        (72, false),
        (34, false),
        (33, true),
    ] {
        let bytes = Writer::module(|own| {
            let [one, other, third] = [0, 3, 5].map(|at| own.vector(at));
            let value = match op {
                66 | 69 => own.result(12, if is_scalar { FLOAT } else { VEC3 }, &[GLSL, op, one]),
                67 => own.result(12, FLOAT, &[GLSL, op, one, other]),
                70 => own.result(12, VEC3, &[GLSL, op, one, other, third]),
                72 => {
                    let [one, other] =
                        [one, other].map(|own_vector| own.result(12, VEC3, &[GLSL, 69, own_vector]));
                    let eta = own.component(1);
                    own.result(12, VEC3, &[GLSL, op, one, other, eta])
                }
                33 => {
                    let matrix = own.matrix(0);
                    own.result(12, FLOAT, &[GLSL, op, matrix])
                }
                34 => {
                    let matrix = own.matrix(0);
                    let inverse = own.result(12, MAT3, &[GLSL, op, matrix]);
                    own.result(145, VEC3, &[inverse, other])
                }
                _ => own.result(12, VEC3, &[GLSL, op, one, other]),
            };
            if is_scalar { value } else { own.sum(value) }
        });
        check(&format!("extended vector {op}"), &bytes, &mut refused);
    }
    println!("{refused:?}");
    assert!(refused.is_empty(), "{refused:?}");
}
