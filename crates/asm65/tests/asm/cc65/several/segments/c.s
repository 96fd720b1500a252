        .import after
        .rodata
        .byte "c"
        .code
        lda after
        .data
        .word after + 2
        .segment "LOWCODE"
        bra *
