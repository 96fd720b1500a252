  .repeat 65537
;         ^^^^^ V0216 a repetition may have 65,536 rounds
  .endrepeat
