; test: messages        from: self
    xvss.1.1
    mov c0, v1
;           ^^ N0405 a state program reads v0 alone
    mov oPos, v0
;       ^^^^ N0405 a state program writes no outputs
    mov c1, v0
