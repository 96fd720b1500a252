; A first program for NV2A: it brings a vertex to the screen, and lights it from one side.
;
; Names for constants: `-C light=0,1,0,0` on the command line and `light = …` in a scene give them values.

#mvp matrix4 96         ; from the model to the screen: rows, as dp4 wants them
#light vector 100       ; direction to the light, of length 1; w is 0
#diffuse vector 101     ; the light's colour
#ambient vector 102     ; light that comes from everywhere

%matmul4x4 oPos iPos #mvp   ; a macro: four dp4

dp3 r0.x, iNormal, #light
max r0.x, r0.x, #light.w    ; no light from behind
mov r2, #ambient            ; a slot reads one constant, so this one waits in a register
mad oD0, r0.x, #diffuse, r2
mov oT0, iTex0

; oPos must end up in pixels. Reading r12 is reading oPos; c58 and c59 hold the screen's scale and middle. `+` puts an
; instruction into the other half of the slot.
mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
mad oPos.xyz, r12, r1.x, c59
