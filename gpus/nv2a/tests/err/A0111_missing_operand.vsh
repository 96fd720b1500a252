; test: messages        from: self
    add r0, v0
;             ^ A0111 `add` needs `c`, a register
    mov oPos,
;            ^ A0111 `mov` needs `a`, a register
    mad r0, v0, c0
;                 ^ A0111 `mad` needs `c`, a register
    rcp
;      ^ A0111 `rcp` needs `dst`, a register
