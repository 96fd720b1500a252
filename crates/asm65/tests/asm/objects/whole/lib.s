        .import value
        .export shift
        .segment "ONCE"
        lda #1
        .segment "CODE"
.proc shift
        asl value
        rol value+1
        bcc out
        jmp shift
out:    rts
.endproc
        .segment "RODATA"
        .addr shift::out, value+1
        .res 3
        .byte .sizeof(shift)
