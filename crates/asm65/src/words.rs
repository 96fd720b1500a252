//! The directives and functions that begin with a dot.

use Directive::*;

/// A CPU that a program can be for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cpu {
    P6502,
    P65SC02,
    #[default]
    P65C02,
    W65C02,
    /// One that is not supported.
    Other,
}

/// A directive, or a function or operator of expressions that is written like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    // Data.
    Byte,
    Word,
    Addr,
    Dbyt,
    Dword,
    Faraddr,
    Res,
    Asciiz,
    Literal,
    Align,
    Incbin,
    Lobytes,
    Hibytes,
    Charmap,
    // Place.
    Org,
    Reloc,
    Segment,
    Code,
    Data,
    Rodata,
    Bss,
    Zeropage,
    Pushseg,
    Popseg,
    // Names.
    Set,
    Define,
    Undefine,
    Proc,
    Endproc,
    Scope,
    Endscope,
    Enum,
    Endenum,
    Struct,
    Union,
    Endstruct,
    Endunion,
    Tag,
    Export,
    Import,
    Global,
    ExportZp,
    ImportZp,
    GlobalZp,
    ForceImport,
    Autoimport,
    Constructor,
    Destructor,
    Interruptor,
    Condes,
    Local,
    // Text.
    Include,
    Macpack,
    Macro,
    Endmacro,
    Exitmacro,
    Delmacro,
    Repeat,
    Endrepeat,
    If,
    Ifdef,
    Ifndef,
    Ifblank,
    Ifnblank,
    Ifconst,
    Ifnconst,
    Ifref,
    Ifnref,
    /// `.ifp02` and its kin.
    Ifcpu(Cpu),
    Elseif,
    Else,
    Endif,
    End,
    // Checks and settings.
    Assert,
    Error,
    Warning,
    Out,
    Feature,
    Setcpu,
    /// `.p02` and its kin.
    SelectCpu(Cpu),
    OtherCpu,
    Pushcpu,
    Popcpu,
    Cpu65816,
    Linecont,
    Ignored,
    // Functions and operators.
    LoByte,
    HiByte,
    BankByte,
    LoWord,
    HiWord,
    Min,
    Max,
    Strlen,
    Strat,
    Sizeof,
    Addrsize,
    Defined,
    Const,
    Blank,
    Paramcount,
    Match,
    Xmatch,
    Tcount,
    Concat,
    Ident,
    StringOf,
    Left,
    Mid,
    Right,
    Pc,
    Mod,
    BoolAnd,
    BoolOr,
    BoolXor,
    BoolNot,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
    Shl,
    Shr,
}

/// Every word, in lower case, with what it means.
#[rustfmt::skip]
pub(crate) static DIRECTIVES: &[(&str, Directive)] = &[
    (".byte", Byte), (".byt", Byte), (".word", Word), (".addr", Addr), (".dbyt", Dbyt), (".dword", Dword), (".faraddr", Faraddr),
    (".res", Res), (".asciiz", Asciiz), (".literal", Literal), (".align", Align), (".incbin", Incbin), (".lobytes", Lobytes),
    (".hibytes", Hibytes), (".charmap", Charmap),
    (".org", Org), (".reloc", Reloc), (".segment", Segment), (".code", Code), (".data", Data),
    (".rodata", Rodata), (".bss", Bss), (".zeropage", Zeropage), (".pushseg", Pushseg), (".popseg", Popseg),
    (".set", Set), (".define", Define), (".undef", Undefine), (".undefine", Undefine), (".proc", Proc),
    (".endproc", Endproc), (".scope", Scope), (".endscope", Endscope), (".enum", Enum), (".endenum", Endenum),
    (".struct", Struct), (".union", Union), (".endstruct", Endstruct), (".endunion", Endunion), (".tag", Tag),
    (".export", Export), (".import", Import), (".global", Global), (".exportzp", ExportZp),
    (".importzp", ImportZp), (".globalzp", GlobalZp), (".forceimport", ForceImport), (".autoimport", Autoimport),
    (".constructor", Constructor), (".destructor", Destructor), (".interruptor", Interruptor), (".condes", Condes),
    (".local", Local), (".include", Include), (".macpack", Macpack), (".macro", Macro), (".mac", Macro), (".endmacro", Endmacro),
    (".endmac", Endmacro), (".exitmacro", Exitmacro), (".exitmac", Exitmacro), (".delmacro", Delmacro),
    (".delmac", Delmacro), (".repeat", Repeat), (".rep", Repeat), (".endrepeat", Endrepeat), (".endrep", Endrepeat),
    (".if", If), (".ifdef", Ifdef), (".ifndef", Ifndef), (".ifblank", Ifblank), (".ifnblank", Ifnblank),
    (".ifconst", Ifconst), (".ifnconst", Ifnconst), (".ifref", Ifref), (".ifnref", Ifnref),
    (".ifpc02", Ifcpu(Cpu::P65C02)), (".ifpsc02", Ifcpu(Cpu::P65SC02)), (".ifp02", Ifcpu(Cpu::P6502)), (".ifpwc02", Ifcpu(Cpu::W65C02)),
    (".ifp816", Ifcpu(Cpu::Other)), (".ifp4510", Ifcpu(Cpu::Other)), (".ifp02x", Ifcpu(Cpu::Other)), (".ifp45gs02", Ifcpu(Cpu::Other)),
    (".ifp6280", Ifcpu(Cpu::Other)), (".ifpce02", Ifcpu(Cpu::Other)), (".ifpdtv", Ifcpu(Cpu::Other)), (".ifpm740", Ifcpu(Cpu::Other)),
    (".ifpsweet16", Ifcpu(Cpu::Other)),
    (".elseif", Elseif), (".else", Else),
    (".endif", Endif), (".end", End), (".assert", Assert), (".error", Error), (".fatal", Error),
    (".warning", Warning), (".out", Out), (".feature", Feature), (".setcpu", Setcpu), (".pc02", SelectCpu(Cpu::P65C02)),
    (".psc02", SelectCpu(Cpu::P65SC02)), (".p02", SelectCpu(Cpu::P6502)), (".p4510", OtherCpu), (".p816", Cpu65816), (".a8", Cpu65816),
    (".a16", Cpu65816), (".i8", Cpu65816), (".i16", Cpu65816), (".pushcpu", Pushcpu), (".popcpu", Popcpu), (".list", Ignored),
    (".listbytes", Ignored), (".pagelength", Ignored), (".debuginfo", Ignored), (".linecont", Linecont),
    (".fileopt", Ignored), (".fopt", Ignored), (".dbg", Ignored), (".case", Ignored), (".smart", Ignored), (".lobyte", LoByte), (".hibyte", HiByte),
    (".bankbyte", BankByte), (".loword", LoWord), (".hiword", HiWord), (".min", Min), (".max", Max),
    (".strlen", Strlen), (".strat", Strat), (".sizeof", Sizeof), (".addrsize", Addrsize), (".defined", Defined), (".def", Defined),
    (".const", Const), (".blank", Blank), (".paramcount", Paramcount), (".match", Match), (".xmatch", Xmatch),
    (".tcount", Tcount), (".concat", Concat), (".ident", Ident), (".string", StringOf), (".left", Left),
    (".mid", Mid), (".right", Right), (".pc", Pc),
    (".mod", Mod), (".and", BoolAnd), (".or", BoolOr), (".xor", BoolXor), (".not", BoolNot),
    (".bitand", BitAnd), (".bitor", BitOr), (".bitxor", BitXor), (".bitnot", BitNot), (".shl", Shl),
    (".shr", Shr),
];

impl Directive {
    /// Whether it begins, divides or ends a condition.
    pub fn is_condition(self) -> bool {
        matches!(
            self,
            If | Ifdef
                | Ifndef
                | Ifblank
                | Ifnblank
                | Ifconst
                | Ifnconst
                | Ifref
                | Ifnref
                | Ifcpu(_)
                | Elseif
                | Else
                | Endif
        )
    }

    /// The way it is usually written.
    pub fn word(self) -> &'static str {
        DIRECTIVES.iter().find(|(_, directive)| *directive == self).map_or("", |(word, _)| word)
    }
}
