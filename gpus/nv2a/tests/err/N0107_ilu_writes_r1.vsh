; test: messages        from: self
    dp4 oPos.x, r6, c96 + rsq r10.x, r2.x
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R2.x is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R6 is read before it is written
;                             ^^^^^ N0107 a paired `rsq` writes r1, not r10
