; A body on a spine of 24 bones. Every vertex hangs on two of them, found by its height: c[A0+n].
;
; A bone is three rows of a matrix in four constants, from c96 on; so there is no room for anything else above c95, and the
; rest is below.

#mvp matrix4 0
#shape vector 4     ; a sphere of radius 1 is drawn out to this; w is 1
#unshape vector 5   ; one over it, for the normals
#spine vector 6     ; (height * x + y) is the bone, z the constants of each
#light vector 7     ; direction to the light, in the model's space; w is the sharpness of the highlight
#eye vector 8       ; the eye's place, in the model's space
#diffuse vector 9
#ambient vector 10
#specular vector 11

; r0: the place at rest.   r5: the normal at rest.   r1.y: how far it is from its bone to the next, from 0 to 1.
mul r0, iPos, #shape
mul r5.xyz, iNormal, #unshape
mad r2.x, r0.y, #spine.x, #spine.y
expp r1.y, r2.x         ; the fraction, by the way
add r2.x, r2.x, -r1.y   ; so this is the bone's number
mul r2.x, r2.x, #spine.z
arl a0, r2.x

; The place as its bone has it, and as the next one has it. A row is (x, y, z, shift).
dp4 r3.x, r0, c[A0+96]
dp4 r3.y, r0, c[A0+97]
dp4 r3.z, r0, c[A0+98]
dp4 r4.x, r0, c[A0+100]
dp4 r4.y, r0, c[A0+101]
dp4 r4.z, r0, c[A0+102]

; The same with the normal.
dp3 r6.x, r5, c[A0+96]
dp3 r6.y, r5, c[A0+97]
dp3 r6.z, r5, c[A0+98]
dp3 r7.x, r5, c[A0+100]
dp3 r7.y, r5, c[A0+101]
dp3 r7.z, r5, c[A0+102]

; Between the two.
add r4.xyz, r4, -r3
add r7.xyz, r7, -r6
mad r3.xyz, r4, r1.y, r3
mad r6.xyz, r7, r1.y, r6

; dph takes the first w for 1, so nothing has to put it there.
dph oPos.x, r3, #mvp[0]
dph oPos.y, r3, #mvp[1]
dph oPos.z, r3, #mvp[2]
dph oPos.w, r3, #mvp[3]

; r8: the direction to the eye, then half way to the light.
add r8.xyz, #eye, -r3
dp3 r6.w, r6, r6
dp3 r8.w, r8, r8     + rsq r1.x, r6.w
mul r6.xyz, r6, r1.x + rsq r1.y, r8.w
mad r8.xyz, r8, r1.y, #light
dp3 r8.w, r8, r8
dp3 r9.x, r6, #light + rsq r1.x, r8.w
dp3 r9.y, r6, r8
mul r9.y, r9.y, r1.x
mov r9.w, #light.w
mov r10, #ambient    + lit r1, r9
mad oD0, r1.y, #diffuse, r10
mul oD1, r1.z, #specular
mov oT0, iTex0

mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
mad oPos.xyz, r12, r1.x, c59
