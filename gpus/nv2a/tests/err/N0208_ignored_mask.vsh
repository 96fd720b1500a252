; test: messages        from: self
    #m matrix4 96
    %matmul4x4 oPos.x v0 #m
;              ^^^^^^ N0208 the mask is ignored: the macro writes x, y, z and w
    %norm3 oD0.w v2 r0
;          ^^^^^ N0208 the mask is ignored: the macro writes x, y and z
    %norm3 r2 v2 -r0
;                ^^^ N0208 the sign of the scratch register makes no sense
    arl a0.xyzw, v0.y
;       ^^^^^^^ N0208 A0 has one component; the mask is ignored
