; test: messages        from: self
    mov r13, v0
;       ^^^ A0103 there is no register `r13`
    mov r0, v16
;           ^^^ A0103 there is no register `v16`
    mov r0, c192
;           ^^^^ A0104 there is no constant 192
    mov r0, c[192]
;             ^^^ A0104 there is no constant 192
    mov r01, v0
;       ^^^ A0103 there is no register `r01`
