; test: messages        from: self
    mov zz, v0
;       ^^ A0102 `dst` of `mov` must be a register, found `zz`
    mov r0, position
;           ^^^^^^^^ A0102 `a` of `mov` must be a register, found `position`
    add r0, v0, 7
;               ^ A0102 `c` of `add` must be a register, found `7`
    mov 1, v0
;       ^ A0102 `dst` of `mov` must be a register, found `1`
