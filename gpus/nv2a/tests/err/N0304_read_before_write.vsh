; test: messages        from: self
    mov r1.xy, v0
    mul oPos, r1, r2.x
;   ^^^^^^^^^^^^^^^^^^ N0304 R1.zw is read before it is written
;   ^^^^^^^^^^^^^^^^^^ N0304 R2.x is read before it is written
    mov r2, v1
