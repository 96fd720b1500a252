; A typical mix for the speed test: FX rows with 32-bit cache writes, table look-ups, 16-bit sums, subroutines. It never ends.
; mix.prg was made from this file by Debian's cc65 2.19:
;     cl65 -t cx16 -C cx16-asm.cfg -u __EXEHDR__ -o mix.prg mix.s
        .pc02
        .segment "CODE"
ptr = $22
sum = $24
        lda #2<<1
        sta $9f25
        lda #$40
        sta $9f29
        lda #<table
        sta ptr
        lda #>table
        sta ptr+1
        ldx #0
build:  txa
        sta table,x
        inx
        bne build
frame:  stz $9f20
        stz $9f21
        lda #$30
        sta $9f22
        ldx #240
row:    jsr colour
        ldy #10
words:  stz $9f23
        stz $9f23
        stz $9f23
        stz $9f23
        stz $9f23
        stz $9f23
        stz $9f23
        stz $9f23
        dey
        bne words
        jsr compute
        dex
        bne row
        inc sum+2
        bra frame
colour: lda #6<<1
        sta $9f25
        txa
        clc
        adc sum+2
        sta $9f29
        sta $9f2a
        sta $9f2b
        sta $9f2c
        lda #2<<1
        sta $9f25
        rts
compute: ldy #31
@loop:  lda (ptr),y
        eor table,x
        clc
        adc sum
        sta sum
        lda sum+1
        adc #0
        sta sum+1
        asl a
        ror sum
        phy
        tay
        lda table,y
        ply
        cmp sum
        bcc @skip
        inc sum+1
@skip:  dey
        bpl @loop
        rts
        .segment "BSS"
table:  .res 256
