  lad #5
; ^^^ V0202 unknown instruction `lad`
  start
; ^^^^^ V0202 unknown instruction `start`
  Poke 1, 2
; ^^^^ V0202 unknown instruction `Poke`
