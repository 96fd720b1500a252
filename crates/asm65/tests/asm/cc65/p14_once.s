; What plain cl65 makes of a program with a segment ONCE, and of bytes where there are none.
.segment "ZEROPAGE"
pointer: .addr $0000
flag:   .byte 0
.segment "BSS"
room:   .word 0
.segment "CODE"
        jmp     start
.segment "ONCE"
start:  lda     pointer
        rts
