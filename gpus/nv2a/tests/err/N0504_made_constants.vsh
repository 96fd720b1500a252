; test: messages        from: self
    vs.1.1
    #pragma screenspace
    exp r0, v0.x
;   ^^^^^^^^^^^^ N0504 `exp` takes c94 and c95 for its coefficients
    mov oPos, v0
