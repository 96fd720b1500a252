; A point light that fades with distance, and its highlight, for every vertex. All of it in view space, where the eye is
; the origin.
;
; A slot has two halves, MAC and ILU; `+` puts an instruction into each. Beside a MAC the ILU writes r1 and nothing else,
; so the components of r1 are allocated here with care. All of a slot's reads come before its writes.

#mvp matrix4 96         ; rows, as dp4 wants them
#model_view matrix4 100
#normal matrix4 104
#light vector 108       ; the light's place
#fade vector 109        ; x + y * distance + z * distance^2 divides the light
#diffuse vector 110     ; colour; w is 0, so that the alpha is that of #ambient
#specular vector 111    ; colour; w is the sharpness
#ambient vector 112     ; what is there without the light; w is 1

; The place in clip space. oPos can be read again, as r12, which the last two slots do.
%matmul4x4 oPos iPos #mvp

; r2: the place seen from the eye.   r3: the normal there.   r4: the way to the light.
dp4 r2.x, iPos, #model_view[0]
dp4 r2.y, iPos, #model_view[1]
dp4 r2.z, iPos, #model_view[2]
dp3 r3.x, iNormal, #normal[0]
dp3 r3.y, iNormal, #normal[1]
dp3 r3.z, iNormal, #normal[2]
add r4.xyz, #light, -r2

; Lengths squared, and one over their roots a slot later.
dp3 r3.w, r3, r3
dp3 r4.w, r4, r4     + rsq r1.x, r3.w
mul r3.xyz, r3, r1.x + rsq r1.y, r4.w
dp3 r2.w, r2, r2

; dst makes (1, d, d^2, 1/d) of d^2 and 1/d: what the fading is a dot product with.
dst r5, r4.w, r1.y
mul r4.xyz, r4, r1.y + rsq r1.z, r2.w
dp3 r5.w, r5, #fade

; r6: from eye and light half way, at first not of length 1.
mad r6.xyz, -r2, r1.z, r4
dp3 r6.w, r6, r6
dp3 r7.x, r3, r4     + rsq r1.w, r6.w
dp3 r7.y, r3, r6
mul r7.y, r7.y, r1.w + rcp r1.x, r5.w
mov r7.w, #specular.w
mov r8, #ambient

; lit: y is the diffuse part, and z is (normal . half way) ^ sharpness, but zero on the dark side. In this slot r1.x is
; still the fading, and `mov` saves it.
mov r9.x, r1.x + lit r1, r7
mul r1.yz, r1, r9.x
mad oD0, r1.y, #diffuse, r8
mul oD1, r1.z, #specular
mov oT0, iTex0

; The screen: c58 scales, c59 is the middle. Nearly every program for this machine ends with these two slots.
mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
mad oPos.xyz, r12, r1.x, c59
