; test: messages        from: self
    add r0, v0, v1
;               ^^ N0101 the slot reads two different input registers
    mul r2, r0, v1 + rcp r1, v2
;                            ^^ N0101 the slot reads two different input registers
