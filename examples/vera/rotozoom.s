; rotozoom.s: a turning, zooming plane of tiles by the affine helper
;
; To turn a picture one walks along each line of the screen and takes from the picture what lies under a slanted line: x and y are
; fractions that grow at each pixel, and each pair becomes an address, by way of a tile map even two. The helper does
; all of it: a read of DATA1 returns the texel under (X, Y) and moves both on. And since each read also goes into the cache,
; a pixel costs one LDA, and four pixels one store.
;
; Look at the seams: there are none, for the fractions start anew on each line from sums that the 65C02 keeps.
;
;       gpuzoo render examples/vera/rotozoom.s --frame 60 -o rotozoom.png
;       gpuzoo render examples/vera/rotozoom.s --frames 255 -o rotozoom.gif
;
; VERA needs up to four cycles for a look-up in map and tile. LDA and STZ with absolute addresses take just that, one after the
; other, so this program never reads too soon. The page gpus/vera/docs/affine.md walks through it.

WIDTH   = 160                   ; what is seen; a line has 320 bytes, of which the right half is not shown
HEIGHT  = 120
SECOND  = $10000                ; the second picture; the first is at $00000
MAP     = $09800                ; 32 × 32 bytes: which tile is where
TILES   = $0A000                ; 4 × 64 bytes: 8 × 8 texels of 8 bits
SCRATCH = $0A100                ; four bytes for the multiplier's result

picture = $22                   ; 0 or 1: the one that is drawn
angle   = $23
phase   = $24                   ; of the zoom
cosine  = $25                   ; steps in the plane for a step on the screen to the right, in 1/256 texel:
sine    = $27                   ; (cosine, sine); and for a step down: (-sine, cosine)
plane_x = $29                   ; where the line begins in the plane
plane_y = $2B
row     = $2D                   ; where it begins in the picture
lines   = $2F
zoom    = $30                   ; times 4, in 1/256 texel for a pixel

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA; WAI wakes nevertheless
        lda #%00000111          ; bitmap, 8 bits per pixel
        ldx #32                 ; a quarter of a pixel for each pixel of the screen
        ldy tile_base + 1       ; the first picture is drawn while the second is shown
        jsr bitmap
        jsr plane
        stz picture
        stz angle
        stz phase
        lda #1                  ; VSYNC
        sta VERA_IEN
frame:  jsr steps
        jsr corner
        jsr draw
shown:  lda #1                  ; waits for the end of the picture on the screen
        sta VERA_ISR
@wait:  wai
        lda VERA_ISR
        and #1
        beq @wait
        ldx picture
        lda tile_base, x
        sta VERA_L0_TILEBASE
        txa
        eor #1
        sta picture
        inc angle
        inc phase
        inc phase
        bra frame

; cosine and sine times the zoom, by the multiplier: sin × 16384 times zoom × 4 gives sin × zoom × 65536, whose upper half is the
; number in 1/256. The zoom goes from 0.25 to 1.75 texels for a pixel.
steps:  lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        lda #%01000000          ; cache writes
        sta VERA_FX_CTRL
        lda #%00010000          ; of the multiplier's result
        sta VERA_FX_MULT
        lda #(6 << 1)           ; DCSEL 6
        sta VERA_CTRL
        lda VERA_FX_ACCUM_RESET
        stz VERA_ADDR_L         ; ADDR0: SCRATCH, increment 1
        lda #>SCRATCH
        sta VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        lda phase               ; zoom × 4 in 1/256: 1024 + 768 × sine
        clc
        adc #192
        tax
        lda sine_low, x
        sta VERA_FX_CACHE_L
        lda sine_high, x
        sta VERA_FX_CACHE_M
        stz VERA_FX_CACHE_H     ; 16384 × $0C00 / 65536 is 768
        lda #$0C
        sta VERA_FX_CACHE_U
        ldy #2
        jsr product
        sta zoom                ; -768 to 768
        tya
        clc
        adc #>1024
        sta zoom + 1
        lda angle
        clc
        adc #64
        jsr times_zoom
multiplied:
        sta cosine
        sty cosine + 1
        lda angle
        jsr times_zoom
        sta sine
        sty sine + 1
        rts

times_zoom:
        tax
        lda sine_low, x
        sta VERA_FX_CACHE_L
        lda sine_high, x
        sta VERA_FX_CACHE_M
        lda zoom
        sta VERA_FX_CACHE_H
        lda zoom + 1
        sta VERA_FX_CACHE_U
        ldy #2

; Two bytes of the multiplier's result, from the byte Y on: into A and Y.
product:
        stz VERA_ADDR_L
        stz VERA_DATA0          ; the mask 0: all four bytes
        sty VERA_ADDR_L
        lda VERA_DATA0
        ldy VERA_DATA0
        rts

; Where the upper left corner of the screen is in the plane, if its middle is at (128, 128): each coordinate is a sum of two products,
; which the accumulator keeps.
corner: ldx #sine               ; x = 128 - 80 × cosine + 60 × sine
        lda #60
        jsr add
        ldx #cosine
        lda #<-80
        jsr add_last
        sta plane_x
        tya
        clc
        adc #128
        sta plane_x + 1
        lda VERA_FX_ACCUM_RESET
        ldx #cosine             ; y = 128 - 80 × sine - 60 × cosine
        lda #<-60
        jsr add
        ldx #sine
        lda #<-80
        jsr add_last
        sta plane_y
        tya
        clc
        adc #128
        sta plane_y + 1
        rts

add:    jsr factors
        lda VERA_FX_ACCUM       ; accumulator + product becomes the accumulator
        rts
add_last:
        jsr factors
        ldy #0                  ; accumulator + product is stored
        bra product

; The factors: the signed byte A, and the word at X.
factors:
        sta VERA_FX_CACHE_L
        asl                     ; the sign fills the upper byte
        lda #0
        bcc @positive
        dec
@positive:
        sta VERA_FX_CACHE_M
        lda 0, x
        sta VERA_FX_CACHE_H
        lda 1, x
        sta VERA_FX_CACHE_U
        rts

; The picture, line by line.
draw:   lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        stz VERA_FX_MULT        ; multiplier off, and the cache's index is 0
        lda #%01100011          ; cache writes, cache fills, affine
        sta VERA_FX_CTRL
        lda #(TILES >> 9) & %11111100
        sta VERA_FX_TILEBASE    ; outside the map it begins again: no clip
        lda #((MAP >> 9) & %11111100) | 2
        sta VERA_FX_MAPBASE     ; 2: 32 × 32 tiles
        lda #(3 << 1)           ; DCSEL 3: increments in 1/512, so twice ours
        sta VERA_CTRL
        lda cosine
        asl
        sta VERA_FX_X_INCR_L
        lda cosine + 1
        rol
        and #$7F                ; bit 7 would mean "times 32"
        sta VERA_FX_X_INCR_H
        lda sine
        asl
        sta VERA_FX_Y_INCR_L
        lda sine + 1
        rol
        and #$7F
        sta VERA_FX_Y_INCR_H
        stz row
        stz row + 1
        lda #HEIGHT
        sta lines
line:   lda #(5 << 1)           ; DCSEL 5, ADDRSEL 0
        sta VERA_CTRL
        lda plane_x
        sta VERA_FX_X_POS_S     ; the fractions first: they do not look up
        lda plane_y
        sta VERA_FX_Y_POS_S
        lda #(4 << 1)           ; DCSEL 4
        sta VERA_CTRL
        lda plane_x + 1
        sta VERA_FX_X_POS_L
        stz VERA_FX_X_POS_H
        lda plane_y + 1
        sta VERA_FX_Y_POS_L
        stz VERA_FX_Y_POS_H
        lda row
        sta VERA_ADDR_L
        lda row + 1
        sta VERA_ADDR_M
        lda picture             ; address bit 16 is the number of the picture
        ora #$30                ; +4
        sta VERA_ADDR_H
        ldx #WIDTH / 16
pixels: .repeat 4               ; 16 pixels: 85 cycles
        lda VERA_DATA1          ; four texels into the cache
        lda VERA_DATA1
        lda VERA_DATA1
        lda VERA_DATA1
        stz VERA_DATA0          ; and out of it
        .endrepeat
        dex
        bne pixels
pixels_end:
        sec                     ; a line further down: (-sine, cosine)
        lda plane_x
        sbc sine
        sta plane_x
        lda plane_x + 1
        sbc sine + 1
        sta plane_x + 1
        clc
        lda plane_y
        adc cosine
        sta plane_y
        lda plane_y + 1
        adc cosine + 1
        sta plane_y + 1
        clc
        lda row
        adc #<320
        sta row
        lda row + 1
        adc #>320
        sta row + 1
line_end:
        dec lines
        beq drawn
        jmp line                ; too far for a branch
drawn:  rts

; Map and tiles. The map is a board of 2 × 2 tiles each: x and y say which of the four.
plane:  lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        stz VERA_FX_CTRL        ; no FX
        stz VERA_CTRL
        stz VERA_ADDR_L
        lda #>MAP
        sta VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        ldy #0
@row:   ldx #0
@tile:  stx row
        tya
        eor row                 ; hearts and trees where x + y is even, the plain ones elsewhere
        and #1
        sta lines
        tya
        and #2
        beq @even
        lda #1
@even:  eor lines
        asl
        ora lines
        sta VERA_DATA0
        inx
        cpx #32
        bne @tile
        iny
        cpy #32
        bne @row
        stz VERA_ADDR_L
        lda #>TILES
        sta VERA_ADDR_M
        ldx #0
@texel: lda tiles, x
        sta VERA_DATA0
        inx
        bne @texel
        rts

        .include "screen.inc"

tile_base:
        .byte 0, SECOND >> 9

tiles:  .byte 1, 1, 1, 1, 1, 1, 1, 1    ; a heart
        .byte 1, 4, 4, 1, 1, 5, 5, 1
        .byte 4, 4, 4, 4, 5, 5, 5, 5
        .byte 4, 4, 4, 4, 5, 5, 5, 5
        .byte 4, 4, 4, 5, 5, 5, 5, 5
        .byte 1, 4, 4, 5, 5, 5, 5, 1
        .byte 1, 1, 4, 5, 5, 5, 1, 1
        .byte 1, 1, 1, 5, 5, 1, 1, 1
        .byte 2, 2, 2, 2, 2, 2, 2, 2    ; a frame
        .byte 2, 3, 3, 3, 3, 3, 3, 2
        .byte 2, 3, 3, 3, 3, 3, 3, 2
        .byte 2, 3, 3, 2, 2, 3, 3, 2
        .byte 2, 3, 3, 2, 2, 3, 3, 2
        .byte 2, 3, 3, 3, 3, 3, 3, 2
        .byte 2, 3, 3, 3, 3, 3, 3, 2
        .byte 2, 2, 2, 2, 2, 2, 2, 2
        .byte 1, 1, 1, 6, 6, 1, 1, 1    ; a tree
        .byte 1, 1, 6, 6, 7, 7, 1, 1
        .byte 1, 6, 6, 6, 7, 7, 7, 1
        .byte 6, 6, 6, 6, 7, 7, 7, 7
        .byte 6, 6, 6, 6, 7, 7, 7, 7
        .byte 1, 6, 6, 6, 7, 7, 7, 1
        .byte 1, 1, 1, 6, 7, 1, 1, 1
        .byte 1, 1, 1, 8, 8, 1, 1, 1
        .byte 3, 3, 3, 3, 3, 3, 3, 3    ; the frame the other way
        .byte 3, 2, 2, 2, 2, 2, 2, 3
        .byte 3, 2, 2, 2, 2, 2, 2, 3
        .byte 3, 2, 2, 3, 3, 2, 2, 3
        .byte 3, 2, 2, 3, 3, 2, 2, 3
        .byte 3, 2, 2, 2, 2, 2, 2, 3
        .byte 3, 2, 2, 2, 2, 2, 2, 3
        .byte 3, 3, 3, 3, 3, 3, 3, 3

; Colours 0 to 8: green and blue in the first byte, red in the second.
palette:
        .byte $00, $00, $DC, $0F, $35, $02, $58, $03, $24, $0D, $12, $0A, $B3, $03, $82, $02, $41, $06
PALETTE = * - palette

        .include "sine.inc"
