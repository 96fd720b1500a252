; poly2bit.s: triangles with pixels of two bits
;
; A bitmap of 2 bits per pixel takes a quarter of the memory and of the stores: a cache write is 16 pixels. But the filler and the
; cache know half bytes, which are two pixels, so each line may have a single pixel left over at either end. Those are poked: a write
; to ADDR1_L, then one to DATA1, changes two bits of a byte and nothing else.
;
; Look at `line`: bit 0 of FILL_L says that the line begins with the right pixel of a half byte, bit 7 that it ends after a left one.
;
;       gpuzoo render examples/vera/poly2bit.s -o poly2bit.png
;       gpuzoo check --run examples/vera/poly2bit.s
;
; The page gpus/vera/docs/polygons.md walks through it.

LEFT     = 32                   ; the drawing is 256 columns wide, so that an x fits a byte
TWO_BITS = 1
DOWN     = $C0                  ; +80 as ADDRx_H has it: a line is 80 bytes

first  = $22                    ; the triangle's first corner in `corners`
base   = $23                    ; bits 15:8 of the picture's address
lines  = $24                    ; how many `fill` draws
index  = $25
groups = $26
ends   = $27
mask   = $28

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA
        lda #%00000101          ; bitmap, 2 bits per pixel
        ldx #64                 ; half a pixel for each pixel of the screen
        ldy #0                  ; at $00000, 320 wide
        jsr bitmap
        lda #0                  ; at $00000
        ldx #240 / 4            ; 240 lines, four at a time
        jsr clear
        lda #(2 << 1) | 1       ; DCSEL 2, ADDRSEL 1
        sta VERA_CTRL
        lda #%00000001          ; 2-bit polygons. They want 4-bit mode as well
        sta VERA_FX_TILEBASE
        lda #%01000110          ; cache writes, 4-bit mode, ADDR1 mode 2
        sta VERA_FX_CTRL
        stz VERA_FX_MULT        ; no multiplier; a poke takes the cache's byte 0
        lda #$30                ; ADDR1: +4, its address comes from the filler
        sta VERA_ADDR_H
        stz base
        ldx #0
@next:  stx index
        lda colors, x
        ldx #(6 << 1)           ; DCSEL 6
        stx VERA_CTRL
        sta VERA_FX_CACHE_L
        sta VERA_FX_CACHE_M
        sta VERA_FX_CACHE_H
        sta VERA_FX_CACHE_U
        lda index
        asl
        asl
        sta first
        jsr polygon
        ldx index
        inx
        cpx #COLORS
        bne @next
        stp

; Fills `lines` lines. A group is what a cache write stores: four bytes, eight half bytes, 16 pixels.
fill:   lda #(5 << 1) | 1           ; DCSEL 5, ADDRSEL 1
        sta VERA_CTRL
line:   lda VERA_DATA1              ; both sides move on by half a line, and ADDR1 is at the left one
        lda VERA_FX_POLY_FILL_H     ; 7:1 the length in half bytes, 9:3
        cmp #$C0
        bcs @next                   ; less than 0: there is nothing between the sides
        lsr
        sta groups
        lda VERA_FX_POLY_FILL_L
        sta ends
        and #%01111110              ; the place in the group of eight where it begins, and the length's bits 2:0
        tax
        ldy place, x
        lsr ends
        bcc @even
        txa                         ; it begins with the right pixel of a half byte,
        and #%00001110
        ora groups
        beq @next                   ; unless the right end is in the same one
        lda byte, y
        sta VERA_ADDR_L             ; only bits 1:0 of the address change, and the poke is armed
        lda right_pixel, y
        sta VERA_DATA1              ; bits 7:6 say which of the byte's four pixels; the address stays
        iny
@even:  lda before, y
        sta mask
        lda end, x
        cmp #8
        bcc @same
        sbc #8                      ; it ends in the next group
        inc groups
@same:  tay
        lda mask
        ldx groups
        beq @last
@group: sta VERA_DATA1
        lda #0
        dex
        bne @group
@last:  sta mask                    ; ADDR1 is in the last group now
        bit ends                    ; what was bit 7 is bit 6
        bvc @whole
        lda byte, y                 ; it ends with the left pixel of a half byte
        sta VERA_ADDR_L
        lda left_pixel, y
        sta VERA_DATA1
@whole: lda mask
        ora from, y
        sta VERA_DATA1
@next:  lda VERA_DATA0              ; the other half, and ADDR0 goes to the next line
        dec lines
        bne line
filled: rts

; By FILL_L's bits 6:1: LOW and HIGH are bits 1:0 and bit 2 of the place in a group of eight where the line begins, REST is the length
; mod 8.
place:  .repeat 4, LOW
        .repeat 2, HIGH
        .repeat 8
        .byte HIGH * 4 + LOW, 0
        .endrepeat
        .endrepeat
        .endrepeat
end:    .repeat 4, LOW
        .repeat 2, HIGH
        .repeat 8, REST
        .byte HIGH * 4 + LOW + REST, 0
        .endrepeat
        .endrepeat
        .endrepeat
; By the place in a group of eight: masks, the byte, and its pixels. In a mask, bit 1 is the first half byte and bit 0 the second.
before: .byte $00, $02, $03, $0B, $0F, $2F, $3F, $BF, $FF
from:   .byte $FF, $FD, $FC, $F4, $F0, $D0, $C0, $40
byte:   .byte 0, 0, 1, 1, 2, 2, 3, 3
left_pixel:
        .byte 0 << 6, 2 << 6, 0 << 6, 2 << 6, 0 << 6, 2 << 6, 0 << 6, 2 << 6
right_pixel:
        .byte 1 << 6, 3 << 6, 1 << 6, 3 << 6, 1 << 6, 3 << 6, 1 << 6, 3 << 6

        .include "screen.inc"

; Where the lines begin.
row_low:
        .repeat 240, I
        .byte <(I * 80 + LEFT / 4)
        .endrepeat
row_middle:
        .repeat 240, I
        .byte >(I * 80 + LEFT / 4)
        .endrepeat

; The corners, and the triangles made of them: against the clock, the last one twice.
screen_x:
        .byte 128, 10, 245, 128, 247, 8, 128, 70, 187, 3, 60, 3, 253, 253, 196
screen_y:
        .byte 5, 176, 179, 236, 62, 65, 92, 141, 144, 12, 20, 228, 231, 9, 220
corners:
        .byte 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 11, 10, 10, 12, 13, 14, 14
; Four pixels of a colour are a byte.
colors: .byte %01010101, %10101010, %00000000, %11111111, %11111111
COLORS = * - colors

; Four colours: green and blue in the first byte, red in the second.
palette:
        .byte $23, $01, $83, $0F, $BD, $03, $D4, $0F
PALETTE = * - palette

        .include "polygon.inc"
