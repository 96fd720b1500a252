        .export clear
        .constructor start, 9
        .export factor = 2
        .code
clear:  lda #0
        rts
        .segment "ONCE"
start:  lda #'0'
        jmp $ffd2
