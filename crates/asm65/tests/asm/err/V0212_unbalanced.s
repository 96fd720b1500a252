  .endif
; ^^^^^^ V0212 `.endif` without `.if`
  .else
; ^^^^^ V0212 `.else` without `.if`
  .endproc
; ^^^^^^^^ V0212 `.endproc` without its beginning
  .endmacro
; ^^^^^^^^^ V0212 `.endmacro` without its beginning
  .popseg
; ^^^^^^^ V0212 no segment is remembered
  .proc p
  .endscope
; ^^^^^^^^^ V0212 `.endscope` where `.endproc` is needed
  .endproc
  .scope open
; ^^^^^^ V0212 this block has no `.endscope`
  .if 1
  .else
  .else
; ^^^^^ V0212 `.else` behind `.else`
  .endif
  .if 1
; ^^^ V0212 this condition has no `.endif`
