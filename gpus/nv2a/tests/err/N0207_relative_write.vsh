; test: messages        from: self
    mov c[A0+1], v0
;       ^^^^^^^ N0207 a constant that is written has no A0
