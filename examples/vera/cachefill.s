; cachefill.s: fast fills by writes of four bytes
;
; A 65C02 that clears a bitmap stores every byte itself. VERA's memory is 32 bits wide inside, and a cache write uses that: one
; store to a data port writes the four bytes of the cache to the four aligned bytes around the address. What the CPU stores
; is not a colour any more but a mask: a bit for each half byte, and a 1 keeps what is there.
;
; Look at the eight bands: the cache holds four bytes that may differ, so a dither costs as much as a plain fill. And
; look at the grid: its vertical lines are masks, its horizontal ones are plain fills.
;
;       gpuzoo render examples/vera/cachefill.s -o cachefill.png
;       gpuzoo check --run examples/vera/cachefill.s
;
; The page gpus/vera/docs/cache.md walks through it.

left = $22                      ; the column of a vertical line, two bytes

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA
        jsr screen

        lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        stz VERA_FX_MULT        ; no multiplier: a cache write stores the cache
        lda #%01000000          ; cache writes
        sta VERA_FX_CTRL
        stz VERA_ADDR_L         ; ADDR0 = $00000, increment 4
        stz VERA_ADDR_M
        lda #$30
        sta VERA_ADDR_H
        lda #(6 << 1)           ; DCSEL 6: the cache
        sta VERA_CTRL

; Eight bands of 30 lines, each a pattern of two colours. The address runs on from band to band.
bands:  ldx #0
@band:  lda first, x
        sta VERA_FX_CACHE_L     ; the byte at the lowest address, so the leftmost pixel
        sta VERA_FX_CACHE_H
        lda second, x
        sta VERA_FX_CACHE_M
        sta VERA_FX_CACHE_U
        phx
        jsr fill
        plx
        inx
        cpx #8
        bne @band

; The grid: colour 1 in all four bytes.
grid:   lda #1
        sta VERA_FX_CACHE_L
        sta VERA_FX_CACHE_M
        sta VERA_FX_CACHE_H
        sta VERA_FX_CACHE_U
        ldx #0                  ; a line of 320 bytes at the top of each band
@line:  lda line_low, x
        sta VERA_ADDR_L
        lda line_middle, x
        sta VERA_ADDR_M
        lda line_high, x
        ora #$30
        sta VERA_ADDR_H
        ldy #80
@four:  stz VERA_DATA0          ; mask 0 keeps nothing
        dey
        bne @four
        inx
        cpx #8
        bne @line
        stz left                ; vertical lines, 32 pixels apart: the address goes down the screen,
        stz left + 1
        ldx #10
@column:
        lda left
        sta VERA_ADDR_L         ; and the mask leaves one byte of four
        lda left + 1
        sta VERA_ADDR_M
        lda #$E0                ; +320
        sta VERA_ADDR_H
        lda #%11111100          ; bits 1:0 are the two halves of the first byte
        ldy #240
@row:   sta VERA_DATA0
        dey
        bne @row
        clc
        lda left
        adc #32
        sta left
        bcc @same
        inc left + 1
@same:  dex
        bne @column
        stp

; 9600 bytes: 2400 writes of four, 16 in a turn. This loop takes 69 cycles for 64 bytes.
fill:   lda #150
@sixteen:
        .repeat 16
        stz VERA_DATA0
        .endrepeat
        dec
        bne @sixteen
filled: rts

        .include "screen.inc"

; The two colours of each band: from blue by violet and orange to yellow.
first:  .byte 2, 3, 3, 4, 4, 5, 5, 6
second: .byte 2, 2, 3, 3, 4, 4, 5, 5

; Where the bands begin: 30 lines are 9600 bytes.
line_low:
        .repeat 8, I
        .byte <(I * 9600)
        .endrepeat
line_middle:
        .repeat 8, I
        .byte >(I * 9600)
        .endrepeat
line_high:
        .repeat 8, I
        .byte ^(I * 9600)
        .endrepeat

; Colours 0 to 6: green and blue in the first byte, red in the second.
palette:
        .byte $00, $00, $22, $02, $3A, $02, $3A, $08, $46, $0E, $82, $0F, $D4, $0F
PALETTE = * - palette
