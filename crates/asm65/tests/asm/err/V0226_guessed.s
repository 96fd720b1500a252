  lda fast
;     ^^^^ V0226 `fast` lies in the zero page, but was not known here yet
  lda (fast),y
  .zeropage
fast: .res 2
