; test: messages        from: self
    mvo r0, v0
;   ^^^ A0101 there is no instruction `mvo`
    r0, v0
;   ^^ A0101 there is no instruction `r0`
    MOV r1, v0
    mul r2, v0, v0 + rpc r1, v0.x
;                    ^^^ A0101 there is no instruction `rpc`
    %matmul oPos v0 c0
;    ^^^^^^ A0120 expected `%matmul4x4` or `%norm3`, found `matmul`
