; p05_data.prg was made from this file by cl65 2.18 (Debian's cc65 2.19-1): cl65 -t cx16 -C cx16-asm.cfg -o p05_data.prg p05_data.s
.charmap $41, $c1
        .byte "ABC", 'A', 0
        .asciiz "CAB"
        .word $1234, start, start+2, -(-1)
        .dbyt $1234, start
        .addr start
        .dword $12345678, start
        .lobytes start, $1234, table
        .hibytes start, $1234, table
start:  .res 3
        .res 4, $ea
table:
.repeat 8, i
        .byte 1 << i, <(i * 40), >(i * 320)
.endrepeat
        .byte .strlen("four"), .lobyte(table), .hibyte(table)
        .byte table-start, *-start
        .byte 1+2*3, 1|2&3, 5^1, 6&3+1, 1<<2+1, !1+1, -2+3, <$1234+1, ~0&$ff, 7 .mod 4
