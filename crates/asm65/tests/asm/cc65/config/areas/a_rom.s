        .import STACK_TOP, __RAMCODE_LOAD__, __RAMCODE_RUN__, __RAMCODE_SIZE__
reset:  ldx #<STACK_TOP
        txs
        lda __RAMCODE_LOAD__
        bra reset
        .segment "ALIGNED"
        .byte 1, 2, 3
        .segment "RAMCODE"
here:   jmp here
        .byte <__RAMCODE_SIZE__
        .addr __RAMCODE_RUN__
        .bss
        .res 4
        .segment "VECTORS"
        .addr reset, reset, here
