; p11_unnamed.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p11_unnamed.prg p11_unnamed.s
:       lda $9f27
        and #1
        beq :-
        ldx #5
:       dex
        bne :-
        beq :+
        bra :++
:       nop
:       bra :---
        jmp :+
        .word :-, :--
: rts
