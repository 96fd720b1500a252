; Names between sources: exports, imports, globals, zero page, scopes, cheap and unnamed labels, macros of the same name.
        .import print, message, LIMIT
        .importzp pointer
        .global counter, start
        .macro twice
        asl
        .endmacro
WIDTH = 40
        .code
start:  ldx #<LIMIT
:       lda pointer
        twice
        jsr print
        dex
        bne :-
        stx counter
@loop:  inc counter
        bne @loop
        lda #<message
        ldy #>message
        bra :+
        nop
:       jmp finish
        .import finish
        .word message + 3, counter, WIDTH
        .byte <message, >print, ^print
