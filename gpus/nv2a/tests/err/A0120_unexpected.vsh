; test: messages        from: self
    mov r0 v0
;          ^^ A0120 expected `,` before `a` of `mov`
    mov r0, 1.0
;           ^^^ A0102 `a` of `mov` must be a register, found `1.0`
    mov r0, v0,
;             ^ A0113 `mov` takes no further operand
    add r0, v0
;             ^ A0111 `add` needs `c`, a register
    mov r0, c[A0]
;               ^ A0120 expected `+`, found `]`
    mov r0, c[ 5 ]
;              ^ A0120 blanks in a plain index
