  lda #
;      ^ V0201 the line ends where a value is needed
  .byte 1 2
;         ^ V0201 expected the end of the line
  nop nop
;     ^^^ V0201 expected the end of the line
  ldx $12,z
;         ^ V0201 expected `x` or `y`
  lda ($12,y)
;          ^ V0201 expected `x`
  lda ($12),x
;           ^ V0201 expected `y`
  .enum a
;       ^ V0201 expected a name
