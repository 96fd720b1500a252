; lines.s: lines in every direction by the line helper
;
; The 65C02 draws a line by Bresenham's rule: for each pixel it adds to an error, compares, and moves a pointer along one axis or
; along two. The helper does that inside VERA: the program says once where the line starts and how steep it is, and then
; only stores the colour, once for each pixel.
;
; Look at `direction`: there are no eight cases for the eight octants. The longer of the two distances decides which step is
; always taken (ADDR1's), and the shorter one is sometimes taken (ADDR0's).
;
;       gpuzoo render examples/vera/lines.s -o lines.png
;       gpuzoo check --run examples/vera/lines.s
;
; The page gpus/vera/docs/lines.md walks through it.

MIDDLE_X = 160
MIDDLE_Y = 120
MIDDLE   = MIDDLE_Y * 320 + MIDDLE_X    ; where every line starts

RIGHT = $10                     ; increments as ADDRx_H has them: +1,
LEFT  = $18                     ; -1 (bit 3 subtracts),
DOWN  = $E0                     ; +320,
UP    = $E8                     ; -320

; The zero page from $22 on belongs to the program.
long      = $22                 ; the longer distance in pixels
short     = $23                 ; the shorter one
always    = $24                 ; the step along the longer
sometimes = $25                 ; the step along the shorter
slope     = $26                 ; short / long in 1/512, two bytes
index     = $28                 ; the line's number
color     = $29

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA
        jsr screen
        lda #0                  ; at $00000
        ldx #240                ; lines
        jsr clear
        lda #(2 << 1)           ; DCSEL 2
        sta VERA_CTRL
        lda #%00000001          ; ADDR1 mode 1: the line helper, and nothing else
        sta VERA_FX_CTRL
        ldx #0
@line:  stx index
        txa
        lsr                     ; four lines have a colour
        lsr
        inc
        sta color
        jsr direction
        jsr divide
        jsr draw
        ldx index
        inx
        cpx #ENDS
        bne @line
        stz VERA_CTRL
        stp                     ; VERA goes on showing what is there

; From the middle to the end with the number X: both distances, and which step is which.
direction:
        lda #RIGHT
        sta always
        sec
        lda ends_x_low, x
        sbc #MIDDLE_X
        tay
        lda ends_x_high, x
        sbc #0
        bcs @dx                 ; the end is not left of the middle
        lda #LEFT
        sta always
        tya                     ; -160 to -1: its negative fits a byte
        eor #$FF
        inc
        tay
@dx:    sty long
        lda #DOWN
        sta sometimes
        sec
        lda ends_y, x
        sbc #MIDDLE_Y
        bcs @dy
        eor #$FF
        inc
        ldy #UP
        sty sometimes
@dy:    sta short
        cmp long
        bcc @done
        ldx long                ; steep: the two change places
        sta long
        stx short
        ldx always
        ldy sometimes
        sty always
        stx sometimes
@done:  rts

; slope = short / long, a bit of the integer and nine of the fraction: 512 is 1.0.
divide: stz slope
        stz slope + 1
        lda short
        ldx #10
        bra @compare
@bit:   asl
        bcs @one
@compare:
        cmp long
        bcc @zero
@one:   sbc long
        sec
@zero:  rol slope
        rol slope + 1
        dex
        bne @bit
        rts

; The helper's turn.
draw:   stz VERA_CTRL           ; ADDRSEL 0: of ADDR0 only the increment counts
        lda sometimes
        sta VERA_ADDR_H
        lda #(3 << 1) | 1       ; DCSEL 3, ADDRSEL 1
        sta VERA_CTRL
        lda #<MIDDLE
        sta VERA_ADDR_L
        lda #>MIDDLE
        sta VERA_ADDR_M
        lda always
        sta VERA_ADDR_H
        lda slope
        sta VERA_FX_X_INCR_L
        lda slope + 1
        sta VERA_FX_X_INCR_H    ; this one also sets the position to half a pixel, so it comes last
        lda color
        ldx long
        sta VERA_DATA1          ; both ends belong to the line: one pixel more than the distance
pixel:  sta VERA_DATA1
        dex
        bne pixel
drawn:  rts

        .include "screen.inc"

; The ends: clockwise along the border of the screen, 20 pixels apart.
ends_x_low:
        .repeat 16, I
        .byte <(I * 20)
        .endrepeat
        .repeat 12
        .byte <319
        .endrepeat
        .repeat 16, I
        .byte <(319 - I * 20)
        .endrepeat
        .repeat 12
        .byte 0
        .endrepeat
ends_x_high:
        .repeat 16, I
        .byte >(I * 20)
        .endrepeat
        .repeat 12
        .byte >319
        .endrepeat
        .repeat 16, I
        .byte >(319 - I * 20)
        .endrepeat
        .repeat 12
        .byte 0
        .endrepeat
ends_y: .repeat 16
        .byte 0
        .endrepeat
        .repeat 12, I
        .byte I * 20
        .endrepeat
        .repeat 16
        .byte 239
        .endrepeat
        .repeat 12, I
        .byte 239 - I * 20
        .endrepeat
ENDS = * - ends_y

; Black, and 14 hues: green and blue in the first byte, red in the second.
palette:
        .byte $00, $00
        .byte $44, $0F, $94, $0F, $D4, $0F, $F4, $0C, $F4, $07, $F5, $04, $FA, $04
        .byte $FF, $04, $AF, $04, $5F, $04, $4F, $07, $4F, $0C, $4D, $0F, $49, $0F
PALETTE = * - palette
