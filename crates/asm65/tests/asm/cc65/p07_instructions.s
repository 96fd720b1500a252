; p07_instructions.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p07_instructions.prg p07_instructions.s
zp = $12
ab = $1234
        lda #5
        lda zp
        lda zp,x
        lda (zp)
        lda (zp,x)
        lda (zp),y
        lda ab
        lda ab,x
        lda ab,y
        sta zp
        sta ab,y
        stz zp
        stz zp,x
        stz ab
        stz ab,x
        asl
        asl a
        lsr zp,x
        rol ab,x
        ror ab
        inc
        inc a
        dec
        dec zp
        inc ab,x
        bit #1
        bit zp,x
        bit ab,x
        trb zp
        tsb ab
        ldx zp,y
        ldx ab,y
        stx zp,y
        ldy zp,x
        sty zp,x
        cpx #1
        cpy ab
        jmp (ab)
        jmp (ab,x)
        jmp ab
        jsr ab
        phx
        ply
        phy
        plx
        wai
        stp
        brk
        rti
        rmb0 zp
        smb7 zp
back:   bbr3 zp,back
        bbs4 zp,forward
        bra forward
        bne back
forward: lda a:zp
        lda a:zp,x
        lda z:zp
        ora #<ab
        and #>ab
        eor #%1010
        sbc #'A'
        cmp <ab
