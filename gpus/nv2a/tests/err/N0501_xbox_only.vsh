; test: messages        from: self
    vs.1.1
    mov r0, r12
;           ^^^ N0501 r12 needs `xvs.1.1`
    dph r0, v0, c0
;   ^^^ N0501 `dph` needs `xvs.1.1`
    mov oB0, v0
;       ^^^ N0501 `oB0` needs `xvs.1.1`
    mov r0, c-1
;           ^^^ N0501 a constant below 0 needs `xvs.1.1`
    mul r0, v0, v0
    +rcp r1, v0.x
;   ^ N0501 a pair needs `xvs.1.1`
    mov oPos, v0
