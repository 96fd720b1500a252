  .macro two p1, p2
    lda p1
  .endmacro
  two 1, 2, 3
;           ^ V0213 `two` takes 2 arguments, not 3
  .macro lda p
;        ^^^ V0213 this is the name of an instruction
  .endmacro
  .macro two
;        ^^^ V0213 the macro `two` is defined already
  .endmacro
  .macro twice p, p
;                 ^ V0213 there is a parameter of this name already
  .endmacro
  .exitmacro
; ^^^^^^^^^^ V0213 `.exitmacro` is allowed in a macro only
  .byte .paramcount
;       ^^^^^^^^^^^ V0213 `.paramcount` is allowed in a macro only
  .define two 2
;         ^^^ V0213 `two` is defined already
  .define words 1
  .define words 2
;         ^^^^^ V0213 `words` is defined already
  .undefine others
;           ^^^^^^ V0213 there is no `.define` of `others`
  .delmacro others
;           ^^^^^^ V0213 there is no macro `others`
  .define nop 2
;         ^^^ V0213 this is the name of an instruction
  .define twofold(p, q) p + q
  lda #twofold 1
;      ^^^^^^^ V0213 this `.define` takes 2 arguments, not 1
