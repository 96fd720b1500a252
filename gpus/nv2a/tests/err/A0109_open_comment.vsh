; test: messages        from: self
    mov oPos, v0
    mov r0, v0 /* never closed
;              ^^ A0109 comment is never closed
