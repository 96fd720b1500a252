        .autoimport +
        .exportzp spare
        .export message
        .rodata
message: .byte "Hello", 0
        .zeropage
spare:  .res 1
        .code
        .scope inner
        jsr print
        lda counter
        .scope deeper
        jmp start
        .endscope
        .endscope
        lda spare
