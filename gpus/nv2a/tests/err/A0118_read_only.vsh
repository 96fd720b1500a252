; test: messages        from: self
    mov v0, r0
;       ^^ A0118 `v0` cannot be written
    mov r12, v0
;       ^^^ A0118 `r12` cannot be written
    mov a0, v0
;       ^^ A0118 `a0` cannot be written here
    arl r0, v0
;       ^^ A0102 `dst` of `arl` must be an address register, found `r0`
