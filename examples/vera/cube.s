; cube.s: a turning cube of filled faces by the polygon filler and cache writes
;
; To fill a polygon a 65C02 must find, for each line of the screen, where the left and the right side are, compute an address, and
; store pixels. The filler does the first two: it holds both sides as numbers with a fraction, moves them down a line with two
; reads, leaves the address of the left end in ADDR1, and shows how many pixels there are to the right end. The program
; only stores, here four pixels at a time.
;
; Look at the edges: two faces that share an edge start it at the same corner with the same slope, so they get the same
; numbers, and there is neither a gap nor a pixel that is drawn twice.
;
;       gpuzoo render examples/vera/cube.s --frame 40 -o cube.png
;       gpuzoo render examples/vera/cube.s --frames 240 -o cube.gif
;
; Two pictures of 320 × 192 pixels lie in video memory: one is shown, the other is drawn. The pages
; gpus/vera/docs/polygons.md and multiplier.md walk through it.

HEIGHT   = 192                      ; lines of a picture
SECOND   = $F800                    ; where the second picture lies
SCRATCH  = $1F400                   ; four bytes for the multiplier's result
LEFT     = 32                       ; the drawing is 256 columns wide, so that an x fits a byte
DISTANCE = 18432                    ; from the eye to the middle; an edge of the cube is 2 × 4096
FOCUS    = 220                      ; pixels that a thing as wide as its distance has
FACING   = 4096 * 4096 / DISTANCE   ; a face looks at the eye if the z of its normal is greater

picture   = $22                 ; 0 or 1: the one that is drawn
turn      = $23                 ; three angles: 0, and the two that grow
axes_low  = $26                 ; where the axes of the cube point: x y z of x, of y, of z; 4096 is their length
axes_high = $2F
x_low     = $38                 ; of a corner
x_high    = $39
y_low     = $3A
y_high    = $3B
z_low     = $3C
z_high    = $3D
corner    = $3E
result    = $41                 ; two bytes
screen_x  = $43                 ; eight bytes
screen_y  = $4B
face      = $53
first     = $55                 ; the face's first corner in `corners`
base      = $56                 ; bits 15:8 of the picture's address
lines     = $57                 ; how many `fill` draws
bits      = $58

TWO_BITS = 0
DOWN     = $E0                  ; +320 as ADDRx_H has it

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA; WAI wakes nevertheless
        jsr window
        lda #%00000111          ; bitmap, 8 bits per pixel
        ldx #64                 ; half a pixel for each pixel of the screen
        ldy tile_base + 1       ; the first picture is drawn while the second is shown
        jsr bitmap
        stz turn
        lda #20
        sta turn + 1
        lda #14
        sta turn + 2
        stz picture
        lda #1                  ; VSYNC
        sta VERA_IEN
frame:  ldx picture
        lda picture_middle, x   ; where it lies
        ldx #HEIGHT             ; lines
        jsr clear
        jsr axes
        jsr corners_to_screen
        jsr faces
shown:  jsr show
        inc turn + 1
        inc turn + 1
        inc turn + 2
        bra frame

; Waits for the end of the picture on the screen, then shows the one that was drawn.
show:   lda #1
        sta VERA_ISR
@wait:  wai
        lda VERA_ISR            ; any interrupt wakes
        and #1
        beq @wait
        ldx picture
        lda tile_base, x
        sta VERA_L0_TILEBASE
        txa
        eor #1
        sta picture
        rts

; Each corner is ±x ±y ±z: bits 0, 1 and 2 of its number say which.
corners_to_screen:
        lda #7
        sta corner
@corner:
        ldx #4                  ; z, y and x as words
        ldy #2
@sum:   stz x_low, x
        stz x_high, x
        lda corner
        sta bits
        phy
@axis:  lsr bits
        bcc @minus
        clc
        lda x_low, x
        adc axes_low, y
        sta x_low, x
        lda x_high, x
        adc axes_high, y
        bra @next
@minus: sec
        lda x_low, x
        sbc axes_low, y
        sta x_low, x
        lda x_high, x
        sbc axes_high, y
@next:  sta x_high, x
        iny
        iny
        iny
        cpy #9
        bcc @axis
        ply
        dex
        dex
        dey
        bpl @sum
        lda z_low               ; z / 64 + 128 is the index for the perspective
        asl
        rol z_high
        asl
        lda z_high
        rol
        eor #$80
        tax
        lda factor_low, x
        sta VERA_FX_CACHE_H
        lda factor_high, x
        sta VERA_FX_CACHE_U
        ldx corner
        lda x_low
        sta VERA_FX_CACHE_L
        lda x_high
        sta VERA_FX_CACHE_M
        jsr product
        clc
        lda result
        adc #128
        sta screen_x, x
        lda y_low
        sta VERA_FX_CACHE_L
        lda y_high
        sta VERA_FX_CACHE_M
        jsr product
        sec
        lda #HEIGHT / 2         ; y grows upwards in space and downwards on the screen
        sbc result
        sta screen_y, x
        dec corner
        bmi projected
        jmp @corner
projected:
        rts

; Draws the faces that look at the eye. For each axis that is the one at its end, or the one at its beginning, or none.
faces:  lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        stz VERA_FX_MULT        ; a cache write stores the cache again
        lda #%01000010          ; cache writes; ADDR1 mode 2, the polygon filler
        sta VERA_FX_CTRL
        lda #1                  ; ADDRSEL 1
        sta VERA_CTRL
        lda #$30                ; ADDR1: +4, its address comes from the filler
        sta VERA_ADDR_H
        ldx picture
        lda picture_middle, x
        sta base
        ldx #0
@axis:  lda axis_z, x
        tay
        lda axes_low, y
        sta result
        lda axes_high, y
        sta result + 1
        stx face                ; 0 to 2: the end of the axis
        bpl @positive
        txa
        clc
        adc #3                  ; 3 to 5: its beginning
        sta face
        sec
        lda #0
        sbc result
        sta result
        lda #0
        sbc result + 1
        sta result + 1
@positive:
        lda result
        cmp #<FACING
        lda result + 1
        sbc #>FACING
        bcc @next
        phx
        lda result + 1          ; 3 to 16: the brighter, the more it faces us
        asl
        asl
        asl
        asl
        bcc @shade
        lda #$F0
@shade: ora face
        jsr set_color
        lda face
        asl
        asl
        sta first
        jsr polygon
        plx
@next:  inx
        cpx #3
        bne @axis
        rts

; The colour A in all four bytes of the cache.
set_color:
        ldx #(6 << 1)           ; DCSEL 6
        stx VERA_CTRL
        sta VERA_FX_CACHE_L
        sta VERA_FX_CACHE_M
        sta VERA_FX_CACHE_H
        sta VERA_FX_CACHE_U
        rts

; Fills `lines` lines.
fill:   lda #(5 << 1)               ; DCSEL 5
        sta VERA_CTRL
line:   lda VERA_DATA1              ; both sides move on by half a line, and ADDR1 is at the left one
        ldx VERA_FX_POLY_FILL_L     ; bits 6:5 where in a group of four it begins, 4:1 the length's lower bits,
        bmi @long
        lda begin_short, x
        sta VERA_DATA1              ; the first group, with a mask
        ldy end, x
        lda groups_short, x
        bmi @next                   ; that was all
        tax
        jmp (groups, x)
@long:  lda VERA_FX_POLY_FILL_H     ; 7: it is 16 or more
        cmp #$C0
        bcs @next                   ; less than 0: there is nothing between the sides
        and #%11111100              ; the length / 16, times 4
        asl                         ; the groups of four in it, times 2, since `groups` has words
        adc groups_long - $80, x
        ldy begin - $80, x
        sty VERA_DATA1
        ldy end - $80, x
        tax
        jmp (groups, x)
@next:  lda VERA_DATA0              ; the other half, and ADDR0 goes to the next line
        dec lines
        bne line
        rts

; X / 2 groups of four with the mask 0, then a last one with the mask Y.
groups: .repeat 81, I
        .word whole + (80 - I) * 3
        .endrepeat
whole:  .repeat 80
        stz VERA_DATA1
        .endrepeat
        sty VERA_DATA1
        lda VERA_DATA0          ; as at `@next`
        dec lines
        beq filled
        jmp line
filled: rts

; What a line begins and ends with, by FILL_L without bit 7: AT is the place of its left end in a group of four (bits 6:5), REST
; the length mod 16 (bits 4:1), so that AT + REST is where the part after the sixteens ends. A mask keeps two bits for each byte.
begin:  .repeat 4, AT           ; keep what is before the left end
        .repeat 16
        .byte (1 << (2 * AT)) - 1, 0
        .endrepeat
        .endrepeat
end:    .repeat 4, AT           ; keep what is not before the right end
        .repeat 16, REST
        .byte <($FF << (2 * ((AT + REST) & 3))) | (((AT + REST) & 3) = 0) * $FF, 0
        .endrepeat
        .endrepeat
begin_short:                    ; both, if they are in one group
        .repeat 4, AT
        .repeat 16, REST
        .byte ((1 << (2 * AT)) - 1) | <($FF << (2 * ((AT + REST) & 3))) * (AT + REST < 4), 0
        .endrepeat
        .endrepeat
groups_short:                   ; the groups between them, times 2; $80: there is only one group
        .repeat 4, AT
        .repeat 16, REST
        .byte <((AT + REST) / 4 * 2 - 2 + 130 * (AT + REST <= 4)), 0
        .endrepeat
        .endrepeat
groups_long:
        .repeat 4, AT
        .repeat 16, REST
        .byte <((AT + REST) / 4 * 2 - 2), 0
        .endrepeat
        .endrepeat

        .include "polygon.inc"
        .include "rotation.inc"

; The screen shows 320 × 192 pixels in the middle, doubled.
window: lda #(1 << 1)           ; DCSEL 1: the window, 384 lines from line 48
        sta VERA_CTRL
        stz VERA_DC_HSTART
        lda #640 / 4
        sta VERA_DC_HSTOP
        lda #48 / 2
        sta VERA_DC_VSTART
        lda #(48 + 2 * HEIGHT) / 2
        sta VERA_DC_VSTOP
        stz VERA_CTRL           ; DCSEL 0
        stz VERA_DC_BORDER
        rts

        .include "screen.inc"

picture_middle:
        .byte 0, >SECOND
tile_base:
        .byte 0, SECOND >> 9

axis_z: .byte 2, 5, 8           ; their z

; The corners of each face, against the clock as seen from outside.
corners:
        .byte 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6
        .byte 0, 4, 6, 2, 0, 1, 5, 4, 0, 2, 3, 1

; FOCUS / (DISTANCE - z) × 65536, for z / 64 + 128.
factor_low:
        .repeat 256, I
        .byte <(FOCUS * 65536 / (DISTANCE - (I - 128) * 64))
        .endrepeat
factor_high:
        .repeat 256, I
        .byte >(FOCUS * 65536 / (DISTANCE - (I - 128) * 64))
        .endrepeat

; Where the lines begin.
row_low:
        .repeat HEIGHT, I
        .byte <(I * 320 + LEFT)
        .endrepeat
row_middle:
        .repeat HEIGHT, I
        .byte >(I * 320 + LEFT)
        .endrepeat

        .include "sine.inc"

; Sixteen shades of 16 colours, of which six are used: green and blue in the first byte, red in the second.
        .macro shade light, red, green, blue
        .byte (green * light / 15) << 4 | (blue * light / 15), red * light / 15
        .endmacro
palette:
        .repeat 16, I
        shade I, 15, 4, 3
        shade I, 4, 13, 5
        shade I, 5, 8, 15
        shade I, 15, 12, 2
        shade I, 12, 5, 15
        shade I, 3, 14, 14
        .res 20
        .endrepeat
PALETTE = * - palette
