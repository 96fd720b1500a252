  .res -1
;      ^^ V0230 -1 bytes cannot be reserved
  .res 70000
;      ^^^^^ V0230 70000 bytes cannot be reserved
  .align 0
;        ^ V0230 0 is not an alignment, 1 to 32768
  .repeat -1
;         ^^ V0230 the count is negative
  .endrepeat
