; test: messages        from: self
    #m matrix4 96
    dp4 oPos.x, v0, #m
;                   ^^ N0210 `#m` is a matrix
    mov oD0, -#m.wzyx
;             ^^ N0210 `#m` is a matrix
    dp4 oPos.y, v0, #m[1]
