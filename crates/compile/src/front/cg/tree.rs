//! What a source says, as a tree.

use gpuzoo_diag::Span;
use std::rc::Rc;

/// A word with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The word.
    pub text: Rc<str>,
    /// Where it stands; of what a macro made, where the macro is used.
    pub span: Span,
}

/// A type as it is written: a name, and sizes of arrays, the outermost first. No size is of an array that takes its length from
/// its initialiser.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The name.
    pub name: Name,
    /// The sizes.
    pub sizes: Vec<Option<Rc<Expr>>>,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
    /// How deep it is nested: 1 more than its deepest part.
    pub depth: u16,
}

impl Expr {
    /// How many elements it gives an array that takes its size from it: of a list, or `float[](1, 2)`.
    pub fn count(&self) -> Option<usize> {
        match &self.kind {
            ExprKind::List(values) => Some(values.len()),
            ExprKind::Construct(TypeName { sizes, .. }, values) => {
                matches!(sizes.first(), Some(None)).then_some(values.len())
            }
            _ => None,
        }
    }
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// A floating-point number.
    Float(f32),
    /// An integer.
    Int(i32),
    /// `true` or `false`.
    Bool(bool),
    /// A variable.
    Name(Rc<str>),
    /// `a.b`.
    Member(Box<Expr>, Name),
    /// `a[b]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(a, b)`.
    Call(Name, Vec<Expr>),
    /// `float4(a, b)`.
    Construct(TypeName, Vec<Expr>),
    /// `(float3)a`.
    Cast(TypeName, Box<Expr>),
    /// `-a`.
    Unary(Unary, Box<Expr>),
    /// `++a` and its like.
    Step {
        /// What is changed.
        target: Box<Expr>,
        /// The change.
        by: Binary,
        /// True if the value is that before the change.
        after: bool,
    },
    /// `a + b`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a = b`, `a += b`.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Select(Box<[Expr; 3]>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `{ a, b }`, as an initialiser.
    List(Vec<Expr>),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// What is written before a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    /// `uniform`: the same for a whole draw.
    pub is_uniform: bool,
    /// `varying`: one for each vertex.
    pub is_varying: bool,
    /// `const`.
    pub is_const: bool,
    /// `static`.
    pub is_static: bool,
    /// `in`, or `inout`.
    pub is_in: bool,
    /// `out`, or `inout`.
    pub is_out: bool,
}

/// What stands behind the colon of a declaration: `TEXCOORD0`, `register(c4)`.
#[derive(Clone, Debug)]
pub struct Semantic {
    /// The word.
    pub name: Name,
    /// The word in parentheses.
    pub argument: Option<Name>,
}

/// A variable, parameter or field.
#[derive(Debug)]
pub struct Variable {
    /// What is written before its type.
    pub qualifiers: Qualifiers,
    /// Its type.
    pub ty: TypeName,
    /// Its name.
    pub name: Name,
    /// What it is in the pipeline, and where it is put.
    pub semantics: Vec<Semantic>,
    /// Its first value.
    pub init: Option<Expr>,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StmtKind {
    /// Variables.
    Declare(Vec<Variable>),
    /// An expression for what it changes.
    Expr(Expr),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `for`, `while`.
    Loop {
        /// What runs before.
        init: Option<Box<Stmt>>,
        /// What is asked before each turn.
        condition: Option<Expr>,
        /// What runs after each turn.
        step: Option<Expr>,
        /// The turn.
        body: Box<Stmt>,
    },
    /// `do` … `while`.
    DoWhile(Box<Stmt>, Expr),
    /// `switch`.
    Switch(Expr, Vec<Case>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `discard`.
    Discard,
    /// `{ … }`.
    Block(Vec<Stmt>),
}

/// A part of a `switch`.
#[derive(Debug)]
pub struct Case {
    /// Its labels: the integer of a `case`, none for `default`.
    pub labels: Vec<(Option<Expr>, Span)>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A struct.
#[derive(Debug)]
pub struct Struct {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Variable>,
}

/// Another name of a type.
#[derive(Debug)]
pub struct Typedef {
    /// The new name.
    pub name: Name,
    /// The type.
    pub ty: TypeName,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// What it gives.
    pub result: TypeName,
    /// What its result is in the pipeline.
    pub semantics: Vec<Semantic>,
    /// What it takes.
    pub parameters: Vec<Variable>,
    /// What it does; nothing for a prototype.
    pub body: Option<Vec<Stmt>>,
}

/// A whole source.
#[derive(Debug, Default)]
pub struct Unit {
    /// Structs.
    pub structs: Vec<Struct>,
    /// Other names of types.
    pub typedefs: Vec<Typedef>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Functions.
    pub functions: Vec<Function>,
}
