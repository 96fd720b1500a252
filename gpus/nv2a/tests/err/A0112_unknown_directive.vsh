; test: messages        from: self
    .wrod 1 2 3 4
;   ^^^^^ A0112 there is no directive `.wrod`
    mov oPos, v0
