; Calls what the tables have, as the start of a C program does, and a routine of the library.
        .import __CONSTRUCTOR_TABLE__, __CONSTRUCTOR_COUNT__
        .import __DESTRUCTOR_TABLE__, __DESTRUCTOR_COUNT__
        .import double
        .forceimport forced
        .constructor begin, 20
        .constructor again
        .destructor finish
        .condes tick, interruptor, 3

        .segment "STARTUP"
        lda #<__CONSTRUCTOR_TABLE__
        ldx #>__CONSTRUCTOR_TABLE__
        ldy #<(__CONSTRUCTOR_COUNT__ * 2)
        jsr call
        lda #21
        jsr double
        sta answer
        lda #<__DESTRUCTOR_TABLE__
        ldx #>__DESTRUCTOR_TABLE__
        ldy #<(__DESTRUCTOR_COUNT__ * 2)
        jsr call
        rts

        .zeropage
table:  .res 2

        .code
; Calls Y / 2 routines of the table at A, X, the last one first.
call:   sta table
        stx table + 1
next:   dey
        lda (table),y
        sta jump + 2
        dey
        lda (table),y
        sta jump + 1
        phy
jump:   jsr $0000
        ply
        bne next
        rts
begin:  lda #$93
        jmp $ffd2
again:  lda #'1'
        jmp $ffd2
finish: lda #'2'
        jmp $ffd2
tick:   clc
        rts

        .bss
answer: .res 1
