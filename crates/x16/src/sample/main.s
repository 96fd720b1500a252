; A first program for VERA: a bitmap of 320 × 240 pixels, each with a colour of its own.

row    = $22                    ; the zero page from $22 on belongs to the program
column = $23

        .org $0801
        .word next, 10          ; a line of BASIC that starts the program: 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; the KERNAL's interrupt handler stays away from VERA
        stz VERA_CTRL           ; DCSEL 0: the registers of the display
        lda #%00000111          ; layer 0 is a bitmap of 8 bits per pixel
        sta VERA_L0_CONFIG
        stz VERA_L0_TILEBASE    ; it begins at $00000 and is 320 wide
        stz VERA_L0_HSCROLL_H   ; no palette offset
        lda #64                 ; half a pixel for each pixel of the screen
        sta VERA_DC_HSCALE
        sta VERA_DC_VSCALE
        lda #%00010001          ; show layer 0, on VGA
        sta VERA_DC_VIDEO

        stz VERA_ADDR_L         ; where DATA0 writes
        stz VERA_ADDR_M
        lda #%00010000          ; one further after each
        sta VERA_ADDR_H

        stz row
line:   stz column
        ldx #160                ; two pixels each
pixel:  lda column
        eor row                 ; the colour's number in VERA's palette
        sta VERA_DATA0
        sta VERA_DATA0
        inc column
        dex
        bne pixel
        inc row
        lda row
        cmp #240
        bne line
        rts
