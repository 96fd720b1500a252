  sta #5
; ^^^^^^ V0203 `sta` has no such addressing mode
  stx $1234,y
;     ^^^^^ V0206 4660 does not fit into a byte
  asl ($12)
; ^^^^^^^^^ V0203 `asl` has no such addressing mode
  jsr $1234,x
; ^^^^^^^^^^^ V0203 `jsr` has no such addressing mode
  ldx a
; ^^^^^ V0203 `ldx` has no such addressing mode
  stz #1
; ^^^^^^ V0203 `stz` has no such addressing mode
