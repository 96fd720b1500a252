        .export clear, text, middle
        .exportzp pointer
        .import colour
LIMIT = 10

        .zeropage
pointer: .res 2
count:  .res 1

        .bss
room:   .res 300
        .rodata
text:   .byte "HELLO", 0
table:  .word clear, text + 2, room, LIMIT * 3
        .byte <(colour * 2), >middle, ^clear, <-1
        .dword text - clear
        .data
middle: .byte <((colour & $f0) | (colour >> 4)), <(colour <> $61), .hibyte(room + count)
        .faraddr middle
        .code
clear:  ldy #0
@next:  lda (pointer),y
        beq @done
        lda #<colour
        sta room,y
        iny
        cpy #LIMIT
        bne @next
        bra clear
@done:  bbs3 count, @next
        jmp (table)
        .assert colour < $100, error, "colours are bytes"
