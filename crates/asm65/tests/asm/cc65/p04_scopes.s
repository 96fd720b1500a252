; p04_scopes.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p04_scopes.prg p04_scopes.s
.scope second
entry_offset:
        lda #value
        rts
value = 17
.endscope
.proc first
        jsr local
        jsr second::entry_offset
@again: dex
        bne @again
local:  rts
.endproc
.proc third
        ldx #second::value
        jsr first
        jsr ::first
        jsr later
  .scope inner
        deep = second::value + 3
        bra done
  .endscope
        lda #inner::deep
done:   rts
.endproc
later:  jmp first::local
        .word third, third::done, third::inner::deep
