; blit.s: pictures with transparent pixels, copied four bytes at a time by the cache
;
; VERA has 128 sprites, and a line of the screen soon has too many. What is copied into a bitmap has no limit but time. A 65C02 that
; copies must look at each pixel and pass over the transparent ones. With transparent writes VERA passes over zeros itself; with the
; cache, four pixels are read by four loads and stored by one store.
;
; Look at `shift`: a cache write stores to four aligned bytes, so how does a picture get to any column? It is read from up to three
; bytes before its beginning, which are transparent too. The shift costs nothing.
;
;       gpuzoo render examples/vera/blit.s -o blit.png
;       gpuzoo check --run examples/vera/blit.s
;
; The page gpus/vera/docs/cache.md walks through it.

IMAGE = $13004                  ; the picture in video memory: 16 lines of 16 bytes and 4 of 0, and 4 of 0 before it
BALLS = 43

x_at  = $22                     ; where the picture goes, two bytes
y_at  = $24
line  = $25                     ; the address of its line, three bytes
lines = $28
index = $29

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA
        jsr screen
        jsr background
        jsr upload
        stz index
        stz x_at
        stz x_at + 1
@ball:  lda index               ; two waves of balls, seven columns apart
        asl
        asl
        asl
        tax
        lda sine_high, x        ; -64 to 64
        clc
        adc #112
        sta y_at
        jsr blit
        sec
        lda #224
        sbc y_at
        sta y_at
        jsr blit
        clc
        lda x_at
        adc #7
        sta x_at
        bcc @same
        inc x_at + 1
@same:  inc index
        lda index
        cmp #BALLS
        bne @ball
        stp

; The picture to the column x_at, the line y_at.
blit:   lda #(2 << 1) | 1       ; DCSEL 2, ADDRSEL 1
        sta VERA_CTRL
        stz VERA_FX_MULT        ; multiplier off, and the cache's index is 0
        lda #%11100000          ; transparent, cache writes, cache fills
        sta VERA_FX_CTRL
shift:  lda x_at                ; ADDR1: the picture, 0 to 3 bytes earlier
        and #3
        eor #$FF
        sec
        adc #<IMAGE
        sta VERA_ADDR_L
        lda #>(IMAGE & $FFFF)
        sbc #0                  ; C is clear if the sum was below 256, that is, if a byte was borrowed
        sta VERA_ADDR_M
        lda #$11
        sta VERA_ADDR_H
        stz VERA_CTRL           ; ADDRSEL 0
        ldx y_at                ; ADDR0: y × 320 + x without its lower two bits
        lda x_at
        and #%11111100
        clc
        adc row_low, x
        sta line
        lda x_at + 1
        adc row_middle, x
        sta line + 1
        lda #$30                ; +4
        adc row_high, x
        sta line + 2
        lda #16
        sta lines
row:    lda line
        sta VERA_ADDR_L
        lda line + 1
        sta VERA_ADDR_M
        lda line + 2
        sta VERA_ADDR_H
copy:   .repeat 5               ; 20 bytes: 16 pixels and what they are shifted by
        lda VERA_DATA1
        lda VERA_DATA1
        lda VERA_DATA1
        lda VERA_DATA1
        stz VERA_DATA0          ; with transparency the value does not matter: zeros in the cache are the mask
        .endrepeat
copied: clc
        lda line
        adc #<320
        sta line
        lda line + 1
        adc #>320
        sta line + 1
        bcc @same
        inc line + 2
@same:  dec lines
        beq blitted
        jmp row                 ; too far for a branch
blitted:
        rts

; Stripes of 16 lines; every fourth column is a shade darker.
background:
        lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        stz VERA_FX_MULT
        lda #%01000000          ; cache writes
        sta VERA_FX_CTRL
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        lda #$30
        sta VERA_ADDR_H
        lda #(6 << 1)           ; DCSEL 6
        sta VERA_CTRL
        ldx #0
@line:  txa
        lsr
        lsr
        lsr
        lsr
        inc                     ; 1 to 15
        sta VERA_FX_CACHE_L
        sta VERA_FX_CACHE_M
        sta VERA_FX_CACHE_H
        dec
        sta VERA_FX_CACHE_U
        ldy #40
@eight: stz VERA_DATA0
        stz VERA_DATA0
        dey
        bne @eight
        inx
        cpx #240
        bne @line
        lda #(2 << 1)
        sta VERA_CTRL
        stz VERA_FX_CTRL
        rts

; The picture to video memory, with four bytes of 0 before it.
upload: lda #<(IMAGE - 4)
        sta VERA_ADDR_L
        lda #>((IMAGE - 4) & $FFFF)
        sta VERA_ADDR_M
        lda #$11
        sta VERA_ADDR_H
        ldx #4
@zero:  stz VERA_DATA0
        dex
        bne @zero
@first: lda ball, x             ; 320 bytes
        sta VERA_DATA0
        inx
        bne @first
@second:
        lda ball + 256, x
        sta VERA_DATA0
        inx
        cpx #64
        bne @second
        rts

        .include "screen.inc"

; Where the lines begin.
row_low:
        .repeat 240, I
        .byte <(I * 320)
        .endrepeat
row_middle:
        .repeat 240, I
        .byte >(I * 320)
        .endrepeat
row_high:
        .repeat 240, I
        .byte ^(I * 320)
        .endrepeat

; 0 is transparent.
ball:
        .byte 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 0, 0, 16, 16, 22, 22, 22, 21, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 16, 16, 23, 23, 23, 23, 22, 21, 21, 20, 16, 16, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 16, 23, 23, 23, 23, 23, 22, 21, 21, 20, 19, 16, 0, 0, 0, 0, 0, 0
        .byte 0, 16, 23, 23, 23, 23, 23, 22, 22, 21, 21, 20, 19, 17, 16, 0, 0, 0, 0, 0
        .byte 0, 16, 23, 23, 23, 23, 23, 22, 22, 21, 20, 20, 19, 17, 16, 0, 0, 0, 0, 0
        .byte 16, 22, 22, 23, 23, 22, 22, 22, 21, 21, 20, 19, 18, 17, 17, 16, 0, 0, 0, 0
        .byte 16, 21, 22, 22, 22, 22, 22, 21, 21, 20, 20, 19, 18, 17, 17, 16, 0, 0, 0, 0
        .byte 16, 21, 21, 22, 22, 21, 21, 21, 20, 20, 19, 18, 17, 17, 17, 16, 0, 0, 0, 0
        .byte 16, 20, 21, 21, 21, 21, 20, 20, 19, 19, 18, 17, 17, 17, 17, 16, 0, 0, 0, 0
        .byte 0, 16, 20, 20, 20, 20, 20, 19, 19, 18, 17, 17, 17, 17, 16, 0, 0, 0, 0, 0
        .byte 0, 16, 19, 19, 19, 19, 19, 18, 18, 17, 17, 17, 17, 17, 16, 0, 0, 0, 0, 0
        .byte 0, 0, 16, 18, 18, 18, 18, 17, 17, 17, 17, 17, 17, 16, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 16, 16, 17, 17, 17, 17, 17, 17, 17, 17, 16, 16, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 0, 0, 16, 16, 17, 17, 17, 17, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0
        .byte 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

; Black, 15 shades of the background, and eight of the balls: green and blue in the first byte, red in the second.
palette:
        .byte $00, $00
        .repeat 15, I
        .byte (2 + I / 2) << 4 | (6 + I / 2), I / 4
        .endrepeat
        .byte $00, $02, $00, $05, $11, $08, $21, $0B, $41, $0E, $73, $0F, $B7, $0F, $FE, $0F
PALETTE = * - palette

        .include "sine.inc"
