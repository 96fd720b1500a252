; p03_macros.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p03_macros.prg p03_macros.s
.macro store value, address
  .ifblank value
        stz address
  .else
        lda #value
        sta address
  .endif
.endmacro
.macro delay n
  .local outer, inner
        ldy #n
outer:  ldx #0
inner:  dex
        bne inner
        dey
        bne outer
.endmacro
.macro inc16 address
        inc address
        bne :+
        inc address+1
:
.endmacro
.macro many a1, a2, a3
  .byte .paramcount
  .if .paramcount > 1
  .word a1, a2
  .else
  .word a1
  .endif
.endmacro
        store 2 << 1, $9f25
        store , $9f29
        delay 3
        delay 10
        inc16 $30
        inc16 counter
        many 1
        many 1, 2
        many {1}, $1234, 3
        rts
counter: .word 0
