//! Expressions of a type.

use super::{
    Access, Argument, Binary, Builtin, Expr, ExprKind, Generator, Language, MAT4, Part, Place, Type, Unary,
    VEC4,
};

/// Comparisons.
const COMPARISONS: [Binary; 6] =
    [Binary::Less, Binary::Greater, Binary::LessEqual, Binary::GreaterEqual, Binary::Equal, Binary::NotEqual];

impl Generator<'_> {
    /// An expression of a type, of so many levels at most.
    pub(super) fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.room == 0 {
            return self.leaf(ty);
        }
        self.room -= 1;
        if self.one_in(8)
            && let Some(call) = self.call(Some(ty))
        {
            return call;
        }
        if self.effects
            && self.one_in(3)
            && let Some(effect) = self.effect(ty)
        {
            return effect;
        }
        match ty {
            Type::Bool => self.bool(depth),
            Type::Int => self.int(depth),
            Type::Float => self.float(depth),
            Type::Vector(size) => self.vector(size, depth),
            Type::Matrix { columns, rows } => self.matrix(columns, rows, depth),
            Type::Array(..) => self.leaf(ty),
        }
    }

    /// A literal, a variable, a uniform.
    pub(super) fn leaf(&mut self, ty: Type) -> Expr {
        let choice = self.pick(5);
        if choice >= 2
            && let Some(place) = self.place(ty, false)
        {
            return Expr::new(ty, ExprKind::Read(place));
        }
        match ty {
            Type::Bool => Expr::literal(ty, self.pick(2) as f32),
            Type::Int => Expr::literal(ty, self.of(&[0.0, 1.0, 2.0, 3.0, -1.0])),
            Type::Float | Type::Vector(_) if choice == 1 => {
                let at = Expr::literal(Type::Int, self.pick(self.style.uniforms) as f32);
                let uniform = Expr::new(VEC4, ExprKind::Uniform(Box::new(at)));
                self.cut(uniform, ty)
            }
            Type::Float | Type::Vector(_) => Expr::literal(ty, self.of(&[0.0, 1.0, 0.5, 2.0, -1.0, 3.0])),
            MAT4 if self.style.has_matrix => Expr::new(ty, ExprKind::UniformMatrix),
            Type::Matrix { columns, rows } => {
                let parts = (0..columns).map(|_| self.leaf(Type::Vector(rows))).collect();
                Expr::new(ty, ExprKind::Construct(parts))
            }
            Type::Array(element, count) => {
                let parts = (0..count).map(|_| self.leaf(*element)).collect();
                Expr::new(ty, ExprKind::Construct(parts))
            }
        }
    }

    /// Components of a vector of four.
    fn cut(&mut self, vector: Expr, ty: Type) -> Expr {
        if ty == vector.ty && !self.one_in(3) {
            return vector;
        }
        let order = (0..ty.size()).map(|_| self.pick(4)).collect();
        Expr::new(ty, ExprKind::Swizzle(Box::new(vector), order))
    }

    /// Two operands; the effects of one are on nothing that the other one looks at.
    fn pair(&mut self, first: Type, second: Type, depth: usize) -> (Expr, Expr) {
        let a = self.expr(first, depth - 1);
        // WGSL, and SPIR-V by itself, evaluate from left to right.
        let is_ordered = matches!(self.language, Language::Wgsl | Language::SpirV);
        let b = self.beside(&a, !is_ordered, |generator| generator.expr(second, depth - 1));
        (a, b)
    }

    /// Generates something with no conflict with an expression.
    pub(super) fn beside<T>(
        &mut self,
        other: &Expr,
        is_open: bool,
        generate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = (self.unreadable, self.unwritable);
        if is_open {
            let Access { reads, writes } = other.access();
            self.unreadable |= writes;
            self.unwritable |= reads | writes;
        }
        let result = generate(self);
        (self.unreadable, self.unwritable) = before;
        result
    }

    /// Operands of a built-in function.
    fn operands(&mut self, types: &[Type], depth: usize) -> Vec<Expr> {
        let before = (self.unreadable, self.unwritable);
        let mut all = Vec::new();
        for ty in types {
            let operand = self.expr(*ty, depth - 1);
            let Access { reads, writes } = operand.access();
            self.unreadable |= writes;
            self.unwritable |= reads | writes;
            all.push(operand);
        }
        (self.unreadable, self.unwritable) = before;
        all
    }

    fn bool(&mut self, depth: usize) -> Expr {
        let ty = Type::Bool;
        match self.pick(8) {
            5 => Expr::new(ty, ExprKind::Unary(Unary::Not, Box::new(self.expr(ty, depth - 1)))),
            6 | 7 if depth > 1 => {
                let op = self.of(&[Binary::And, Binary::Or]);
                let a = self.expr(ty, depth - 1);
                // The second operand is evaluated behind the first one; Cg evaluates it in any case.
                let effects = self.effects;
                self.effects &= self.language != Language::Cg;
                let calls = std::mem::replace(&mut self.calls, self.language != Language::Cg);
                let is_open = self.language == Language::Cg;
                let b = self.beside(&a, is_open, |generator| generator.expr(ty, depth - 1));
                self.calls = calls;
                self.effects = effects;
                Expr::binary(ty, op, a, b)
            }
            4 => {
                let op = self.of(&COMPARISONS);
                let (a, b) = self.pair(Type::Int, Type::Int, depth);
                Expr::binary(ty, op, a, b)
            }
            _ => {
                let op = self.of(&COMPARISONS);
                let (a, b) = self.pair(Type::Float, Type::Float, depth);
                Expr::binary(ty, op, a, b)
            }
        }
    }

    /// A choice between two values.
    fn choice(&mut self, ty: Type, depth: usize) -> Expr {
        let condition = self.expr(Type::Bool, depth - 1);
        // WGSL's `select` and Cg's operator evaluate both.
        let is_lazy = matches!(self.language, Language::Glsl | Language::SpirV);
        let (effects, calls) = (self.effects, self.calls);
        self.effects &= is_lazy;
        self.calls &= is_lazy;
        let [yes, no] =
            self.beside(&condition, !is_lazy, |generator| [(); 2].map(|()| generator.expr(ty, depth - 1)));
        (self.effects, self.calls) = (effects, calls);
        Expr::new(ty, ExprKind::Choose(Box::new([condition, yes, no])))
    }

    fn int(&mut self, depth: usize) -> Expr {
        let ty = Type::Int;
        match self.pick(9) {
            0..=2 => {
                let op = self.of(&[Binary::Add, Binary::Subtract, Binary::Multiply]);
                let (a, b) = self.pair(ty, ty, depth);
                Expr::binary(ty, op, a, b)
            }
            3 => {
                let op = self.of(&[Binary::Divide, Binary::Remainder]);
                let operand = Expr::builtin(ty, Builtin::Abs, vec![self.expr(ty, depth - 1)]);
                Expr::binary(ty, op, operand, Expr::literal(ty, self.of(&[2.0, 3.0, 4.0])))
            }
            4 => self.choice(ty, depth),
            5 => {
                let builtin = self.of(&[Builtin::Min, Builtin::Max]);
                let operands = self.operands(&[ty, ty], depth);
                Expr::builtin(ty, builtin, operands)
            }
            _ => Expr::new(ty, ExprKind::Convert(Box::new(self.expr(Type::Float, depth - 1)))),
        }
    }

    /// Operations of floats and of vectors alike.
    fn floats(&mut self, ty: Type, depth: usize) -> Expr {
        match self.pick(10) {
            0 => {
                let operand = Box::new(self.expr(ty, depth - 1));
                Expr::new(ty, ExprKind::Unary(Unary::Minus, operand))
            }
            1 => {
                let builtin = self.of(&[Builtin::Abs, Builtin::Floor, Builtin::Fract, Builtin::Saturate]);
                let operands = self.operands(&[ty], depth);
                Expr::builtin(ty, builtin, operands)
            }
            2 => {
                let builtin = self.of(&[Builtin::Min, Builtin::Max, Builtin::Step]);
                let operands = self.operands(&[ty, ty], depth);
                Expr::builtin(ty, builtin, operands)
            }
            3 => {
                let builtin = self.of(&[Builtin::Mix, Builtin::Clamp]);
                let operands = self.operands(&[ty, ty, ty], depth);
                if builtin == Builtin::Mix {
                    return Expr::builtin(ty, builtin, operands);
                }
                // Bounds in the right order.
                let bounds = [-1.0, 2.0].map(|bound| Expr::literal(ty, bound));
                Expr::builtin(ty, builtin, operands.into_iter().take(1).chain(bounds).collect())
            }
            4 => self.choice(ty, depth),
            5 => {
                let operands = self.operands(&[ty; 4], depth);
                Expr::builtin(ty, Builtin::SelectLess, operands)
            }
            _ => {
                let op = self.of(&[Binary::Add, Binary::Subtract, Binary::Multiply]);
                let (a, b) = self.pair(ty, ty, depth);
                Expr::binary(ty, op, a, b)
            }
        }
    }

    fn float(&mut self, depth: usize) -> Expr {
        let ty = Type::Float;
        match self.pick(10) {
            5 => Expr::new(ty, ExprKind::Convert(Box::new(self.expr(Type::Int, depth - 1)))),
            6 => {
                let size = 2 + self.pick(3);
                let operands = self.operands(&[Type::Vector(size); 2], depth);
                Expr::builtin(ty, Builtin::Dot, operands)
            }
            7 => {
                let vector = self.expr(VEC4, depth - 1);
                self.cut(vector, ty)
            }
            8 => Expr::new(ty, ExprKind::Convert(Box::new(self.expr(Type::Bool, depth - 1)))),
            9 => {
                let vector = self.expr(Type::Vector(3), depth - 1);
                Expr::new(ty, ExprKind::Element(Box::new(vector), self.pick(3)))
            }
            _ => self.floats(ty, depth),
        }
    }

    fn vector(&mut self, size: usize, depth: usize) -> Expr {
        let ty = Type::Vector(size);
        match self.pick(12) {
            5 => {
                let parts = if size > 2 && self.one_in(2) {
                    self.operands(
                        &[Type::Vector(2), Type::Vector(size - 2)]
                            .map(|ty| if ty.size() == 1 { Type::Float } else { ty }),
                        depth,
                    )
                } else {
                    self.operands(&vec![Type::Float; size], depth)
                };
                Expr::new(ty, ExprKind::Construct(parts))
            }
            6 => {
                let vector = self.expr(VEC4, depth - 1);
                self.cut(vector, ty)
            }
            7 => {
                // A matrix of as many rows by a vector.
                let columns = if size == 4 { 4 } else { 2 + self.pick(2) };
                let matrix = Type::Matrix { columns, rows: size };
                let (a, b) = self.pair(matrix, Type::Vector(columns), depth);
                Expr::binary(ty, Binary::Multiply, a, b)
            }
            8 => {
                let rows = if size == 4 { 4 } else { 2 + self.pick(2) };
                let matrix = Type::Matrix { columns: size, rows };
                let (a, b) = self.pair(Type::Vector(rows), matrix, depth);
                Expr::binary(ty, Binary::Multiply, a, b)
            }
            9 => {
                let (a, b) = self.pair(ty, Type::Float, depth);
                let (a, b) = if self.one_in(2) { (b, a) } else { (a, b) };
                Expr::binary(ty, Binary::Multiply, a, b)
            }
            10 => {
                let matrix = if size == 4 { MAT4 } else { Type::Matrix { columns: 2, rows: size } };
                let matrix = self.expr(matrix, depth - 1);
                Expr::new(ty, ExprKind::Element(Box::new(matrix), self.pick(2)))
            }
            11 if size == 4 => {
                let at = self.index(self.style.uniforms);
                Expr::new(ty, ExprKind::Uniform(Box::new(at)))
            }
            _ => self.floats(ty, depth),
        }
    }

    fn matrix(&mut self, columns: usize, rows: usize, depth: usize) -> Expr {
        let ty = Type::Matrix { columns, rows };
        match self.pick(7) {
            2 => {
                let op = self.of(&[Binary::Add, Binary::Subtract]);
                let (a, b) = self.pair(ty, ty, depth);
                Expr::binary(ty, op, a, b)
            }
            3 => {
                let (a, b) = self.pair(ty, Type::Float, depth);
                Expr::binary(ty, Binary::Multiply, a, b)
            }
            4 if columns < 4 && rows < 4 => {
                let inner = 2;
                let left = Type::Matrix { columns: inner, rows };
                let (a, b) = self.pair(left, Type::Matrix { columns, rows: inner }, depth);
                Expr::binary(ty, Binary::Multiply, a, b)
            }
            5 => {
                let operand = Type::Matrix { columns: rows, rows: columns };
                let operands = self.operands(&[operand], depth);
                Expr::builtin(ty, Builtin::Transpose, operands)
            }
            6 => {
                let parts = self.operands(&vec![Type::Vector(rows); columns], depth);
                Expr::new(ty, ExprKind::Construct(parts))
            }
            _ => self.leaf(ty),
        }
    }

    /// An index below a count.
    fn index(&mut self, count: usize) -> Expr {
        let choice = self.pick(6);
        let fits =
            |bounds: Option<(i32, i32)>| bounds.is_some_and(|(low, high)| low >= 0 && high < count as i32);
        let readable = !self.unreadable;
        let counters: Vec<usize> = (0..self.variables.len())
            .filter(|at| {
                let variable = &self.variables[*at];
                variable.is_visible && fits(variable.counter) && readable >> at & 1 == 1
            })
            .collect();
        if choice >= 2 && !counters.is_empty() {
            return Expr::variable(self.of(&counters), Type::Int);
        }
        if choice >= 4 && self.room > 1 {
            self.room -= 1;
            let any = self.expr(Type::Int, 1);
            let bounds = [0.0, (count - 1) as f32].map(|bound| Expr::literal(Type::Int, bound));
            return Expr::builtin(Type::Int, Builtin::Clamp, [any].into_iter().chain(bounds).collect());
        }
        Expr::literal(Type::Int, self.pick(count) as f32)
    }

    /// A part of a type, of another type, if there is one.
    fn reaches(from: Type, to: Type) -> bool {
        from == to
            || match (from, to) {
                (Type::Vector(size), Type::Vector(other)) => other < size,
                _ => from.elements().is_some_and(|(element, _)| Self::reaches(element, to)),
            }
    }

    fn path(&mut self, from: Type, to: Type) -> Vec<Part> {
        match (from, from.elements()) {
            _ if from == to => Vec::new(),
            (Type::Vector(size), _) if to != Type::Float => {
                let mut components: Vec<usize> = (0..size).collect();
                let order = (0..to.size()).map(|_| components.remove(self.pick(components.len())));
                vec![Part::Swizzle(order.collect())]
            }
            (Type::Vector(size), _) if !self.one_in(4) => vec![Part::Swizzle(vec![self.pick(size)])],
            (_, Some((element, count))) => {
                let index = Part::Index(self.index(count));
                // Other indices look at what this one leaves.
                let rest = match &index {
                    Part::Index(index) => {
                        let index = index.clone();
                        self.beside(&index, true, |generator| generator.path(element, to))
                    }
                    Part::Swizzle(_) => self.path(element, to),
                };
                [index].into_iter().chain(rest).collect()
            }
            (_, None) => Vec::new(),
        }
    }

    /// A variable or a part of one, if there is any of the type.
    pub(super) fn place(&mut self, ty: Type, writes: bool) -> Option<Place> {
        let closed = if writes { self.unwritable | self.unreadable } else { self.unreadable };
        let can_swizzle = !writes || self.language != Language::Wgsl || !matches!(ty, Type::Vector(_));
        let candidates: Vec<usize> = (0..self.variables.len())
            .filter(|at| {
                let variable = &self.variables[*at];
                let reaches =
                    if can_swizzle { Self::reaches(variable.ty, ty) } else { Self::holds(variable.ty, ty) };
                variable.is_visible && (variable.is_writable || !writes) && reaches && closed >> at & 1 == 0
            })
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let variable = self.of(&candidates);
        let from = self.variables[variable].ty;
        // Indices do not change the variable that they are of.
        let before = (self.unreadable, self.unwritable);
        self.unwritable |= 1 << variable;
        if writes {
            self.unreadable |= 1 << variable;
        }
        let path = self.path(from, ty);
        (self.unreadable, self.unwritable) = before;
        Some(Place { variable, path, ty })
    }

    /// The same without swizzles of several components.
    fn holds(from: Type, to: Type) -> bool {
        from == to || from.elements().is_some_and(|(element, _)| Self::holds(element, to))
    }

    /// An expression that changes a variable.
    fn effect(&mut self, ty: Type) -> Option<Expr> {
        match (ty, self.pick(3)) {
            (Type::Int | Type::Float, 0 | 1) => {
                let place = self.place(ty, true)?;
                let kind = ExprKind::Step { place, up: !self.one_in(3), post: self.one_in(2) };
                Some(Expr::new(ty, kind))
            }
            (Type::Array(..), _) => None,
            _ => self.assign(ty),
        }
    }

    fn assign(&mut self, ty: Type) -> Option<Expr> {
        let place = self.place(ty, true)?;
        let is_number = ty == Type::Int || ty.is_floats();
        let op = (is_number && self.one_in(2))
            .then(|| self.of(&[Binary::Add, Binary::Subtract, Binary::Multiply]));
        // The value may read the variable but not change it, nor what the indices look at.
        let before = (self.unreadable, self.unwritable);
        let mut effects = Access::default();
        for part in &place.path {
            if let Part::Index(index) = part {
                let Access { reads, writes } = index.access();
                effects.reads |= reads;
                effects.writes |= writes;
            }
        }
        self.unreadable |= effects.writes;
        self.unwritable |= effects.reads | effects.writes | place.bit();
        let value = match op {
            Some(_) if ty != Type::Float && ty.is_floats() && self.one_in(3) => self.expr(Type::Float, 1),
            _ => self.expr(ty, 2),
        };
        (self.unreadable, self.unwritable) = before;
        // A vector plus a scalar is Cg's and GLSL's and WGSL's, but SPIR-V has products alone.
        let op = if value.ty != ty { Some(Binary::Multiply) } else { op };
        Some(Expr::new(ty, ExprKind::Assign(place, op, Box::new(value))))
    }

    /// A statement's assignment or step.
    pub(super) fn assignment(&mut self) -> Option<Expr> {
        let choice = self.pick(12);
        let ty = match choice {
            0..=3 => VEC4,
            4..=6 => Type::Float,
            7 | 8 => Type::Int,
            9 => Type::Vector(2),
            10 => Type::Bool,
            _ => Type::Matrix { columns: 2, rows: 2 },
        };
        if choice == 8
            && let Some(place) = self.place(ty, true)
        {
            return Some(Expr::new(ty, ExprKind::Step { place, up: !self.one_in(3), post: true }));
        }
        self.assign(ty).or_else(|| self.assign(VEC4))
    }

    /// A call of a function with a result of a type, or of any.
    pub(super) fn call(&mut self, ty: Option<Type>) -> Option<Expr> {
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|at| ty.is_none_or(|ty| self.functions[*at].result.ty == ty))
            .collect();
        if fitting.is_empty() || !self.calls || self.room < 3 {
            return None;
        }
        self.room -= 3;
        let function = self.of(&fitting);
        let parameters = self.functions[function].parameters.clone();
        let result = self.functions[function].result.ty;
        let before = (self.unreadable, self.unwritable);
        // A call inside a call would be entered at each of the outer one's levels: programs grow too large.
        let calls = std::mem::replace(&mut self.calls, false);
        let mut arguments = Vec::new();
        for parameter in parameters {
            let argument = if parameter.inout {
                let place = match self.language {
                    Language::Wgsl => self.whole(parameter.ty),
                    _ => self.place(parameter.ty, true),
                };
                let Some(place) = place else { break };
                // It is written at the end of the call: reading it meanwhile is no conflict.
                self.unwritable |= place.bit();
                for part in &place.path {
                    if let Part::Index(index) = part {
                        let Access { reads, writes } = index.access();
                        self.unreadable |= writes;
                        self.unwritable |= reads | writes;
                    }
                }
                Argument::Inout(place)
            } else {
                let value = self.expr(parameter.ty, 1);
                let Access { reads, writes } = value.access();
                self.unreadable |= writes;
                self.unwritable |= writes;
                // GLSL, WGSL and SPIR-V evaluate from left to right, and Cg in any order.
                if self.language == Language::Cg {
                    self.unwritable |= reads;
                }
                Argument::Value(value)
            };
            arguments.push(argument);
        }
        self.calls = calls;
        (self.unreadable, self.unwritable) = before;
        let is_complete = arguments.len() == self.functions[function].parameters.len();
        is_complete.then(|| Expr::new(result, ExprKind::Call(function, arguments)))
    }

    /// A whole variable of a type, to be written.
    fn whole(&mut self, ty: Type) -> Option<Place> {
        let closed = self.unwritable | self.unreadable;
        let candidates: Vec<usize> = (0..self.variables.len())
            .filter(|at| {
                let variable = &self.variables[*at];
                variable.is_visible && variable.is_writable && variable.ty == ty && closed >> at & 1 == 0
            })
            .collect();
        if candidates.is_empty() {
            return None;
        }
        Some(Place { variable: self.of(&candidates), path: Vec::new(), ty })
    }
}
