; A program with an object that has branches, bytes of addresses, a table and a place in the zero page.
        .import clear, text, middle
        .importzp pointer
        .export colour
colour = $61

        .code
start:  lda #<text
        sta pointer
        lda #>text
        sta pointer+1
        jsr clear
        lda middle
        rts
