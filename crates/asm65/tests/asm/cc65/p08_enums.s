; p08_enums.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p08_enums.prg p08_enums.s
.enum
  ZERO
  ONE
  TEN = 10
  ELEVEN
.endenum
.enum COLOR
  BLACK = 0
  WHITE
  RED
.endenum
.struct point
  px .byte
  py .word
  color .byte
.endstruct
.struct line
  from .tag point
  to   .tag point
  pattern .res 4
.endstruct
.bss
shape:  .tag line
.code
        lda #ELEVEN
        ldx #COLOR::RED
        sta shape+line::to+point::py
        ldy #.sizeof(line)
        stx shape+line::pattern+1
        .byte ZERO, ONE, TEN, .sizeof(point)
