//! Any text, or any mixture of tokens, into the assembler: a program or errors with places in the text. What assembles
//! survives the disassembler.
#![no_main]

use gpuzoo_diag::{File, Span};
use gpuzoo_picogpu::{
    DOCUMENT, UNIT, assemble, check, costs, disassemble, load, lowered, program_dwords, save,
};
use libfuzzer_sys::fuzz_target;

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "#input ", "#output ", "#uniform ", "#vertexShader\n", "#fragmentShader\n", "#undefinedRegs\n",
    "fadd ", "fsub ", "fmul ", "fdiv ", "fneg ", "fdot ", "fcross ", "fcross2 ", "fmad ", "frcp ", "fnorm ", "fmax ",
    "fmin ", "finit ", "iadd ", "isub ", "imul ", "idiv ", "ineg ", "imax ", "imin ", "iinit ", "mov ", "swizzle ", "trap ",
    "lduni ", "initregs ", ".word ", ".header ", "r0", "r1", "r2", "r3", "r8", "r15", "r16", "r01", ".", ".x", ".xy", ".xyz",
    ".xyzw", ".wzyx", ".zz", " 1.0 ", " -0.5 ", " 2.f ", " 3 ", " -7 ", " 99999999999 ", " 0x1f ", " 1e3 ", " .5 ", "\n",
    "\r\n", " ", "// c\n", ",", "\u{e9}", "#vertexShader #input r0.xyzw #output r8.xyzw\n",
    "#fragmentShader #input r0.xyzw #input r1.xy #output r8.xyzw\n", ".header 0x0c30000c 0x6180c31c 0x00000030\n",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let text = if kind % 2 == 0 {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        bytes.iter().map(|byte| TOKENS[*byte as usize % TOKENS.len()]).collect()
    };
    for profile in [DOCUMENT, UNIT] {
        let assembled = assemble(&File::new("t", &text), profile);
        for label in assembled.diagnostics.iter().flat_map(|problem| &problem.labels) {
            assert!(text.get(label.span.start as usize..label.span.end as usize).is_some());
        }
        let program = &assembled.program;
        let _ = (costs(program), lowered(program, profile));
        if assembled.ok() {
            check(program);
            let again = assemble(&File::new("t", &disassemble(program)), DOCUMENT);
            assert!(again.ok());
            assert_eq!(program_dwords(&again.program), program_dwords(program));
            assert!(load(&save(program), Span::default()).ok());
        }
    }
});
