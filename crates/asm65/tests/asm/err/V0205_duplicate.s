 one: nop
 one: nop
;^^^ V0205 `one` is defined already
 TWO = 2
 TWO = 3
;^^^ V0205 `TWO` is defined already
 .proc three
 .endproc
 .proc three
;      ^^^^^ V0205 `three` is defined already
 .endproc
 TWO .set 5
;^^^ V0205 `TWO` is defined already
