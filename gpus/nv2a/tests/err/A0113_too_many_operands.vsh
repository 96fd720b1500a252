; test: messages        from: self
    mov oPos, v0, v1
;               ^ A0113 `mov` takes no further operand
