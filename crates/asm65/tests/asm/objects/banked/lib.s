        .export far
        .import __FAR_SIZE__
        .segment "FAR"
        .res 2, $ea
        .align 4
far:    ldx #<__FAR_SIZE__
        jmp far
