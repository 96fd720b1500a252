; test: roundtrip run        from: spec
; The tail of almost every retail program (spec section 5): clip space to pixels with c58 and c59, by r12 and a pair. w = 2, so
; x = 3 * 320 / 2 + 320 is 800, y = 1 * -240 / 2 + 240 is 120; z = 0.5 * 1024 / 2 is 256, w stays.
    #model matrix4 96
    #scale vector 58
    #offset vector 59
    %matmul4x4 oPos v0 #model
    mul oPos.xyz, r12, #scale + rcc r1.x, r12.w
    mad oPos.xyz, r12, r1.x, #offset
    mov oD0, iDiffuse
; run: v0=(3,1,0.5,2) v3=(1,0.5,0.25,1) c58=(320,-240,1024,0) c59=(320,240,0,0) c96=(1,0,0,0) c97=(0,1,0,0) c98=(0,0,1,0) c99=(0,0,0,1) -> oPos=(800,120,256,2) oD0=(1,0.5,0.25,1) oT0=(0,0,0,1) R1=(0.5,0,0,0)
