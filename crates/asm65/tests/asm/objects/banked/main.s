        .import far, __FAR_LOAD__
        .code
        jsr far
        lda #<__FAR_LOAD__
        rts
