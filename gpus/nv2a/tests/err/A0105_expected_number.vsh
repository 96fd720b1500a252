; test: messages        from: self
    .word
;        ^ A0105 expected the value of a word
    .word r0
;         ^^ A0105 expected the value of a word
    mov r0, v0
