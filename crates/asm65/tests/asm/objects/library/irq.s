        .export __CALLIRQ__
        .import __INTERRUPTOR_TABLE__, __INTERRUPTOR_COUNT__
        .rodata
        .word __INTERRUPTOR_TABLE__
        .byte <__INTERRUPTOR_COUNT__
        .code
__CALLIRQ__:
        rts
