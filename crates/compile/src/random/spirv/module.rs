//! A module of SPIR-V that is written: types, constants and instructions as words (SPIR-V specification, section
//! 2.3).

use super::super::tree::{Type, VEC4};
use rustc_hash::FxHashMap as HashMap;

/// Instructions by their numbers (section 3.49).
#[allow(dead_code, reason = "a table")]
pub(super) mod op {
    pub const MEMBER_NAME: u32 = 6;
    pub const EXT_INST_IMPORT: u32 = 11;
    pub const EXT_INST: u32 = 12;
    pub const MEMORY_MODEL: u32 = 14;
    pub const ENTRY_POINT: u32 = 15;
    pub const CAPABILITY: u32 = 17;
    pub const TYPE_VOID: u32 = 19;
    pub const TYPE_BOOL: u32 = 20;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const TYPE_MATRIX: u32 = 24;
    pub const TYPE_ARRAY: u32 = 28;
    pub const TYPE_STRUCT: u32 = 30;
    pub const TYPE_POINTER: u32 = 32;
    pub const TYPE_FUNCTION: u32 = 33;
    pub const CONSTANT_TRUE: u32 = 41;
    pub const CONSTANT_FALSE: u32 = 42;
    pub const CONSTANT: u32 = 43;
    pub const CONSTANT_COMPOSITE: u32 = 44;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_PARAMETER: u32 = 55;
    pub const FUNCTION_END: u32 = 56;
    pub const FUNCTION_CALL: u32 = 57;
    pub const VARIABLE: u32 = 59;
    pub const LOAD: u32 = 61;
    pub const STORE: u32 = 62;
    pub const ACCESS_CHAIN: u32 = 65;
    pub const DECORATE: u32 = 71;
    pub const MEMBER_DECORATE: u32 = 72;
    pub const VECTOR_SHUFFLE: u32 = 79;
    pub const COMPOSITE_CONSTRUCT: u32 = 80;
    pub const COMPOSITE_EXTRACT: u32 = 81;
    pub const TRANSPOSE: u32 = 84;
    pub const CONVERT_F_TO_S: u32 = 110;
    pub const CONVERT_S_TO_F: u32 = 111;
    pub const S_NEGATE: u32 = 126;
    pub const F_NEGATE: u32 = 127;
    pub const I_ADD: u32 = 128;
    pub const F_ADD: u32 = 129;
    pub const I_SUB: u32 = 130;
    pub const F_SUB: u32 = 131;
    pub const I_MUL: u32 = 132;
    pub const F_MUL: u32 = 133;
    pub const S_DIV: u32 = 135;
    pub const F_DIV: u32 = 136;
    pub const S_REM: u32 = 138;
    pub const VECTOR_TIMES_SCALAR: u32 = 142;
    pub const MATRIX_TIMES_SCALAR: u32 = 143;
    pub const VECTOR_TIMES_MATRIX: u32 = 144;
    pub const MATRIX_TIMES_VECTOR: u32 = 145;
    pub const MATRIX_TIMES_MATRIX: u32 = 146;
    pub const DOT: u32 = 148;
    pub const LOGICAL_OR: u32 = 166;
    pub const LOGICAL_AND: u32 = 167;
    pub const LOGICAL_NOT: u32 = 168;
    pub const SELECT: u32 = 169;
    pub const I_EQUAL: u32 = 170;
    pub const I_NOT_EQUAL: u32 = 171;
    pub const S_GREATER: u32 = 173;
    pub const S_GREATER_EQUAL: u32 = 175;
    pub const S_LESS: u32 = 177;
    pub const S_LESS_EQUAL: u32 = 179;
    pub const F_EQUAL: u32 = 180;
    pub const F_NOT_EQUAL: u32 = 183;
    pub const F_LESS: u32 = 184;
    pub const F_GREATER: u32 = 186;
    pub const F_LESS_EQUAL: u32 = 188;
    pub const F_GREATER_EQUAL: u32 = 190;
    pub const PHI: u32 = 245;
    pub const LOOP_MERGE: u32 = 246;
    pub const SELECTION_MERGE: u32 = 247;
    pub const LABEL: u32 = 248;
    pub const BRANCH: u32 = 249;
    pub const BRANCH_CONDITIONAL: u32 = 250;
    pub const SWITCH: u32 = 251;
    pub const RETURN: u32 = 253;
    pub const RETURN_VALUE: u32 = 254;
    pub const UNREACHABLE: u32 = 255;
}

/// Storage classes (section 3.7).
pub(super) const INPUT: u32 = 1;
pub(super) const UNIFORM: u32 = 2;
pub(super) const OUTPUT: u32 = 3;
pub(super) const FUNCTION: u32 = 7;

/// Decorations (section 3.20).
const BLOCK: u32 = 2;
const COLUMN_MAJOR: u32 = 5;
const ARRAY_STRIDE: u32 = 6;
const MATRIX_STRIDE: u32 = 7;
const BUILT_IN: u32 = 11;
const LOCATION: u32 = 30;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const OFFSET: u32 = 35;

/// The word in front of a module, and its version: 1.3.
const MAGIC: u32 = 0x0723_0203;
const VERSION: u32 = 0x0001_0300;

/// Appends an instruction.
pub(super) fn push(words: &mut Vec<u32>, op: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op);
    words.extend_from_slice(operands);
}

/// A string as words: its bytes, and zeros behind them.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    bytes.chunks(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

pub(super) struct Module {
    next: u32,
    /// Names and decorations.
    names: Vec<u32>,
    annotations: Vec<u32>,
    /// Types, constants and global variables.
    globals: Vec<u32>,
    pub functions: Vec<u32>,
    /// Ids of what is declared once, by its instruction.
    known: HashMap<(u32, Vec<u32>), u32>,
    /// The set of GLSL's functions.
    pub glsl: u32,
    /// The block of uniforms, and the two inputs and the position.
    pub block: u32,
    pub ports: [u32; 3],
}

impl Module {
    pub fn new(uniforms: usize, has_matrix: bool) -> Module {
        let mut module = Module {
            next: 1,
            names: Vec::new(),
            annotations: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            known: HashMap::default(),
            glsl: 0,
            block: 0,
            ports: [0; 3],
        };
        module.glsl = module.id();
        module.declare_block(uniforms, has_matrix);
        let ports = [(INPUT, LOCATION, 0), (INPUT, LOCATION, 1), (OUTPUT, BUILT_IN, 0)];
        module.ports = ports.map(|(class, decoration, number)| {
            let pointer = module.pointer(class, VEC4);
            let id = module.id();
            push(&mut module.globals, op::VARIABLE, &[pointer, id, class]);
            push(&mut module.annotations, op::DECORATE, &[id, decoration, number]);
            id
        });
        module
    }

    pub fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The uniforms: vectors and perhaps a matrix.
    fn declare_block(&mut self, uniforms: usize, has_matrix: bool) {
        let vector = self.ty(VEC4);
        let matrix = self.ty(super::super::tree::MAT4);
        let count = self.integer(uniforms as i32);
        // Decorated, so it is not the type of the same array in a function.
        let array = self.id();
        push(&mut self.globals, op::TYPE_ARRAY, &[array, vector, count]);
        push(&mut self.annotations, op::DECORATE, &[array, ARRAY_STRIDE, 16]);
        let members = 1 + usize::from(has_matrix);
        let block = self.declared(op::TYPE_STRUCT, &[array, matrix][..members]);
        for (member, name, offset) in [(0, "u", 0), (1, "m", 16 * uniforms as u32)].into_iter().take(members)
        {
            let words: Vec<u32> = [block, member].into_iter().chain(string(name)).collect();
            push(&mut self.names, op::MEMBER_NAME, &words);
            push(&mut self.annotations, op::MEMBER_DECORATE, &[block, member, OFFSET, offset]);
        }
        if has_matrix {
            push(&mut self.annotations, op::MEMBER_DECORATE, &[block, 1, COLUMN_MAJOR]);
            push(&mut self.annotations, op::MEMBER_DECORATE, &[block, 1, MATRIX_STRIDE, 16]);
        }
        push(&mut self.annotations, op::DECORATE, &[block, BLOCK]);
        let pointer = self.declared(op::TYPE_POINTER, &[UNIFORM, block]);
        let id = self.id();
        push(&mut self.globals, op::VARIABLE, &[pointer, id, UNIFORM]);
        push(&mut self.annotations, op::DECORATE, &[id, DESCRIPTOR_SET, 0]);
        push(&mut self.annotations, op::DECORATE, &[id, BINDING, 0]);
        self.block = id;
    }

    /// A type: its result is in front of its operands.
    fn declared(&mut self, op: u32, operands: &[u32]) -> u32 {
        if let Some(id) = self.known.get(&(op, operands.to_vec())) {
            return *id;
        }
        let id = self.id();
        let words: Vec<u32> = [id].into_iter().chain(operands.iter().copied()).collect();
        push(&mut self.globals, op, &words);
        self.known.insert((op, operands.to_vec()), id);
        id
    }

    /// A constant: its type is in front of its result.
    fn constant(&mut self, op: u32, ty: u32, operands: &[u32]) -> u32 {
        let key: Vec<u32> = [ty].into_iter().chain(operands.iter().copied()).collect();
        if let Some(id) = self.known.get(&(op, key.clone())) {
            return *id;
        }
        let id = self.id();
        let words: Vec<u32> = [ty, id].into_iter().chain(operands.iter().copied()).collect();
        push(&mut self.globals, op, &words);
        self.known.insert((op, key), id);
        id
    }

    pub fn void(&mut self) -> u32 {
        self.declared(op::TYPE_VOID, &[])
    }

    pub fn ty(&mut self, ty: Type) -> u32 {
        match ty {
            Type::Bool => self.declared(op::TYPE_BOOL, &[]),
            Type::Int => self.declared(op::TYPE_INT, &[32, 1]),
            Type::Float => self.declared(op::TYPE_FLOAT, &[32]),
            Type::Vector(size) => {
                let float = self.ty(Type::Float);
                self.declared(op::TYPE_VECTOR, &[float, size as u32])
            }
            Type::Matrix { columns, rows } => {
                let column = self.ty(Type::Vector(rows));
                self.declared(op::TYPE_MATRIX, &[column, columns as u32])
            }
            Type::Array(element, count) => {
                let element = self.ty(*element);
                let count = self.integer(count as i32);
                self.declared(op::TYPE_ARRAY, &[element, count])
            }
        }
    }

    /// Booleans for the components of a vector.
    pub fn booleans(&mut self, ty: Type) -> u32 {
        let bool = self.ty(Type::Bool);
        match ty {
            Type::Vector(size) => self.declared(op::TYPE_VECTOR, &[bool, size as u32]),
            _ => bool,
        }
    }

    pub fn pointer(&mut self, class: u32, ty: Type) -> u32 {
        let ty = self.ty(ty);
        self.declared(op::TYPE_POINTER, &[class, ty])
    }

    pub fn function_type(&mut self, result: u32, parameters: &[u32]) -> u32 {
        let words: Vec<u32> = [result].into_iter().chain(parameters.iter().copied()).collect();
        self.declared(op::TYPE_FUNCTION, &words)
    }

    pub fn integer(&mut self, value: i32) -> u32 {
        let ty = self.ty(Type::Int);
        self.constant(op::CONSTANT, ty, &[value as u32])
    }

    /// A value all of whose numbers are the same.
    pub fn literal(&mut self, ty: Type, value: f32) -> u32 {
        let id = self.ty(ty);
        match (ty, ty.elements()) {
            (Type::Bool, _) => {
                self.constant(if value == 0.0 { op::CONSTANT_FALSE } else { op::CONSTANT_TRUE }, id, &[])
            }
            (Type::Int, _) => self.integer(value as i32),
            (_, None) => self.constant(op::CONSTANT, id, &[value.to_bits()]),
            (_, Some((element, count))) => {
                let part = self.literal(element, value);
                self.constant(op::CONSTANT_COMPOSITE, id, &vec![part; count])
            }
        }
    }

    /// The words of the module, with an entry point.
    pub fn finish(self, entry: u32) -> Vec<u32> {
        let mut words = vec![MAGIC, VERSION, 0, self.next, 0];
        push(&mut words, op::CAPABILITY, &[1]);
        let import: Vec<u32> = [self.glsl].into_iter().chain(string("GLSL.std.450")).collect();
        push(&mut words, op::EXT_INST_IMPORT, &import);
        push(&mut words, op::MEMORY_MODEL, &[0, 1]);
        let name = string("main");
        let point: Vec<u32> = [0, entry].into_iter().chain(name).chain(self.ports).collect();
        push(&mut words, op::ENTRY_POINT, &point);
        for part in [self.names, self.annotations, self.globals, self.functions] {
            words.extend(part);
        }
        words
    }
}
