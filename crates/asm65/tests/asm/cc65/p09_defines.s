; p09_defines.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p09_defines.prg p09_defines.s
.define VERSION "1.2"
.define PAIR(p, q) p, q
.define SCREEN $1b000
.define load lda
        load #VERA_INCREMENT << 4 | (SCREEN >> 16)
        .byte VERSION, 0
        .byte PAIR 1, 2
        .byte PAIR {3}, {4}
        .byte <SCREEN, >SCREEN, ^SCREEN
VERA_INCREMENT = 1
.macro entry n
.ident(.concat("entry", .string(n))):
        lda #n
        rts
.endmacro
        entry 1
        entry 2
        .word entry1, entry2
.macro ldax arg
  .if .xmatch(.left(1, {arg}), #)
        lda #<(.right(.tcount({arg})-1, {arg}))
        ldx #>(.right(.tcount({arg})-1, {arg}))
  .else
        lda arg
        ldx arg+1
  .endif
.endmacro
        ldax #$1234
        ldax entry1
