VERA_CTRL_OLD = 1
  jmp statr
;     ^^^^^ V0204 `statr` is not defined
start: nop
@here: bra start
other: bra @here
;          ^^^^^ V0204 `@here` is not defined
  bra :+
;     ^^ V0204 there are not so many unnamed labels below
  bra :-
;     ^^ V0204 there are not so many unnamed labels above
  .import elsewhere
;         ^^^^^^^^^ V0204 `elsewhere` is not defined
  jsr elsewhere
  sta VERA_DATAO
;     ^^^^^^^^^^ V0204 `VERA_DATAO` is not defined
