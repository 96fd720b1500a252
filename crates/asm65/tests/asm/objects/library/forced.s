        .export forced: absolute = 1
        .data
        .byte "forced"
