//! Structs, types, globals and functions.

use super::Parser;
use crate::front::cg::codes::{LIMIT, UNSUPPORTED};
use crate::front::cg::lexer::Kind;
use crate::front::cg::tree::{
    Expr, Function, Name, Qualifiers, Semantic, Struct, TypeName, Typedef, Variable,
};
use crate::front::cg::types::MAX_DEPTH;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Failed;
use std::rc::Rc;

impl Parser<'_> {
    /// A declaration outside of functions.
    pub(super) fn global(&mut self) -> Result<(), Failed> {
        if self.takes(";") {
            return Ok(());
        }
        if self.peek().is("typedef") {
            let typedef = self.typedef()?;
            self.unit.typedefs.push(typedef);
            return Ok(());
        }
        if self.peek().is("cbuffer") && self.ahead(1).kind == Kind::Word {
            let problem = Diagnostic::error(&UNSUPPORTED, "Cg has no `cbuffer`").at(self.peek().span);
            return self
                .fail(problem.help("declare each of its variables by itself: `uniform float4x4 mvp;`"));
        }
        for word in ["interface", "technique", "template", "class", "namespace"] {
            if self.peek().is(word) && self.ahead(1).kind == Kind::Word {
                let problem = Diagnostic::error(&UNSUPPORTED, format!("`{word}` is not supported"));
                let problem = problem.at(self.peek().span).help("declare structs, variables and functions");
                return self.fail(problem);
            }
        }
        let qualifiers = self.qualifiers()?;
        let ty = self.type_name()?;
        // A struct alone.
        if self.takes(";") {
            return Ok(());
        }
        let name = self.name("a name")?;
        if self.peek().is("(") {
            let function = self.function(ty, name)?;
            self.unit.functions.push(function);
            return Ok(());
        }
        let globals = self.variables(qualifiers, ty, name)?;
        self.unit.globals.extend(globals);
        Ok(())
    }

    pub(super) fn typedef(&mut self) -> Result<Typedef, Failed> {
        self.take();
        self.qualifiers()?;
        let ty = self.type_name()?;
        let name = self.name("the new type's name")?;
        let mut sizes = self.sizes()?;
        sizes.extend(ty.sizes);
        self.wants(";")?;
        self.types.insert(name.text.clone());
        Ok(Typedef { name, ty: TypeName { name: ty.name, sizes } })
    }

    /// What may stand before a type, in any order.
    pub(super) fn qualifiers(&mut self) -> Result<Qualifiers, Failed> {
        let mut qualifiers = Qualifiers::default();
        while self.peek().kind == Kind::Word {
            match &*self.peek().text {
                "uniform" => qualifiers.is_uniform = true,
                "varying" => qualifiers.is_varying = true,
                "const" => qualifiers.is_const = true,
                "static" => qualifiers.is_static = true,
                "in" => qualifiers.is_in = true,
                "out" => qualifiers.is_out = true,
                "inout" => (qualifiers.is_in, qualifiers.is_out) = (true, true),
                "inline" | "extern" => {}
                // What geometry programs take and give.
                "POINT" | "LINE" | "LINE_ADJ" | "TRIANGLE" | "TRIANGLE_ADJ" | "POINT_OUT" | "LINE_OUT"
                | "TRIANGLE_OUT"
                    if self.ahead(1).kind == Kind::Word => {}
                _ => break,
            }
            self.take();
        }
        Ok(qualifiers)
    }

    /// A type's name, or a struct with its fields.
    pub(super) fn type_name(&mut self) -> Result<TypeName, Failed> {
        if self.peek().is("struct") {
            let name = self.nested(Self::structure)?;
            return Ok(TypeName { name, sizes: Vec::new() });
        }
        let name = self.name("a type")?;
        if &*name.text == "unsigned" && self.takes("int") {
            let name = Name { text: "unsigned int".into(), span: self.since(name.span) };
            return Ok(TypeName { name, sizes: Vec::new() });
        }
        // `AttribArray<float4>`, of geometry programs.
        if &*name.text == "AttribArray" && self.takes("<") {
            self.name("a type")?;
            self.wants(">")?;
        }
        Ok(self.named_type(name, Vec::new()))
    }

    /// The type of a name, of which there are arrays: where a block calls a type so, that type; the innermost block counts.
    pub(super) fn named_type(&self, name: Name, mut sizes: Vec<Option<Rc<Expr>>>) -> TypeName {
        let Some(own) = self.aliases.iter().rev().find(|own| own.name.text == name.text) else {
            return TypeName { name, sizes };
        };
        sizes.extend(own.ty.sizes.iter().cloned());
        TypeName { name: Name { text: own.ty.name.text.clone(), span: name.span }, sizes }
    }

    fn structure(&mut self) -> Result<Name, Failed> {
        let keyword = self.take().span;
        let name = match self.peek().kind {
            Kind::Word => self.name("a name")?,
            _ => {
                self.made += 1;
                Name { text: format!("struct {}", self.made).into(), span: keyword }
            }
        };
        self.types.insert(name.text.clone());
        if self.peek().is(":") {
            let problem =
                Diagnostic::error(&UNSUPPORTED, "structs that implement interfaces are not supported");
            let problem = problem.at(self.peek().span).help("leave the interface out");
            return self.fail(problem);
        }
        if !self.takes("{") {
            return Ok(name);
        }
        let mut fields = Vec::new();
        while !self.takes("}") {
            let qualifiers = self.qualifiers()?;
            let ty = self.type_name()?;
            let field = self.name("a field's name")?;
            if self.peek().is("(") {
                let problem = Diagnostic::error(&UNSUPPORTED, "functions in structs are not supported");
                let problem = problem.at(field.span).help("write it outside, with the struct as a parameter");
                return self.fail(problem);
            }
            fields.extend(self.variables(qualifiers, ty, field)?);
        }
        self.unit.structs.push(Struct { name: name.clone(), fields });
        Ok(name)
    }

    /// Sizes in brackets.
    pub(super) fn sizes(&mut self) -> Result<Vec<Option<Rc<Expr>>>, Failed> {
        let mut sizes = Vec::new();
        while self.takes("[") {
            let size = if self.peek().is("]") { None } else { Some(Rc::new(self.expression()?)) };
            self.wants("]")?;
            sizes.push(size);
            if sizes.len() > MAX_DEPTH {
                let message = format!("an array has more than {MAX_DEPTH} dimensions");
                let problem = Diagnostic::error(&LIMIT, message).at(self.last());
                return self.fail(problem.help("use fewer, and compute the place of an element"));
            }
        }
        Ok(sizes)
    }

    fn semantics(&mut self) -> Result<Vec<Semantic>, Failed> {
        let mut semantics = Vec::new();
        while self.takes(":") {
            let mut name = self.name("a semantic")?;
            // `state.matrix.mvp` and its like, of uniforms.
            while self.takes(".") {
                let next = self.name("a name")?;
                name =
                    Name { text: format!("{}.{}", name.text, next.text).into(), span: self.since(name.span) };
            }
            let mut argument = None;
            // `C[4]` is `C4`.
            if self.takes("[") {
                let number = self.take().text;
                self.wants("]")?;
                name = Name { text: format!("{}{number}", name.text).into(), span: self.since(name.span) };
            }
            if self.takes("(") {
                argument = Some(self.name("a register")?);
                self.wants(")")?;
            }
            semantics.push(Semantic { name, argument });
        }
        Ok(semantics)
    }

    /// Variables of one type, of which the first one's name was read, with the semicolon behind them.
    pub(super) fn variables(
        &mut self,
        qualifiers: Qualifiers,
        ty: TypeName,
        mut name: Name,
    ) -> Result<Vec<Variable>, Failed> {
        let mut all = Vec::new();
        loop {
            all.push(self.variable(qualifiers, ty.clone(), name)?);
            if !self.takes(",") {
                break;
            }
            name = self.name("a name")?;
        }
        self.wants(";")?;
        Ok(all)
    }

    /// What stands behind a variable's name.
    fn variable(&mut self, qualifiers: Qualifiers, ty: TypeName, name: Name) -> Result<Variable, Failed> {
        let mut sizes = self.sizes()?;
        sizes.extend(ty.sizes);
        let semantics = self.semantics()?;
        let init = if self.takes("=") { Some(self.initializer()?) } else { None };
        let semantics = if semantics.is_empty() { self.semantics()? } else { semantics };
        Ok(Variable { qualifiers, ty: TypeName { name: ty.name, sizes }, name, semantics, init })
    }

    fn function(&mut self, result: TypeName, name: Name) -> Result<Function, Failed> {
        self.take();
        let mut parameters = Vec::new();
        if self.peek().is("void") && self.ahead(1).is(")") {
            self.take();
        }
        if !self.takes(")") {
            loop {
                let qualifiers = self.qualifiers()?;
                let ty = self.type_name()?;
                let name = match self.peek().kind {
                    Kind::Word => self.name("a parameter's name")?,
                    _ => Name { text: "".into(), span: ty.name.span },
                };
                parameters.push(self.variable(qualifiers, ty, name)?);
                if self.takes(")") {
                    break;
                }
                if !self.takes(",") {
                    return self.expected("`,` or `)`");
                }
            }
        }
        let semantics = self.semantics()?;
        let body = if self.takes(";") {
            None
        } else if self.takes("{") {
            Some(self.block()?)
        } else {
            return self.expected("the function's `{`, or `;`");
        };
        Ok(Function { name, result, semantics, parameters, body })
    }
}
