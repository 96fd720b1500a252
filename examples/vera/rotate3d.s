; rotate3d.s: a turning torus of points by the multiplier and the accumulator
;
; To turn a point one multiplies its three coordinates by nine numbers and adds the products, three by three. A 65C02 has no
; multiplication: 16 × 16 bits take it hundreds of cycles. VERA's takes none. What costs is to bring the numbers there and back, so
; this program never waits for a single result: it multiplies and adds for all points first, lets each sum go to video memory
; where it is computed, and then reads the upper halves of all sums in a row.
;
; Look at `component`: two products are accumulated, the third is only stored, since a store adds the accumulator anyway. And
; look at `place`: 16-bit hop makes DATA1 read bytes 2 and 3 of each sum, and pass over the other two.
;
;       gpuzoo render examples/vera/rotate3d.s --frame 60 -o rotate3d.png
;       gpuzoo render examples/vera/rotate3d.s --frames 240 -o rotate3d.gif
;
; The page gpus/vera/docs/multiplier.md walks through it.

POINTS  = 192
SCRATCH = $1F000                ; four bytes for a single product,
SUMS    = $1E000                ; and 192 × 3 sums of four bytes each

turn      = $22                 ; three angles: 0, and the two that grow
axes_low  = $25                 ; where the axes of the torus point: x y z of x, of y, of z
axes_high = $2E
result    = $37
part      = $3A
x_at      = $3B

new_low    = $4000              ; for each point: its address in the picture, bits 7:0
new_middle = $4100              ; and 15:8
new_color  = $4200
old_low    = $4300              ; what is on the screen now
old_middle = $4400

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA; WAI wakes nevertheless
        jsr screen
        lda #0                  ; at $00000
        ldx #240                ; lines
        jsr clear
        ldx #0
@none:  stz old_low, x
        stz old_middle, x
        inx
        bne @none
        stz turn
        lda #9
        sta turn + 1
        lda #28
        sta turn + 2
        lda #1                  ; VSYNC
        sta VERA_IEN
frame:  jsr axes                ; where the axes point; 4096 is 1.0,
        ldx #8
@more:  asl axes_low, x         ; and now 16384
        rol axes_high, x
        asl axes_low, x
        rol axes_high, x
        dex
        bpl @more
        jsr sums
        jsr place
ready:  lda #1                  ; waits for the end of the picture on the screen
        sta VERA_ISR
@wait:  wai
        lda VERA_ISR
        and #1
        beq @wait
draw:   jsr plot                ; 15,000 cycles; the beam is back at the highest point after 31,000
drawn:  inc turn + 1
        inc turn + 2
        inc turn + 2
        bra frame

; A sum: the point Y times a row of the matrix. A coordinate is the upper byte of its factor, so the sum is in 1/2^22 pixel.
        .macro component row
        lda VERA_FX_ACCUM_RESET     ; the sum begins at 0: nothing but this resets it
        lda point_x, y
        sta VERA_FX_CACHE_M
        lda axes_low + row
        sta VERA_FX_CACHE_H
        lda axes_high + row
        sta VERA_FX_CACHE_U
        lda VERA_FX_ACCUM           ; accumulator = accumulator + product
        lda point_y, y
        sta VERA_FX_CACHE_M
        lda axes_low + row + 3
        sta VERA_FX_CACHE_H
        lda axes_high + row + 3
        sta VERA_FX_CACHE_U
        lda VERA_FX_ACCUM
        lda point_z, y
        sta VERA_FX_CACHE_M
        lda axes_low + row + 6
        sta VERA_FX_CACHE_H
        lda axes_high + row + 6
        sta VERA_FX_CACHE_U
        stz VERA_DATA0              ; stores accumulator + product, four bytes, and goes on to the next four
        .endmacro

; All sums. `axes` has left the multiplier on, and cache writes.
sums:   stz VERA_ADDR_L         ; ADDR0: SUMS, increment 4
        lda #>(SUMS & $FFFF)
        sta VERA_ADDR_M
        lda #$31
        sta VERA_ADDR_H
        lda #(6 << 1)           ; DCSEL 6
        sta VERA_CTRL
        stz VERA_FX_CACHE_L
        ldy #POINTS - 1
@point: component 0
        component 1
        component 2
        dey
        cpy #$FF
        beq summed
        jmp @point
summed: rts

; Reads the sums and finds each point's address and colour.
place:  lda #(2 << 1) | 1       ; DCSEL 2, ADDRSEL 1
        sta VERA_CTRL
        lda #%00001000          ; 16-bit hop; no cache writes any more
        sta VERA_FX_CTRL
        lda #<SUMS + 2          ; the upper half of the first sum. With hop on, this write also says where the hops are:
        sta VERA_ADDR_L         ; at addresses that end in the same two bits the step is +1, else +3
        lda #>(SUMS & $FFFF)
        sta VERA_ADDR_M
        lda #$31                ; +4, the increment that hops
        sta VERA_ADDR_H
        ldx #POINTS - 1
@point: jsr pixel
        clc
        adc #160
        sta x_at
        jsr pixel
        eor #$FF                ; y grows upwards in space and downwards on the screen: 120 - y
        sec
        adc #120
        tay
        clc
        lda row_low, y
        adc x_at
        sta new_low, x
        lda row_middle, y
        adc #0
        sta new_middle, x
        jsr pixel               ; z, -82 to 82
        clc
        adc #96
        lsr
        lsr
        lsr
        lsr                     ; 0 to 11: how near
        inc
        sta new_color, x
        dex
        cpx #$FF
        bne @point
placed: rts

; The upper half of a sum, divided by 64.
pixel:  lda VERA_DATA1
        sta part
        lda VERA_DATA1
        asl part
        rol
        asl part
        rol
        rts

; Takes the old points off the screen and puts the new ones there.
plot:   lda #(2 << 1)           ; DCSEL 2, ADDRSEL 0
        sta VERA_CTRL
        stz VERA_FX_CTRL        ; no FX
        lda #$10                ; ADDR0: +1, for a point is two pixels wide
        sta VERA_ADDR_H
        ldx #POINTS
@off:   lda old_low - 1, x
        sta VERA_ADDR_L
        lda old_middle - 1, x
        sta VERA_ADDR_M
        stz VERA_DATA0
        stz VERA_DATA0
        dex
        bne @off
        ldx #POINTS
@on:    lda new_low - 1, x
        sta VERA_ADDR_L
        sta old_low - 1, x
        lda new_middle - 1, x
        sta VERA_ADDR_M
        sta old_middle - 1, x
        lda new_color - 1, x
        sta VERA_DATA0
        sta VERA_DATA0
        dex
        bne @on
plotted:
        rts

        .include "screen.inc"

; Where the lines begin: up to 204 they are below $10000.
row_low:
        .repeat 204, I
        .byte <(I * 320)
        .endrepeat
row_middle:
        .repeat 204, I
        .byte >(I * 320)
        .endrepeat

; Black, and twelve colours from far to near: green and blue in the first byte, red in the second.
palette:
        .byte $00, $00
        .byte $14, $01, $26, $01, $38, $01, $4A, $01, $6C, $01, $8E, $02
        .byte $AF, $04, $CF, $07, $EF, $0A, $FE, $0C, $FC, $0E, $FF, $0F
PALETTE = * - palette

        .include "torus.inc"
        .include "rotation.inc"
        .include "sine.inc"
