//! Expressions as instructions, from left to right.

use super::super::tree::{Argument, Binary, Builtin, Expr, ExprKind, MAT4, Part, Place, Type, Unary, VEC4};
use super::Writer;
use super::module::{FUNCTION, UNIFORM, op};

/// A place whose indices are evaluated.
struct Pointer {
    id: u32,
    /// The type of what it points to.
    ty: Type,
    /// Components of the vector that it points to.
    order: Option<Vec<usize>>,
}

impl<'p> Writer<'p> {
    pub(super) fn expr(&mut self, expr: &'p Expr) -> u32 {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Literal(value) => self.module.literal(ty, *value),
            ExprKind::Uniform(index) => {
                let index = self.expr(index);
                let member = self.module.integer(0);
                self.uniform(VEC4, &[member, index])
            }
            ExprKind::UniformMatrix => {
                let member = self.module.integer(1);
                self.uniform(MAT4, &[member])
            }
            ExprKind::Read(place) => {
                let pointer = self.resolve(place);
                self.load(&pointer, ty)
            }
            ExprKind::Unary(Unary::Not, operand) => {
                let operand = self.expr(operand);
                self.typed(op::LOGICAL_NOT, ty, &[operand])
            }
            ExprKind::Unary(Unary::Minus, operand) => {
                let operand = self.expr(operand);
                self.typed(if ty == Type::Int { op::S_NEGATE } else { op::F_NEGATE }, ty, &[operand])
            }
            ExprKind::Binary(Binary::And, operands) => {
                let first = self.expr(&operands[0]);
                self.both(first, &operands[1])
            }
            ExprKind::Binary(Binary::Or, operands) => {
                let first = self.expr(&operands[0]);
                if operands[1].is_pure() {
                    let second = self.expr(&operands[1]);
                    return self.typed(op::LOGICAL_OR, ty, &[first, second]);
                }
                let yes = self.module.literal(Type::Bool, 1.0);
                self.choose(first, ty, |_| yes, |writer| writer.expr(&operands[1]))
            }
            ExprKind::Binary(binary, operands) => {
                let [a, b] = &**operands;
                let (first, second) = (self.expr(a), self.expr(b));
                self.binary(*binary, (a.ty, first), (b.ty, second), ty)
            }
            ExprKind::Builtin(builtin, operands) => {
                let values: Vec<u32> = operands.iter().map(|operand| self.expr(operand)).collect();
                self.builtin(*builtin, operands[0].ty, &values, ty)
            }
            ExprKind::Choose(operands) => {
                let [condition, yes, no] = &**operands;
                let condition = self.expr(condition);
                if yes.is_pure() && no.is_pure() && ty.size() == 1 {
                    let values = [self.expr(yes), self.expr(no)];
                    return self.typed(op::SELECT, ty, &[condition, values[0], values[1]]);
                }
                self.choose(condition, ty, |writer| writer.expr(yes), |writer| writer.expr(no))
            }
            ExprKind::Swizzle(operand, order) => {
                let operand = self.expr(operand);
                self.shuffle(operand, order, ty)
            }
            ExprKind::Element(operand, at) => {
                let operand = self.expr(operand);
                self.typed(op::COMPOSITE_EXTRACT, ty, &[operand, *at as u32])
            }
            ExprKind::Construct(parts) => {
                let parts: Vec<u32> = parts.iter().map(|part| self.expr(part)).collect();
                self.typed(op::COMPOSITE_CONSTRUCT, ty, &parts)
            }
            ExprKind::Convert(operand) => {
                let value = self.expr(operand);
                match (operand.ty, ty) {
                    (Type::Float, Type::Int) => self.typed(op::CONVERT_F_TO_S, ty, &[value]),
                    (Type::Int, Type::Float) => self.typed(op::CONVERT_S_TO_F, ty, &[value]),
                    _ => {
                        let [one, zero] = [1.0, 0.0].map(|number| self.module.literal(ty, number));
                        self.typed(op::SELECT, ty, &[value, one, zero])
                    }
                }
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, ty),
            ExprKind::Assign(place, op, value) => {
                let pointer = self.resolve(place);
                let mut result = self.expr(value);
                if let Some(op) = op {
                    let before = self.load(&pointer, place.ty);
                    result = self.binary(*op, (place.ty, before), (value.ty, result), place.ty);
                }
                self.store(&pointer, result);
                result
            }
            ExprKind::Step { place, up, post } => {
                let pointer = self.resolve(place);
                let before = self.load(&pointer, ty);
                let one = self.module.literal(ty, 1.0);
                let op = if *up { Binary::Add } else { Binary::Subtract };
                let after = self.binary(op, (ty, before), (ty, one), ty);
                self.store(&pointer, after);
                if *post { before } else { after }
            }
        }
    }

    fn uniform(&mut self, ty: Type, indices: &[u32]) -> u32 {
        let pointer = self.module.pointer(UNIFORM, ty);
        let words: Vec<u32> = [self.module.block].into_iter().chain(indices.iter().copied()).collect();
        let pointer = self.result(op::ACCESS_CHAIN, pointer, &words);
        self.typed(op::LOAD, ty, &[pointer])
    }

    /// True if both are; the second is evaluated if the first is true.
    pub(super) fn both(&mut self, first: u32, second: &'p Expr) -> u32 {
        if second.is_pure() {
            let second = self.expr(second);
            return self.typed(op::LOGICAL_AND, Type::Bool, &[first, second]);
        }
        let no = self.module.literal(Type::Bool, 0.0);
        self.choose(first, Type::Bool, |writer| writer.expr(second), |_| no)
    }

    /// A value of one of two branches.
    fn choose(
        &mut self,
        condition: u32,
        ty: Type,
        yes: impl FnOnce(&mut Self) -> u32,
        no: impl FnOnce(&mut Self) -> u32,
    ) -> u32 {
        let [first, second, behind] = [(); 3].map(|()| self.module.id());
        let is_phi = self.program.style.phi;
        let variable = if is_phi { 0 } else { self.variable(ty) };
        self.push(op::SELECTION_MERGE, &[behind, 0]);
        self.push(op::BRANCH_CONDITIONAL, &[condition, first, second]);
        self.begin(first);
        let value = yes(self);
        if !is_phi {
            self.push(op::STORE, &[variable, value]);
        }
        let mut incoming = vec![value, self.label];
        self.branch(behind);
        self.begin(second);
        let value = no(self);
        if !is_phi {
            self.push(op::STORE, &[variable, value]);
        }
        incoming.extend([value, self.label]);
        self.branch(behind);
        self.begin(behind);
        match is_phi {
            true => self.typed(op::PHI, ty, &incoming),
            false => self.typed(op::LOAD, ty, &[variable]),
        }
    }

    fn resolve(&mut self, place: &'p Place) -> Pointer {
        let mut ty = self.function.variable(place.variable);
        let mut words = vec![self.pointers[place.variable]];
        let mut order = None;
        for part in &place.path {
            match part {
                Part::Index(index) => {
                    words.push(self.expr(index));
                    ty = ty.elements().map_or(ty, |(element, _)| element);
                }
                Part::Swizzle(components) if components.len() == 1 => {
                    words.push(self.module.integer(components[0] as i32));
                    ty = Type::Float;
                }
                Part::Swizzle(components) => order = Some(components.clone()),
            }
        }
        if words.len() == 1 {
            return Pointer { id: words[0], ty, order };
        }
        let pointer = self.module.pointer(FUNCTION, ty);
        Pointer { id: self.result(op::ACCESS_CHAIN, pointer, &words), ty, order }
    }

    fn load(&mut self, pointer: &Pointer, ty: Type) -> u32 {
        let value = self.typed(op::LOAD, pointer.ty, &[pointer.id]);
        match &pointer.order {
            Some(order) => self.shuffle(value, order, ty),
            None => value,
        }
    }

    fn store(&mut self, pointer: &Pointer, value: u32) {
        let Some(order) = &pointer.order else { return self.push(op::STORE, &[pointer.id, value]) };
        let before = self.typed(op::LOAD, pointer.ty, &[pointer.id]);
        let size = pointer.ty.size();
        let from =
            |at: usize| order.iter().position(|component| *component == at).map_or(at, |new| size + new);
        let words: Vec<u32> =
            [before, value].into_iter().chain((0..size).map(|at| from(at) as u32)).collect();
        let after = self.typed(op::VECTOR_SHUFFLE, pointer.ty, &words);
        self.push(op::STORE, &[pointer.id, after]);
    }

    fn shuffle(&mut self, vector: u32, order: &[usize], ty: Type) -> u32 {
        if let [component] = order {
            return self.typed(op::COMPOSITE_EXTRACT, ty, &[vector, *component as u32]);
        }
        let words: Vec<u32> = [vector, vector].into_iter().chain(order.iter().map(|at| *at as u32)).collect();
        self.typed(op::VECTOR_SHUFFLE, ty, &words)
    }

    /// A call. A whole variable is passed by its pointer, a part of one by a copy.
    fn call(&mut self, function: usize, arguments: &'p [Argument], ty: Type) -> u32 {
        let mut places = Vec::new();
        let mut words = vec![self.functions[function]];
        for argument in arguments {
            match argument {
                Argument::Value(value) => words.push(self.expr(value)),
                Argument::Inout(place) if place.path.is_empty() => words.push(self.pointers[place.variable]),
                Argument::Inout(place) => {
                    let pointer = self.resolve(place);
                    let copy = self.variable(place.ty);
                    words.push(copy);
                    places.push((copy, pointer, place.ty));
                }
            }
        }
        for (copy, pointer, ty) in &places {
            let value = self.load(pointer, *ty);
            self.push(op::STORE, &[*copy, value]);
        }
        let result = self.typed(op::FUNCTION_CALL, ty, &words);
        for (copy, pointer, ty) in places {
            let value = self.typed(op::LOAD, ty, &[copy]);
            self.store(&pointer, value);
        }
        result
    }

    fn binary(&mut self, binary: Binary, (left, a): (Type, u32), (right, b): (Type, u32), ty: Type) -> u32 {
        let is_int = left == Type::Int;
        let pick = |int: u32, float: u32| if is_int { int } else { float };
        let op = match binary {
            Binary::Add => pick(op::I_ADD, op::F_ADD),
            Binary::Subtract => pick(op::I_SUB, op::F_SUB),
            Binary::Multiply => match (left, right) {
                (Type::Matrix { .. }, Type::Matrix { .. }) => op::MATRIX_TIMES_MATRIX,
                (Type::Matrix { .. }, Type::Vector(_)) => op::MATRIX_TIMES_VECTOR,
                (Type::Vector(_), Type::Matrix { .. }) => op::VECTOR_TIMES_MATRIX,
                (Type::Matrix { .. }, _) => op::MATRIX_TIMES_SCALAR,
                (Type::Vector(_), Type::Float) => op::VECTOR_TIMES_SCALAR,
                (Type::Float, Type::Vector(_)) => {
                    return self.typed(op::VECTOR_TIMES_SCALAR, ty, &[b, a]);
                }
                _ => pick(op::I_MUL, op::F_MUL),
            },
            Binary::Divide => pick(op::S_DIV, op::F_DIV),
            Binary::Remainder => op::S_REM,
            Binary::Less => pick(op::S_LESS, op::F_LESS),
            Binary::LessEqual => pick(op::S_LESS_EQUAL, op::F_LESS_EQUAL),
            Binary::Greater => pick(op::S_GREATER, op::F_GREATER),
            Binary::GreaterEqual => pick(op::S_GREATER_EQUAL, op::F_GREATER_EQUAL),
            Binary::Equal => pick(op::I_EQUAL, op::F_EQUAL),
            Binary::NotEqual => pick(op::I_NOT_EQUAL, op::F_NOT_EQUAL),
            Binary::And => op::LOGICAL_AND,
            Binary::Or => op::LOGICAL_OR,
        };
        if let (Type::Matrix { columns, rows }, Binary::Add | Binary::Subtract) = (left, binary) {
            // There are no sums of matrices.
            let column = Type::Vector(rows);
            let sums: Vec<u32> = (0..columns as u32)
                .map(|at| {
                    let parts = [a, b].map(|matrix| self.typed(op::COMPOSITE_EXTRACT, column, &[matrix, at]));
                    self.typed(op, column, &parts)
                })
                .collect();
            return self.typed(op::COMPOSITE_CONSTRUCT, ty, &sums);
        }
        self.typed(op, ty, &[a, b])
    }

    /// A built-in function: an instruction, or one of GLSL's set (GLSL.std.450).
    fn builtin(&mut self, builtin: Builtin, first: Type, values: &[u32], ty: Type) -> u32 {
        let is_int = first == Type::Int;
        let pick = |int: u32, float: u32| if is_int { int } else { float };
        let number = match builtin {
            Builtin::Abs => pick(5, 4),
            Builtin::Floor => 8,
            Builtin::Fract => 10,
            Builtin::Min => pick(39, 37),
            Builtin::Max => pick(42, 40),
            Builtin::Clamp | Builtin::Saturate => pick(45, 43),
            Builtin::Mix => 46,
            Builtin::Step => 48,
            Builtin::Sqrt => 31,
            Builtin::InverseSqrt => 32,
            Builtin::Pow => 26,
            Builtin::Log2 => 30,
            Builtin::Exp2 => 29,
            Builtin::Length => 66,
            Builtin::Normalize => 69,
            Builtin::Dot => return self.typed(op::DOT, ty, values),
            Builtin::Transpose => return self.typed(op::TRANSPOSE, ty, values),
            Builtin::SelectLess => {
                let booleans = self.module.booleans(ty);
                let is_less = self.result(op::F_LESS, booleans, &values[..2]);
                return self.typed(op::SELECT, ty, &[is_less, values[2], values[3]]);
            }
        };
        let mut words = vec![self.module.glsl, number];
        words.extend_from_slice(values);
        if builtin == Builtin::Saturate {
            words.extend([0.0, 1.0].map(|bound| self.module.literal(ty, bound)));
        }
        self.typed(op::EXT_INST, ty, &words)
    }
}
