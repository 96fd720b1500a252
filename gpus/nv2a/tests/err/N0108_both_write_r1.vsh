; test: messages        from: self
    mul r1, r0, r2 + rcp r1, r3.x
;                        ^^ N0108 both halves write r1
