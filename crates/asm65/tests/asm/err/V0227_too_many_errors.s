  .repeat 2000
  lda #
;      ^ V0201 the line ends where a value is needed
;      ^ V0227 too many errors; the rest is left out
  .endrepeat
