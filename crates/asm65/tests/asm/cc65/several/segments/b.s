        .byte 6
        .export after
after:  .word after, after - first
first = after - 1
        .segment "LOWCODE"
        .byte 7
        .data
        .byte 8
        .rodata
        .byte 9
        .bss
        .res 5
        .segment "LOWCODE"
        .byte 10
