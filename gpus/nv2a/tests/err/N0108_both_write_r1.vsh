; test: messages        from: self
    mul r1, r0, r2 + rcp r1, r3.x
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R0 is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R2 is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R3.x is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0306 the program writes no output and no constant
;                        ^^ N0108 both halves write r1
