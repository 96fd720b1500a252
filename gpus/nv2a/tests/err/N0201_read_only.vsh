; test: messages        from: self
    mov v0, r0
;       ^^ N0201 inputs are read only
    mov r12, v0
;       ^^^ N0201 r12 is read only
    mov a0, v0
;       ^^ N0201 A0 is written by `arl` alone
    arl r0, v0
;       ^^ N0201 `arl` writes A0
