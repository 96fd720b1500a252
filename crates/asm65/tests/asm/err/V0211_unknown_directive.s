  .bye 1
; ^^^^ V0211 unknown directive `.bye`
  .incldue "x"
; ^^^^^^^^ V0211 unknown directive `.incldue`
  .frobnicate
; ^^^^^^^^^^^ V0211 unknown directive `.frobnicate`
