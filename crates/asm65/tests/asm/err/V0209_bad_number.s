  lda #%102
;      ^^^^ V0209 this is not a number
  lda #$1g
;      ^^^ V0209 this is not a number
  lda #$123456789
;      ^^^^^^^^^^ V0209 the number has more than 32 bits
  lda #'ab'
;      ^^ V0209 a character constant is one ASCII character between apostrophes
  lda #12a
;      ^^^ V0209 this is not a number
