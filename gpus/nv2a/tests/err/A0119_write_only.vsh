; test: messages        from: self
    mov r0, oPos
;           ^^^^ A0119 `oPos` cannot be read
    mov r0, oD0
;           ^^^ A0119 `oD0` cannot be read
    mov r0, a0
;           ^^ A0119 `a0` cannot be read
