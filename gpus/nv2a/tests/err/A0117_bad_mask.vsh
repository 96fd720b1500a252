; test: messages        from: self
    mov oPos.xxyz, v0
;           ^^^^^ A0117 `.xxyz` is not a write mask
    mov oPos.yx, v0
;           ^^^ A0117 `.yx` is not a write mask
    mov r0.q, v0
;         ^^ A0117 `.q` is not a write mask
