; test: messages        from: self
    mov r2, v0 + mov r3, r4
;                ^^^^^^^^^^ N0105 a slot writes one temporary other than r1
    mul r2, v0, v0 + mov r3, v0
;                    ^^^^^^^^^^ N0105 a slot writes one temporary other than r1
