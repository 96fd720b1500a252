  .res later
;      ^^^^^ V0208 this value is not known yet
  .if later
;     ^^^^^ V0208 this value is not known yet
  .endif
  .org start
;      ^^^^^ V0208 this value is not known yet
start: nop
later = 3
  .byte .sizeof(nowhere)
;               ^^^^^^^ V0208 the size of `nowhere` is not known
