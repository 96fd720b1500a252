; p06_conditions.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p06_conditions.prg p06_conditions.s
DEBUG = 1
LEVEL .set 2
.ifdef DEBUG
        lda #DEBUG
.else
        lda #99
.endif
.if LEVEL = 1
        ldx #1
.elseif LEVEL = 2 && DEBUG
        ldx #2
  .if LEVEL < 2
        brk
  .else
        nop
  .endif
.else
        ldx #3
.endif
LEVEL .set LEVEL + 1
.ifndef RELEASE
        ldy #LEVEL
.endif
.if .defined(RELEASE) || LEVEL <> 3
        .error "not here"
.endif
.ifconst LEVEL*2
        .byte LEVEL*2
.endif
size = end - begin
begin:  nop
        nop
end:
.if end - begin = 2
        .byte size
.endif
.assert size = 2, error, "size"
