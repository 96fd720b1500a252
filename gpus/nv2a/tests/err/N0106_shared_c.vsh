; test: messages        from: self
    add r2, r0, r3 + rcp r1, r4
;                            ^^ N0106 `add` and `rcp` need different values of the slot's source C
    mad r2, r0, r3, r4 + rcp r1, -r4
;                                ^^^ N0106 `mad` and `rcp` need different values of the slot's source C
    mad r2, r0, r3, r4 + lit r1, r4.x
;                                ^^^^ N0106 `mad` and `lit` need different values of the slot's source C
