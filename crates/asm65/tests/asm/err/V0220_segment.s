  .segment "BANKRAM01"
;          ^^^^^^^^^^^ V0220 the segment `BANKRAM01` cannot be made
  .segment "no name"
;          ^^^^^^^^^ V0220 the segment `no name` cannot be made
  .segment "CDOE"
;          ^^^^^^ V0220 there is no segment CDOE: one of this name is made, behind the others
  .zeropage
  .res 90
  .res 5
; ^^^^^^ V0220 the zero page from $22 to $7F is too small by 1
