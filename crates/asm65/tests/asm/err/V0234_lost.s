  rts
  .bss
  lda #5
; ^^^ V0234 the segment BSS holds no bytes
;      ^ V0234 the segment BSS holds no bytes
  .word 0
  .zeropage
  .byte 1
;       ^ V0234 the segment ZEROPAGE holds no bytes
  .addr $0000
  .addr later
;       ^^^^^ V0234 the segment ZEROPAGE holds no bytes
  .code
later: rts
