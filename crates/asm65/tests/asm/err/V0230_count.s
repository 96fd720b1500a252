  .res -1
;      ^^ V0230 -1 bytes cannot be reserved
  .res 70000
;      ^^^^^ V0230 70000 bytes cannot be reserved
  .align 0
;        ^ V0230 0 is not an alignment, 1 to 32768
  .repeat -1
;         ^^ V0230 the count is negative
  .endrepeat
start: rts
  .constructor start, 33
;                     ^^ V0230 a priority is 1 to 32
  .condes start, 7
;                ^ V0230 tables are 0 to 6
