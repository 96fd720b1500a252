; p01_hello.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -o p01_hello.prg p01_hello.s
CHROUT = $ffd2
.segment "STARTUP"
.segment "INIT"
.segment "ONCE"
.segment "CODE"
        jmp start
msg:    .byte "HELLO, WORLD", 13, 0
start:  ldx #0
@loop:  lda msg,x
        beq @done
        jsr CHROUT
        inx
        bne @loop
@done:  rts
