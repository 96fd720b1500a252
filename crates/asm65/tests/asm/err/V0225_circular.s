 one = two + 1
 two = one + 1
  .word one
;       ^^^ V0225 the value needs itself
