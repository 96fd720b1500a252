; p02_zeropage.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p02_zeropage.prg p02_zeropage.s
VERA_ADDR_L = $9f20
VERA_ADDR_M = $9f21
VERA_ADDR_H = $9f22
VERA_DATA0  = $9f23
.zeropage
pointer: .res 2
count:   .res 1
.bss
buffer:  .res 256
last:    .res 2
.code
main:   lda #<table
        sta pointer
        lda #>table
        sta pointer+1
        lda #table_end-table
        sta count
        stz VERA_ADDR_L
        stz VERA_ADDR_M
        lda #$10
        sta VERA_ADDR_H
        ldy #0
@copy:  lda (pointer),y
        sta VERA_DATA0
        sta buffer,y
        iny
        cpy count
        bne @copy
        sty last
        lda (pointer)
        sta last+1
        rts
.rodata
table:  .byte 1, 2, 3, 4, %10101010, 'x'
table_end:
.data
state:  .word main, table, buffer, last
