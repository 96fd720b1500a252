        .export draw, table
        .exportzp pointer
        .zeropage
pointer: .res 2
        .segment "HEAD1"
        .addr $A000
        .segment "BANK1"
draw:   lda #1
        jsr near
        rts
table:  .byte 1, 2, 3
        .segment "BANK2"
near:   lda table
        rts
        .code
        nop
