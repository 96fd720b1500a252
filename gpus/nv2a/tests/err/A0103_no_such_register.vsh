; test: messages        from: self
    mov r13, v0
;       ^^^ A0103 there is no register `r13`
    mov r0, v16
;           ^^^ A0103 there is no register `v16`
    mov r0, c192
;           ^^^^ N0209 the machine has no constant 192
    mov r0, c[192]
;           ^^^^^^ N0209 the machine has no constant 192
    mov r01, v0
;       ^^^ A0103 there is no register `r01`
