        .include "vera.inc"
        .export fill
        .exportzp ptr
        .segment "ZEROPAGE"
ptr:    .res 2
        .segment "BSS"
buffer: .res 4
        .segment "CODE"
.proc fill
        sta ptr
        sta buffer
        store2 VERA_DATA0
done:   rts
.endproc
