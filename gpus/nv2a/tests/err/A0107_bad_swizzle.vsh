; test: messages        from: self
    mov r0, v0.stpq
;             ^^^^^ A0107 `.stpq` is not a swizzle
    mov r0, v0.xyzwx
;             ^^^^^^ A0107 `.xyzwx` is not a swizzle
    mov r0, v0.
;             ^ A0107 `.` is not a swizzle
