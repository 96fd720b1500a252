; test: messages        from: self
    #foo matrix4 254
;                ^^^ N0204 `#foo` ends at c257
    #bar vector 99999999999999999999
;               ^^^^^^^^^^^^^^^^^^^^ A0104 99999999999999999999 is too large for the number of the uniform's first constant
    mov r0, c[A0+192]
;                ^^^ A0104 there is no constant 192
    mov r0, c[99999999999999999999]
;             ^^^^^^^^^^^^^^^^^^^^ A0104 99999999999999999999 is too large for the number of a constant
