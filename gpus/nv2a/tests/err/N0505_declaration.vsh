; test: messages        from: self
    vs_1_1
    #pragma screenspace
    dcl_position v0
;   ^^^^^^^^^^^^^^^ N0505 declared inputs keep their numbers
    dcl_texcoord1 v7
    mov oPos, v0
