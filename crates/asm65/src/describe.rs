//! What the words that begin with a dot are for, as data.

use crate::words::{Cpu, DIRECTIVES, Directive};
use Directive::*;

/// A word that begins with a dot.
///
/// ```
/// let org = gpuzoo_asm65::directives().find(|own| own.name == ".org").unwrap();
/// assert_eq!(org.usage, ".org ADDRESS");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// The word, in small letters.
    pub name: &'static str,
    /// How it is written; with the usual one of several words that mean the same.
    pub usage: &'static str,
    /// What it does, or what it is.
    pub about: &'static str,
    /// It is about macros: what stands for other words or lines.
    pub is_macro: bool,
}

/// All words that begin with a dot.
pub fn directives() -> impl Iterator<Item = Described> {
    DIRECTIVES.iter().map(|(name, directive)| {
        let (usage, about) = describe(*directive);
        let is_macro = matches!(
            directive,
            Macro | Endmacro | Exitmacro | Delmacro | Local | Repeat | Endrepeat | Define | Undefine
        );
        Described { name, usage, about, is_macro }
    })
}

fn describe(directive: Directive) -> (&'static str, &'static str) {
    match directive {
        Byte => (".byte VALUE, \"TEXT\", …", "bytes; of a text its characters"),
        Word => (".word VALUE, …", "words of 16 bits, the lower byte first"),
        Addr => (".addr VALUE, …", "addresses, as `.word`"),
        Dbyt => (".dbyt VALUE, …", "words of 16 bits, the higher byte first"),
        Dword => (".dword VALUE, …", "words of 32 bits, the lowest byte first"),
        Faraddr => (".faraddr VALUE, …", "addresses of 24 bits, the lowest byte first"),
        Res => (".res COUNT, VALUE", "so many bytes of this value, or of 0"),
        Literal => (".literal \"TEXT\", VALUE, …", "as `.byte`, but text stays as it is written: ASCII"),
        Asciiz => (".asciiz \"TEXT\", …", "characters, and a byte 0 behind all of them"),
        Align => (".align COUNT, VALUE", "bytes up to the next multiple of COUNT"),
        Incbin => (".incbin \"FILE\", START, COUNT", "the bytes of a file, or a part of them"),
        Lobytes => (".lobytes VALUE, …", "the lower byte of each value"),
        Hibytes => (".hibytes VALUE, …", "the higher byte of each value"),
        Charmap => (".charmap FROM, TO", "characters of this number become that one from here on"),
        Org => (".org ADDRESS", "what follows is made for this address"),
        Reloc => (".reloc", "ends what `.org` began"),
        Segment => (".segment \"NAME\"", "what follows is in this segment"),
        Code => (".code", "what follows is in the segment CODE"),
        Data => (".data", "what follows is in the segment DATA"),
        Rodata => (".rodata", "what follows is in the segment RODATA"),
        Bss => (".bss", "what follows is in the segment BSS, which the program's file has not got"),
        Zeropage => (".zeropage", "what follows is in the segment ZEROPAGE"),
        Pushseg => (".pushseg", "remembers the segment"),
        Popseg => (".popseg", "goes back to the segment that was remembered"),
        Set => ("NAME .set VALUE", "a name whose value may change"),
        Define => (".define NAME(A, B) TEXT", "NAME stands for TEXT from here on"),
        Undefine => (".undefine NAME", "NAME is not a text any more"),
        Proc => (".proc NAME", "a label, and a scope of its name"),
        Endproc => (".endproc", "ends a `.proc`"),
        Scope => (".scope NAME", "a scope: names in it are `NAME::name` outside"),
        Endscope => (".endscope", "ends a `.scope`"),
        Enum => (".enum NAME", "names that count up from 0, a line each"),
        Endenum => (".endenum", "ends an `.enum`"),
        Struct => (".struct NAME", "names that are offsets: each line has the size of a member"),
        Union => (".union NAME", "as `.struct`, with all members at the same offset"),
        Endstruct => (".endstruct", "ends a `.struct`"),
        Endunion => (".endunion", "ends a `.union`"),
        Tag => (".tag NAME", "room for a `.struct`"),
        Export => (
            ".export NAME, …",
            "other sources of the program may import the names; `NAME = VALUE` defines one, too",
        ),
        Import => (".import NAME, …", "names that another source of the program exports"),
        Global => (".global NAME, …", "as `.export` for names that are defined here, else as `.import`"),
        ExportZp => (".exportzp NAME, …", "as `.export`, for names in the zero page"),
        ImportZp => (".importzp NAME, …", "as `.import`, for names in the zero page"),
        GlobalZp => (".globalzp NAME, …", "as `.global`, for names in the zero page"),
        ForceImport => {
            (".forceimport NAME, …", "as `.import`, for names that are needed although nothing uses them")
        }
        Constructor => (
            ".constructor NAME, PRIORITY",
            "exports a routine that a C program calls before `main`, those of lower priority (1 to 32) later; 7 without one",
        ),
        Destructor => {
            (".destructor NAME, PRIORITY", "as `.constructor`, for routines that are called at the end")
        }
        Interruptor => {
            (".interruptor NAME, PRIORITY", "as `.constructor`, for routines that interrupts call")
        }
        Condes => (
            ".condes NAME, TABLE, PRIORITY",
            "as `.constructor`, for the table `constructor`, `destructor`, `interruptor` or one from 0 to 6",
        ),
        Autoimport => (".autoimport +", "every name that is not defined here is imported"),
        Local => (".local NAME, …", "labels of a macro that are new at each use"),
        Include => (".include \"FILE\"", "the lines of a file"),
        Macpack => (
            ".macpack NAME",
            "macros that come with the assembler: `longbranch` (`jeq` to `jvs`: branches to anywhere), `generic` (`add`, `sub`, `bge`, `blt`, `bgt`, `ble`, `bnz`, `bze`)",
        ),
        Macro => (".macro NAME A, B", "begins a macro with these parameters"),
        Endmacro => (".endmacro", "ends a macro"),
        Exitmacro => (".exitmacro", "leaves out the rest of a macro"),
        Delmacro => (".delmacro NAME", "NAME is not a macro any more"),
        Repeat => (".repeat COUNT, NAME", "the lines up to `.endrepeat` so many times; NAME counts from 0"),
        Endrepeat => (".endrepeat", "ends a `.repeat`"),
        If => (".if VALUE", "what follows is read if the value is not 0"),
        Ifdef => (".ifdef NAME", "what follows is read if NAME is defined"),
        Ifndef => (".ifndef NAME", "what follows is read if NAME is not defined"),
        Ifblank => {
            (".ifblank WORDS", "what follows is read if there are no words: a parameter that was not given")
        }
        Ifnblank => (".ifnblank WORDS", "what follows is read if there are words"),
        Ifconst => (".ifconst VALUE", "what follows is read if the value is known here"),
        Ifnconst => (".ifnconst VALUE", "what follows is read if the value is not known here"),
        Ifcpu(Cpu::P6502) => (".ifp02", "what follows is read if the CPU is the 6502"),
        Ifcpu(Cpu::P65SC02) => (".ifpsc02", "what follows is read if the CPU is the 65SC02"),
        Ifcpu(Cpu::P65C02) => (".ifpc02", "what follows is read if the CPU is the 65C02"),
        Ifcpu(Cpu::W65C02) => (".ifpwc02", "what follows is read if the CPU is the W65C02"),
        Ifcpu(Cpu::Other) => (".ifp816", "what follows is left out: the machine has another CPU"),
        Ifref => (".ifref NAME", "what follows is read if NAME was used"),
        Ifnref => (".ifnref NAME", "what follows is read if NAME was not used"),
        Elseif => {
            (".elseif VALUE", "what follows is read if nothing since `.if` was, and the value is not 0")
        }
        Else => (".else", "what follows is read if nothing since `.if` was"),
        Endif => (".endif", "ends what an `.if` began"),
        End => (".end", "the file ends here"),
        Assert => (".assert VALUE, error, \"TEXT\"", "reports the text if the value is 0"),
        Error => (".error \"TEXT\"", "reports an error"),
        Warning => (".warning \"TEXT\"", "reports a warning"),
        Out => (".out \"TEXT\"", "reports a note"),
        Feature => (".feature NAME, …", "turns on a feature of the language"),
        Setcpu => {
            (".setcpu \"65C02\"", "the CPU, which is the 65C02 or the 6502, for `.ifpc02` and the like")
        }
        SelectCpu(Cpu::P6502) => {
            (".p02", "the CPU is the 6502, whose programs run on the 65C02; for `.ifp02`")
        }
        SelectCpu(Cpu::P65SC02) => {
            (".psc02", "the CPU is the 65SC02, whose programs run on the 65C02; for `.ifpsc02`")
        }
        SelectCpu(_) => (".pc02", "the CPU is the 65C02; for `.ifpc02`"),
        Pushcpu => (".pushcpu", "remembers the CPU"),
        Popcpu => (".popcpu", "the CPU that was remembered last"),
        OtherCpu => (".p4510", "a CPU that the machine has not got; it is refused"),
        Cpu65816 => (".p816", "for the 65816, which the machine has not got; it is refused"),
        Linecont => (".linecont +", "a backslash at the end of a line lets the line go on; `-` ends that"),
        Ignored => (".list on", "without effect: a setting of ca65's listings and the like"),
        LoByte => (".lobyte(VALUE)", "bits 0 to 7"),
        HiByte => (".hibyte(VALUE)", "bits 8 to 15"),
        BankByte => (".bankbyte(VALUE)", "bits 16 to 23"),
        LoWord => (".loword(VALUE)", "bits 0 to 15"),
        HiWord => (".hiword(VALUE)", "bits 16 to 31"),
        Min => (".min(A, B)", "the smaller of two values"),
        Max => (".max(A, B)", "the greater of two values"),
        Strlen => (".strlen(\"TEXT\")", "how many characters a text has"),
        Strat => (".strat(\"TEXT\", INDEX)", "the character at a place, counted from 0"),
        Addrsize => (
            ".addrsize(EXPRESSION)",
            "0 if it is not known how large an address it is, 1 in the zero page, 2 elsewhere",
        ),
        Sizeof => (".sizeof(NAME)", "how many bytes a `.struct`, a `.proc` or a `.scope` has"),
        Defined => (".defined(NAME)", "1 if NAME is defined"),
        Const => (".const(VALUE)", "1 if the value is known here"),
        Blank => (".blank(WORDS)", "1 if there are no words"),
        Paramcount => (".paramcount", "how many parameters a macro was given"),
        Match => (".match(A, B)", "1 if the words are alike in kind"),
        Xmatch => (".xmatch(A, B)", "1 if the words are the same"),
        Tcount => (".tcount(WORDS)", "how many words there are"),
        Concat => (".concat(\"A\", \"B\")", "one text of several"),
        Ident => (".ident(\"TEXT\")", "the name that a text spells"),
        StringOf => (".string(NAME)", "a name or a number as text"),
        Left => (".left(COUNT, WORDS)", "the first words"),
        Mid => (".mid(START, COUNT, WORDS)", "words from a place on, counted from 0"),
        Right => (".right(COUNT, WORDS)", "the last words"),
        Pc => (".pc", "the address of this place, as `*`"),
        Mod => ("A .mod B", "what is left of a division"),
        BoolAnd => ("A .and B", "`&&`: 1 if both are not 0"),
        BoolOr => ("A .or B", "`||`: 1 if one is not 0"),
        BoolXor => ("A .xor B", "1 if just one is not 0"),
        BoolNot => (".not A", "`!`: 1 for 0, else 0"),
        BitAnd => ("A .bitand B", "`&`, bit by bit"),
        BitOr => ("A .bitor B", "`|`, bit by bit"),
        BitXor => ("A .bitxor B", "`^`, bit by bit"),
        BitNot => (".bitnot A", "`~`, bit by bit"),
        Shl => ("A .shl B", "`<<`: A moved left by B bits"),
        Shr => ("A .shr B", "`>>`: A moved right by B bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The usage has the word, or the usual one of those that mean the same.
    #[test]
    fn usages_have_the_words() {
        for (name, directive) in DIRECTIVES {
            let (usage, about) = describe(*directive);
            let has = |word: &str| usage.split([' ', '(']).any(|own| own == word);
            let mut same = DIRECTIVES.iter().filter(|(_, own)| own == directive);
            assert!(same.any(|(word, _)| has(word)), "{name}: {usage}");
            assert!(!about.is_empty(), "{name}");
        }
    }
}
