  bra far
;     ^^^ V0207 the target is 130 bytes away, 3 too far
  .res 130
far: nop
  .res 130
  beq far
;     ^^^ V0207 the target is -133 bytes away, 5 too far
  bbr0 $12,far
;          ^^^ V0207 the target is -136 bytes away, 8 too far
