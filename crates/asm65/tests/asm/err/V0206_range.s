  lda #256
;      ^^^ V0206 256 does not fit into a byte
  lda #-1
;      ^^ V0206 -1 does not fit into a byte
  .byte 1, 300, 2
;          ^^^ V0206 300 does not fit into a byte
  .word $12345
;       ^^^^^^ V0206 74565 does not fit into a word, 0 to 65535
  lda ($1234),y
;      ^^^^^ V0206 4660 does not fit into a byte
  lda #later
;      ^^^^^ V0206 2062 does not fit into a byte
later: .byte <later
  .org $10000
;      ^^^^^^ V0206 65536 is not an address, $0000 to $FFFF
