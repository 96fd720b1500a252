  lda #5 ?
;        ^ V0210 this character means nothing here
  .byte "open
;       ^^^^^ V0210 the string is not closed in its line
  lda # é
;       ^^ V0210 this character means nothing here
  .feature c_comments
  nop /* never closed
;     ^^ V0210 the comment is never closed
