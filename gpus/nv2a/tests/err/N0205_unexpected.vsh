; test: messages        from: self
    mov r0 v0
;          ^^ N0205 expected `,`, found `v0`
    mov r0, 1.0
;           ^^^ N0205 expected a register, found `1.0`
    mov r0, v0,
;             ^ N0205 expected the next instruction, found `,`
    add r0, v0
    mov r0, c[A0]
;   ^^^ N0205 expected `,`, found `mov`
;               ^ N0205 expected `+`, found `]`
    mov r0, c[ 5 ]
;              ^ N0205 blanks in a plain index
