; Each segment has the bytes of all sources in their order; .pushseg and .org end with their source.
        .segment "LOWCODE"
        .byte 1
        .rodata
        .byte 2
        .code
        .byte 3, >*, <*
        .data
        .byte 4
        .pushseg
        .segment "LOWCODE"
        .byte 5
        .popseg
        .byte 11
        .segment "LOWCODE"
        .import after, __BSS_RUN__, __BSS_SIZE__
        .word after, __BSS_RUN__, __BSS_SIZE__
        .bss
        .res 7
        .code
        .org $2000
here:   .word here
        .reloc
