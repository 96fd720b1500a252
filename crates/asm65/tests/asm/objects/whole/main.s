; As `cl65 -t cx16` makes it, with the BASIC line.
        .segment "STARTUP"
        .segment "INIT"
        .segment "ONCE"
        .segment "CODE"
        .import shift
        .export value
        ldx #<value
        ldy #>value
        jsr shift
        rts
        .data
value:  .word $1234
