; Draws a line of bytes.
        .include "vera.inc"
        .import fill
        .importzp ptr
        .export start

        .segment "STARTUP"
        .segment "INIT"
        .segment "ONCE"
        .segment "CODE"
count = 16
start:  stz VERA_CTRL
        lda #$10
        sta VERA_ADDRx_H
        stz VERA_ADDRx_M
        stz VERA_ADDRx_L
        ldx #count
@loop:  txa
        jsr fill
        dex
        bne @loop
        rts
