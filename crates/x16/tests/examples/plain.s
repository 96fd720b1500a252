; What the examples do, done without FX: what a programmer of the 65C02 would write. The pages in docs compare with these, and
; costs.rs counts their cycles.

DOWN    = $E0
major   = $22
minor   = $23
error   = $24
address = $25                   ; three bytes
color   = $28
left    = $29                   ; 8.8
right   = $2B
left_step  = $2D
right_step = $2F
lines   = $31
x_at    = $32                   ; 8.8
y_at    = $34
x_step  = $36
y_step  = $38
factor  = $3A                   ; two bytes
other   = $3C
product = $3E                   ; four bytes
tile    = $42
texel   = $44
sign    = $46

; A line to the right and down, at most 45°: Bresenham's rule. The port steps to the right itself; a step down is an addition to its
; address, which the program keeps.
line:   stz VERA_CTRL
        lda #160
        sta major
        lda #100
        sta minor
        lsr major
        lda major
        sta error
        asl major
        stz address
        stz address + 1
        lda #$10
        sta address + 2
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        sta VERA_ADDR_H
        ldx major
        ldy #7
line_pixel:
        sty VERA_DATA0
        inc address             ; what the port does, too
        bne @error
        inc address + 1
@error: sec
        lda error
        sbc minor
        bcs @same
        adc major
        sta error
        clc
        lda address
        adc #<320
        sta address
        sta VERA_ADDR_L
        lda address + 1
        adc #>320
        sta address + 1
        sta VERA_ADDR_M
        bcc @next
        lda address + 2
        inc
        sta address + 2
        sta VERA_ADDR_H
@next:  dex
        bne line_pixel
        bra line_end
@same:  sta error
        dex
        bne line_pixel
line_end:
        rts

; A part of a polygon: 100 lines of 80 pixels, both sides slanted.
polygon:
        stz VERA_CTRL
        lda #20
        sta left + 1
        lda #100
        sta right + 1
        stz left
        stz right
        lda #128
        sta left_step
        sta right_step
        stz left_step + 1
        stz right_step + 1
        stz address
        stz address + 1
        lda #100
        sta lines
polygon_line:
        clc
        lda address
        adc left + 1
        sta VERA_ADDR_L
        lda address + 1
        adc #0
        sta VERA_ADDR_M
        lda #$10
        adc #0
        sta VERA_ADDR_H
        sec
        lda right + 1
        sbc left + 1
        beq @none
        bcc @none
        asl                     ; twice the length: a word for each
        tax
        bcs @long
        lda #7
        jmp (pixels,x)
@long:  lda #7
        jmp (pixels + 256,x)
@none:
polygon_next:
        clc
        lda left
        adc left_step
        sta left
        lda left + 1
        adc left_step + 1
        sta left + 1
        clc
        lda right
        adc right_step
        sta right
        lda right + 1
        adc right_step + 1
        sta right + 1
        clc
        lda address
        adc #<320
        sta address
        lda address + 1
        adc #>320
        sta address + 1
        dec lines
        beq polygon_end
        jmp polygon_line
polygon_end:
        rts
pixels: .repeat 256, I
        .word stores + (255 - I) * 3
        .endrepeat
stores: .repeat 255
        sta VERA_DATA0
        .endrepeat
        jmp polygon_next

; 9600 bytes of a colour, 16 in a turn.
fill:   stz VERA_CTRL
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        lda #7
        ldy #3
        ldx #600 - 512
fill_bytes:
        .repeat 16
        sta VERA_DATA0
        .endrepeat
        dex
        bne fill_bytes
        dey
        bne fill_bytes
fill_end:
        rts

; 160 pixels of a turned plane of 32 × 32 tiles, map and tiles in RAM: a line of the rotozoomer.
affine: stz VERA_CTRL
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        lda #200
        sta x_step
        sta y_step
        stz x_step + 1
        stz y_step + 1
        stz x_at
        stz x_at + 1
        stz y_at
        stz y_at + 1
        ldy #160
affine_pixel:
        lda y_at + 1            ; map + y / 8 × 32 + x / 8
        and #%11111000
        sta tile
        stz tile + 1
        asl tile
        rol tile + 1
        asl tile
        rol tile + 1
        lda x_at + 1
        lsr
        lsr
        lsr
        ora tile
        sta tile
        lda tile + 1
        ora #>map
        sta tile + 1
        lda (tile)              ; tiles + number × 64 + y mod 8 × 8 + x mod 8
        stz texel + 1
        asl
        asl
        asl
        rol texel + 1
        asl
        rol texel + 1
        asl
        rol texel + 1
        asl
        rol texel + 1
        sta texel
        lda y_at + 1
        and #7
        asl
        asl
        asl
        ora texel
        sta texel
        lda x_at + 1
        and #7
        ora texel
        sta texel
        lda texel + 1
        ora #>tiles
        sta texel + 1
        lda (texel)
        sta VERA_DATA0
        clc
        lda x_at
        adc x_step
        sta x_at
        lda x_at + 1
        adc x_step + 1
        sta x_at + 1
        clc
        lda y_at
        adc y_step
        sta y_at
        lda y_at + 1
        adc y_step + 1
        sta y_at + 1
        dey
        bne affine_pixel
affine_end:
        rts

; 16 pixels from one port to the other, zeros passed over; half of them are.
blit:   lda #1
        sta VERA_CTRL
        stz VERA_ADDR_L
        lda #$80
        sta VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        stz VERA_CTRL
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        sta VERA_ADDR_H
blit_line:
        .repeat 8
        lda VERA_DATA1
        beq :+
        sta VERA_DATA0
        bra :++
:       lda VERA_DATA0          ; only to step
:
        lda VERA_DATA1
        beq :+
        sta VERA_DATA0
        bra :++
:       lda VERA_DATA0
:
        .endrepeat
blit_end:
        rts

; product = factor × other, signed, 16 × 16 bits: shifts and additions.
multiply:
        lda #<-12345
        sta factor
        lda #>-12345
        sta factor + 1
        lda #<23456
        sta other
        lda #>23456
        sta other + 1
multiply_begin:
        lda factor + 1
        eor other + 1
        sta sign
        ldx #factor
        jsr positive
        ldx #other
        jsr positive
        stz product + 2
        stz product + 3
        ldx #16
@bit:   lsr factor + 1
        ror factor
        bcc @zero
        clc
        lda product + 2
        adc other
        sta product + 2
        lda product + 3
        adc other + 1
        sta product + 3
@zero:  ror product + 3
        ror product + 2
        ror product + 1
        ror product
        dex
        bne @bit
        bit sign
        bpl multiply_end
        sec
        ldx #0
        ldy #4
@minus: lda #0
        sbc product,x
        sta product,x
        inx
        dey
        bne @minus
multiply_end:
        rts
positive:
        lda 1,x
        bpl @done
        sec
        lda #0
        sbc 0,x
        sta 0,x
        lda #0
        sbc 1,x
        sta 1,x
@done:  rts

        .align 1024
map:    .res 1024
tiles:  .res 256
