        .import draw, table, BANK_AT, __DATA_LOAD__, __DATA_RUN__, __DATA_SIZE__, __BANK1_LAST__, __MAIN_START__
        .importzp pointer
        .export frames
        .segment "MYZP": zeropage
count:  .res 1
        .zeropage
        .res 2
        .code
start:  ldx #<__DATA_SIZE__
copy:   lda __DATA_LOAD__-1,x
        sta __DATA_RUN__-1,x
        dex
        bne copy
        inc count
        lda (pointer)
        jsr draw
        lda table
        sta frames
        jmp (vector)
        .rodata
vector: .addr start, BANK_AT, __BANK1_LAST__, __MAIN_START__
        .data
        .byte "Data"
        .addr *
        .bss
frames: .res 2
        .segment "TOPVARS"
        .res 8
