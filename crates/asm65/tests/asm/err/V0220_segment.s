  .segment "BANKRAM01"
;          ^^^^^^^^^^^ V0220 the segment `BANKRAM01` cannot be made
  .segment "no name"
;          ^^^^^^^^^ V0220 the segment `no name` cannot be made
  .zeropage
  .res 95
; ^^^^^^^ V0220 the zero page from $22 to $7F is too small by 1
