; test: messages        from: self
    #foo vector 5
    #m matrix4 96
    %matmul4x4 oPos v0 c5
;                      ^^ N0206 the matrix must be a uniform
    %matmul4x4 oPos v0 #foo
;                      ^^^^ N0206 the matrix must be a whole matrix4
    %matmul4x4 oPos, v0 #m
;                  ^ N0206 a macro's operands have no commas between them
    %norm3 r2 v2 r0.x
;                ^^^^ N0206 the scratch register must be one of r0 to r11 without components
    %norm3 r2 v2 v0
;                ^^ N0206 the scratch register must be one of r0 to r11 without components
    %norm3 r2 v2 r0.xyzw
;                ^^^^^^^ N0206 the scratch register must be one of r0 to r11 without components
