; test: messages        from: self
    mul oD0, r0, r2 + rcp oFog, r3.x
;                         ^^^^ N0103 a slot writes one output or constant
