//! Programs as SPIR-V: structured control flow over variables.

mod expr;
mod module;

use super::tree::{Case, Function, Loop, LoopForm, Program, Statement, Type, VEC4};
use module::{FUNCTION, Module, op, push};

impl Program {
    /// The program's module.
    pub(super) fn words(&self) -> Vec<u32> {
        let mut module = Module::new(self.style.uniforms, self.style.has_matrix);
        let mut functions = Vec::new();
        for function in &self.functions {
            let id = Writer::write(&mut module, self, function, &functions);
            functions.push(id);
        }
        let [a, b, position] = module.ports;
        let void = module.void();
        let ty = module.function_type(void, &[]);
        let vector = module.ty(VEC4);
        let [entry, label, first, second, result] = [(); 5].map(|()| module.id());
        let called = functions.last().copied().unwrap_or(0);
        let words = &mut module.functions;
        push(words, op::FUNCTION, &[void, entry, 0, ty]);
        push(words, op::LABEL, &[label]);
        push(words, op::LOAD, &[vector, first, a]);
        push(words, op::LOAD, &[vector, second, b]);
        push(words, op::FUNCTION_CALL, &[vector, result, called, first, second]);
        push(words, op::STORE, &[position, result]);
        push(words, op::RETURN, &[]);
        push(words, op::FUNCTION_END, &[]);
        module.finish(entry)
    }
}

/// The blocks that jumps go to.
#[derive(Clone, Copy)]
struct Targets {
    /// Behind the innermost loop or switch.
    behind: u32,
    /// Behind the innermost loop, and the end of its turn.
    behind_loop: u32,
    turn: u32,
}

struct Writer<'p> {
    module: &'p mut Module,
    program: &'p Program,
    function: &'p Function,
    /// The ids of the functions before this one.
    functions: &'p [u32],
    /// Pointers to the variables.
    pointers: Vec<u32>,
    /// Declarations of variables, which stand in the first block.
    variables: Vec<u32>,
    body: Vec<u32>,
    /// The block that is written.
    label: u32,
    /// The block has its last instruction.
    is_ended: bool,
    targets: Targets,
}

impl<'p> Writer<'p> {
    /// Appends a function to a module; its id is returned.
    fn write(
        module: &'p mut Module,
        program: &'p Program,
        function: &'p Function,
        functions: &'p [u32],
    ) -> u32 {
        let label = module.id();
        let mut writer = Writer {
            module,
            program,
            function,
            functions,
            pointers: Vec::new(),
            variables: Vec::new(),
            body: Vec::new(),
            label,
            is_ended: false,
            targets: Targets { behind: 0, behind_loop: 0, turn: 0 },
        };
        let mut head = Vec::new();
        let mut types = Vec::new();
        for parameter in &function.parameters {
            let id = writer.module.id();
            let ty = match parameter.inout {
                true => writer.module.pointer(FUNCTION, parameter.ty),
                false => writer.module.ty(parameter.ty),
            };
            types.push(ty);
            push(&mut head, op::FUNCTION_PARAMETER, &[ty, id]);
            let pointer = if parameter.inout {
                id
            } else {
                let pointer = writer.variable(parameter.ty);
                writer.push(op::STORE, &[pointer, id]);
                pointer
            };
            writer.pointers.push(pointer);
        }
        for local in &function.locals {
            let pointer = writer.variable(local.ty);
            if let Some(first) = &local.first {
                let value = writer.expr(first);
                writer.push(op::STORE, &[pointer, value]);
            }
            writer.pointers.push(pointer);
        }
        writer.block(&function.body);
        if !writer.is_ended {
            let value = writer.expr(&function.result);
            writer.push(op::RETURN_VALUE, &[value]);
        }
        let result = writer.module.ty(function.result.ty);
        let ty = writer.module.function_type(result, &types);
        let id = writer.module.id();
        let (variables, body) = (writer.variables, writer.body);
        let words = &mut writer.module.functions;
        push(words, op::FUNCTION, &[result, id, 0, ty]);
        words.extend(head);
        push(words, op::LABEL, &[label]);
        words.extend(variables);
        words.extend(body);
        push(words, op::FUNCTION_END, &[]);
        id
    }

    fn push(&mut self, op: u32, operands: &[u32]) {
        push(&mut self.body, op, operands);
    }

    /// An instruction with a result.
    fn result(&mut self, op: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.module.id();
        let words: Vec<u32> = [ty, id].into_iter().chain(operands.iter().copied()).collect();
        self.push(op, &words);
        id
    }

    /// The same with a result of a type of the tree.
    fn typed(&mut self, op: u32, ty: Type, operands: &[u32]) -> u32 {
        let ty = self.module.ty(ty);
        self.result(op, ty, operands)
    }

    /// A pointer to a new variable.
    fn variable(&mut self, ty: Type) -> u32 {
        let pointer = self.module.pointer(FUNCTION, ty);
        let id = self.module.id();
        push(&mut self.variables, op::VARIABLE, &[pointer, id, FUNCTION]);
        id
    }

    /// Begins a block.
    fn begin(&mut self, label: u32) {
        self.push(op::LABEL, &[label]);
        self.label = label;
        self.is_ended = false;
    }

    /// Ends a block that has no end yet.
    fn branch(&mut self, label: u32) {
        if !self.is_ended {
            self.push(op::BRANCH, &[label]);
            self.is_ended = true;
        }
    }

    fn block(&mut self, block: &'p [Statement]) {
        for statement in block {
            // Behind a jump there is nothing to reach.
            if self.is_ended {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'p Statement) {
        match statement {
            Statement::Eval(expr) => {
                self.expr(expr);
            }
            Statement::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let [first, second, behind] = [(); 3].map(|()| self.module.id());
                let second = if no.is_empty() { behind } else { second };
                self.push(op::SELECTION_MERGE, &[behind, 0]);
                self.push(op::BRANCH_CONDITIONAL, &[condition, first, second]);
                self.begin(first);
                self.block(yes);
                let mut is_reached = no.is_empty() || !self.is_ended;
                self.branch(behind);
                if !no.is_empty() {
                    self.begin(second);
                    self.block(no);
                    is_reached |= !self.is_ended;
                    self.branch(behind);
                }
                self.behind(behind, is_reached);
            }
            Statement::Loop(inner) => self.repeat(inner),
            Statement::Switch(selector, cases) => {
                let selector = self.expr(selector);
                self.switch(selector, cases);
            }
            Statement::Break => self.branch(self.targets.behind),
            Statement::Leave => self.branch(self.targets.behind_loop),
            Statement::Continue => self.branch(self.targets.turn),
            Statement::Return(value) => {
                let value = self.expr(value);
                self.push(op::RETURN_VALUE, &[value]);
                self.is_ended = true;
            }
        }
    }

    /// Begins the block in which control flow comes together.
    fn behind(&mut self, label: u32, is_reached: bool) {
        self.begin(label);
        if !is_reached {
            self.push(op::UNREACHABLE, &[]);
            self.is_ended = true;
        }
    }

    fn repeat(&mut self, inner: &'p Loop) {
        let pointer = self.pointers[inner.counter];
        let first = self.module.integer(inner.first);
        self.push(op::STORE, &[pointer, first]);
        let [head, ask, body, turn, behind] = [(); 5].map(|()| self.module.id());
        self.branch(head);
        self.begin(head);
        self.push(op::LOOP_MERGE, &[behind, turn, 0]);
        let is_late = inner.form == LoopForm::DoWhile;
        self.branch(if is_late { body } else { ask });
        if !is_late {
            self.begin(ask);
            let condition = self.goes_on(inner);
            self.push(op::BRANCH_CONDITIONAL, &[condition, body, behind]);
            self.is_ended = true;
        }
        self.begin(body);
        if inner.form != LoopForm::For {
            self.step(inner);
        }
        let before = self.targets;
        self.targets = Targets { behind, behind_loop: behind, turn };
        self.block(&inner.body);
        self.branch(turn);
        self.targets = before;
        self.begin(turn);
        if inner.form == LoopForm::For {
            self.step(inner);
        }
        if is_late {
            let condition = self.goes_on(inner);
            self.push(op::BRANCH_CONDITIONAL, &[condition, head, behind]);
            self.is_ended = true;
        } else {
            self.branch(head);
        }
        self.begin(behind);
    }

    /// Steps a loop's counter.
    fn step(&mut self, inner: &Loop) {
        let pointer = self.pointers[inner.counter];
        let before = self.typed(op::LOAD, Type::Int, &[pointer]);
        let step = self.module.integer(inner.step());
        let after = self.typed(op::I_ADD, Type::Int, &[before, step]);
        self.push(op::STORE, &[pointer, after]);
    }

    /// The condition for another turn.
    fn goes_on(&mut self, inner: &'p Loop) -> u32 {
        let pointer = self.pointers[inner.counter];
        let counter = self.typed(op::LOAD, Type::Int, &[pointer]);
        let end = self.module.integer(inner.end);
        let op = if inner.step() > 0 { op::S_LESS } else { op::S_GREATER };
        let is_before = self.typed(op, Type::Bool, &[counter, end]);
        match &inner.also {
            Some(also) => self.both(is_before, also),
            None => is_before,
        }
    }

    fn switch(&mut self, selector: u32, cases: &'p [Case]) {
        let behind = self.module.id();
        let labels: Vec<u32> = cases.iter().map(|_| self.module.id()).collect();
        let default = cases.iter().position(|case| case.labels.contains(&None));
        let mut words = vec![selector, default.map_or(behind, |at| labels[at])];
        for (case, label) in cases.iter().zip(&labels) {
            words.extend(case.labels.iter().flatten().flat_map(|number| [*number as u32, *label]));
        }
        self.push(op::SELECTION_MERGE, &[behind, 0]);
        self.push(op::SWITCH, &words);
        let before = self.targets;
        self.targets.behind = behind;
        for (at, case) in cases.iter().enumerate() {
            self.begin(labels[at]);
            self.block(&case.body);
            let next = labels.get(at + 1).filter(|_| case.falls);
            self.branch(next.copied().unwrap_or(behind));
        }
        self.targets = before;
        self.begin(behind);
    }
}
