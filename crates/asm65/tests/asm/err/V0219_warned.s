  .warning "look here"
; ^^^^^^^^ V0219 look here
  .assert 1 = 2, warning, "odd"
;         ^^^^^ V0219 odd
  .out "a note"
; ^^^^ V0219 a note
  nop
