; test: messages        from: self
    sub r0, v0, v1
;   ^^^ A0125 there is no `sub` here
    abs r0, v0
;   ^^^ A0125 there is no `abs` here
    nop
;   ^^^ A0125 there is no `nop` here
