; test: messages        from: self
    vs.1.1
    #pragma screenspace
    mov r0, c[a0.x + 1]
;           ^^^^^^^^^^^ N0502 a0 is read before it is set
    mov oPos, v0
