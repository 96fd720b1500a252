//! The words of a module as instructions, types, decorations and functions (SPIR-V specification, sections 2.3 and
//! 2.4).

use std::collections::HashMap;

/// An instruction: its number, and the words behind the first.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub op: u32,
    pub operands: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Void,
    Bool,
    Int { is_signed: bool },
    Float,
    Vector { of: u32, count: u32 },
    Matrix { column: u32, count: u32 },
    Array { of: u32, count: u32 },
    Struct(Vec<u32>),
    Pointer { class: u32, to: u32 },
    Other,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub parameters: Vec<u32>,
    /// By their labels, without these.
    pub blocks: HashMap<u32, Vec<Instruction>>,
    pub first: u32,
}

/// An entry point: its execution model, function and interface.
#[derive(Clone, Debug)]
pub struct Entry {
    pub model: u32,
    pub function: u32,
    pub interface: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub types: HashMap<u32, Type>,
    /// Constants and undefined values of the module, in their order.
    pub constants: Vec<Instruction>,
    /// Variables of the module: type, id, storage class, initial value.
    pub variables: Vec<(u32, u32, u32, Option<u32>)>,
    pub functions: HashMap<u32, Function>,
    pub entries: Vec<Entry>,
    /// Operands of decorations, by target and decoration.
    pub decorations: HashMap<(u32, u32), Vec<u32>>,
    /// The same of members.
    pub member_decorations: HashMap<(u32, u32, u32), Vec<u32>>,
    pub names: HashMap<u32, String>,
    pub member_names: HashMap<(u32, u32), String>,
    /// The id of the set `GLSL.std.450`.
    pub glsl: Option<u32>,
}

/// A literal string, and the words behind it.
fn string(words: &[u32]) -> (String, &[u32]) {
    let mut bytes = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), &words[at + 1..]);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), &[])
}

impl Module {
    /// Reads words with the lowest byte first; None for what is damaged.
    pub fn parse(bytes: &[u8]) -> Option<Module> {
        let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut rest = words.get(5..)?;
        let mut module = Module::default();
        let mut function: Option<(u32, Function)> = None;
        let mut label = 0;
        while let Some(first) = rest.first() {
            let count = (first >> 16) as usize;
            if count == 0 || count > rest.len() {
                return None;
            }
            let instruction = Instruction { op: first & 0xffff, operands: rest[1..count].to_vec() };
            rest = &rest[count..];
            let operands = &instruction.operands[..];
            match (instruction.op, operands) {
                (54, &[_, id, ..]) => {
                    function = Some((id, Function { parameters: vec![], blocks: HashMap::new(), first: 0 }));
                }
                (55, &[_, id]) => function.as_mut()?.1.parameters.push(id),
                (56, _) => {
                    let (id, function) = function.take()?;
                    module.functions.insert(id, function);
                }
                (248, &[id]) => {
                    let function = &mut function.as_mut()?.1;
                    label = id;
                    function.first = if function.blocks.is_empty() { id } else { function.first };
                    function.blocks.insert(id, Vec::new());
                }
                // Lines of a source.
                (8 | 317, _) => {}
                _ => match &mut function {
                    Some((_, function)) => function.blocks.get_mut(&label)?.push(instruction),
                    None => module.declare(instruction)?,
                },
            }
        }
        Some(module)
    }

    fn declare(&mut self, instruction: Instruction) -> Option<()> {
        let operands = &instruction.operands[..];
        match (instruction.op, operands) {
            (5, &[id, ref name @ ..]) => drop(self.names.insert(id, string(name).0)),
            (6, &[id, member, ref name @ ..]) => {
                drop(self.member_names.insert((id, member), string(name).0));
            }
            (11, &[id, ref name @ ..]) if string(name).0 == "GLSL.std.450" => self.glsl = Some(id),
            (15, &[model, function, ref rest @ ..]) => {
                self.entries.push(Entry { model, function, interface: string(rest).1.to_vec() });
            }
            (71, &[id, decoration, ref rest @ ..]) => {
                drop(self.decorations.insert((id, decoration), rest.to_vec()));
            }
            (72, &[id, member, decoration, ref rest @ ..]) => {
                drop(self.member_decorations.insert((id, member, decoration), rest.to_vec()));
            }
            (41..=52 | 1, _) => self.constants.push(instruction),
            (59, &[ty, id, class, ref initial @ ..]) => {
                self.variables.push((ty, id, class, initial.first().copied()));
            }
            (19..=33, &[id, ref rest @ ..]) => {
                let ty = match (instruction.op, rest) {
                    (19, _) => Type::Void,
                    (20, _) => Type::Bool,
                    (21, &[32, sign]) => Type::Int { is_signed: sign == 1 },
                    (22, &[32]) => Type::Float,
                    (23, &[of, count]) => Type::Vector { of, count },
                    (24, &[column, count]) => Type::Matrix { column, count },
                    (28, &[of, count]) => Type::Array { of, count: self.number(count)? },
                    (30, members) => Type::Struct(members.to_vec()),
                    (32, &[class, to]) => Type::Pointer { class, to },
                    _ => Type::Other,
                };
                self.types.insert(id, ty);
            }
            _ => {}
        }
        Some(())
    }

    /// The value of a constant of one word.
    fn number(&self, id: u32) -> Option<u32> {
        let constant = self.constants.iter().find(|own| own.operands.get(1) == Some(&id))?;
        constant.operands.get(2).copied()
    }

    pub fn ty(&self, id: u32) -> &Type {
        self.types.get(&id).unwrap_or(&Type::Other)
    }

    /// The type of a member or an element.
    pub fn part(&self, ty: u32, at: u32) -> Option<u32> {
        match self.ty(ty) {
            Type::Vector { of, count } | Type::Array { of, count } if at < *count => Some(*of),
            Type::Matrix { column, count } if at < *count => Some(*column),
            Type::Struct(members) => members.get(at as usize).copied(),
            _ => None,
        }
    }

    /// How many members or elements there are; none of scalars.
    pub fn parts(&self, ty: u32) -> Option<u32> {
        match self.ty(ty) {
            Type::Vector { count, .. } | Type::Matrix { count, .. } | Type::Array { count, .. } => {
                Some(*count)
            }
            Type::Struct(members) => Some(members.len() as u32),
            _ => None,
        }
    }
}
