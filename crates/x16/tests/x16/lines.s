; Fills a bitmap of 320 x 240 with a colour by 32-bit cache writes, then draws a diagonal with the line helper.
; lines.prg was made from this file by Debian's cc65 2.19:
;     cl65 -t cx16 -C cx16-asm.cfg -u __EXEHDR__ -o lines.prg lines.s
; It starts with the BASIC line "SYS 2061" that the linker puts there, and ends with RTS.

        .pc02

ADDR_L   = $9F20
ADDR_M   = $9F21
ADDR_H   = $9F22
DATA0    = $9F23
DATA1    = $9F24
CTRL     = $9F25
DC_VIDEO = $9F29
CHROUT   = $FFD2

        .segment "ONCE"
        .segment "CODE"
start:
        lda     #$80            ; SCREEN_MODE $80: bitmap of 320 x 240, 8 bpp, at 0
        clc
        jsr     $FF5F
        bcc     :+
        stp
:
        ; the cache: four pixels of colour 6
        lda     #(6 << 1)
        sta     CTRL
        lda     #6
        sta     $9F29
        sta     $9F2A
        sta     $9F2B
        sta     $9F2C
        lda     #(2 << 1)
        sta     CTRL
        lda     #%01000000      ; FX_CTRL: cache write
        sta     $9F29
        stz     ADDR_L
        stz     ADDR_M
        lda     #$30            ; increment 4
        sta     ADDR_H
        ldy     #75             ; 75 * 256 * 4 bytes = 320 * 240
rows:   ldx     #0
words:  stz     DATA0           ; no nibble is masked
        inx
        bne     words
        dey
        bne     rows

        ; the line: ADDR1 steps by 1, ADDR0 by 320; the slope is 1
        lda     #%00000001      ; FX_CTRL: line mode, no cache
        sta     $9F29
        lda     #$E0            ; ADDR0: increment 320
        sta     ADDR_H
        lda     #(2 << 1) | 1   ; ADDR1
        sta     CTRL
        stz     ADDR_L
        stz     ADDR_M
        lda     #$10
        sta     ADDR_H
        lda     #(3 << 1)
        sta     CTRL
        lda     #<$0200         ; 1.0
        sta     $9F29
        lda     #>$0200
        sta     $9F2A
        lda     #1
        ldx     #200
dots:   sta     DATA1
        dex
        bne     dots

        lda     #(2 << 1)
        sta     CTRL
        stz     $9F29
        stz     CTRL

        ldx     #0
text:   lda     message,x
        beq     done
        jsr     CHROUT
        inx
        bra     text
done:   rts

        .segment "RODATA"
message: .byte  "done", $0D, 0
