  .org $1000
  .res 16
  .org $1008
  nop
; ^^^ V0221 what begins at $1008 lies over other bytes of the program
