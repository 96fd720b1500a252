// every operation
mov r0, v0
mul r1, r0, c1
add r2, r1, -c1
mad r3, r1, r2, r0
dp3 r4, r0, r1
dp4 r5, r0, r1
dph r6, r0, r1
dst r7, r0, r1
min r8, r0, r1
max r9, r0, r1
slt r10, r0, r1
sge r11, r0, r1
rcp r0.x, r11.x
rcc r0.y, r10.x
rsq r0.z, r9.x
expp r1, r8.x
logp r2, r7.x
lit r3, r6
add oPos, r3, r5
mov oD0, r4
add oD1, r0, r2
