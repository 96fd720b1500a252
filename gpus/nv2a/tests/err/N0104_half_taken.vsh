; test: messages        from: self
    rcp r1, r0 + rsq r2, r0
;                ^^^^^^^^^^ N0104 `rcp` and `rsq` are both ILU operations
    mul r1, r0, r2 + add r1, r0, r2
;                    ^^^^^^^^^^^^^^ N0104 `mul` and `add` are both MAC operations
    mul r0, r2, r3 + rcp r1, r3 + rcp oD1, r4
;                                 ^^^^^^^^^^^ N0104 a slot has room for two operations
