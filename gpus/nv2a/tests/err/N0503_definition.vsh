; test: messages        from: self
    vs.1.1
    #pragma screenspace
    def c0, 1, 2, 3, 4
    def c0, 5, 6, 7, 8
;   ^^^^^^^^^^^^^^^^^^ N0503 the constant is defined twice
    mov oPos, v0
