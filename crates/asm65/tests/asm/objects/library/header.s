; What cc65's library has for `cl65 -t cx16`: the load address, and the line of BASIC.
        .export __LOADADDR__: absolute = 1
        .export __EXEHDR__: absolute = 1
        .segment "LOADADDR"
        .addr * + 2
        .segment "EXEHDR"
        .addr next
        .word 2026
        .byte $9e, "2061", 0
next:   .word 0
