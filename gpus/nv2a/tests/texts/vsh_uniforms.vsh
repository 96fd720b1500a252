; Uniforms by name, as homebrew has them.
#proj matrix4 96
#world matrix4 100
#light vector 104
#tint vector 105
    %matmul4x4 r0 iPos #world
    %matmul4x4 oPos r0 #proj
    dp3 r1.x, iNormal, #light
    mul oDiffuse, r1.x, #tint
    mov oTex0, iTex0
    mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
    mad oPos.xyz, r12, r1.x, c59
