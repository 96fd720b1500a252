; p10_segments.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p10_segments.prg p10_segments.s
.segment "RODATA"
text:   .byte "IN ORDER", 0
.segment "CODE"
        lda text
        jsr helper
        sta flag
        lda state
.pushseg
.segment "DATA"
state:  .byte 7
.segment "BSS"
flag:   .res 1
room:   .res 10
.popseg
        ldx #<room
        ldy #>room
        rts
.segment "LOWCODE"
helper: lda #1
        rts
.segment "ZEROPAGE"
z1:     .res 1
z2:     .res 2
.segment "CODE"
more:   lda z1
        sta (z2),y
        lda early
        jmp more
.segment "ZEROPAGE"
early:  .res 1
