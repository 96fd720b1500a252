; test: messages        from: self
    mul r0, c1, c2
;               ^^ N0102 the slot reads two different constants
    mad r0, c[A0+5], v0, c5
;                        ^^ N0102 the slot reads two different constants, one with A0 and one without
    mul r2, r0, c1 + rcp r1, c2
;                            ^^ N0102 the slot reads two different constants
