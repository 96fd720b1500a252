  .byte 5 / 0
;         ^ V0224 the divisor is 0
  .word 7 .mod (later - later)
;       ^^^^^^^^^^^^^^^^^^^^^^ V0224 the divisor is 0
later: nop
