; test: messages        from: self
    mov oPos.xxyz, v0
;           ^^^^^ N0203 `.xxyz` is not a write mask
    mov oPos.yx, v0
;           ^^^ N0203 `.yx` is not a write mask
    mov r0.q, v0
;         ^^ N0203 `.q` is not a write mask
