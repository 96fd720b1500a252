; p12_fx_fill.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -o p12_fx_fill.prg p12_fx_fill.s
; A filled 8-bit screen by 32-bit cache writes.
.segment "STARTUP"
.segment "INIT"
.segment "ONCE"
.segment "CODE"
VERA_ADDRx_L = $9f20
VERA_ADDRx_M = $9f21
VERA_ADDRx_H = $9f22
VERA_DATA0   = $9f23
VERA_CTRL    = $9f25
VERA_FX_CTRL = $9f29
VERA_FX_CACHE_L = $9f29
COLOR = 6
.macro dcsel n
        lda #(n << 1)
        sta VERA_CTRL
.endmacro
        dcsel 6
        lda #COLOR
.repeat 4, i
        sta VERA_FX_CACHE_L + i
.endrepeat
        dcsel 2
        lda #%01000000
        sta VERA_FX_CTRL
        stz VERA_ADDRx_L
        stz VERA_ADDRx_M
        lda #%00110000
        sta VERA_ADDRx_H
        ldy #>(320 * 240 / 4 + 255)
        ldx #0
@fill:  stz VERA_DATA0
        inx
        bne @fill
        dey
        bne @fill
        stz VERA_FX_CTRL
        stz VERA_CTRL
        rts
        .word last, *
last:
