; test: messages        from: self
    mov r0, oPos
;           ^^^^ N0202 `oPos` cannot be read
    mov r0, oD0
;           ^^^ N0202 `oD0` cannot be read
    mov r0, a0
;           ^^ N0202 `a0` cannot be read
