; test: encode roundtrip run        from: spec
; Powers of 2 are exact, zeros and denormals give Inf of their sign (an Xbox shows -Inf for 807fffff), NaN gives the unit's
; own (spec section 6). The last line is from the hardware model (vectors), of a number that needs table and Newton steps.
rcp r0, v0.x
; enc: 00000000 0400001b 08361000 200f0ff9
; run: v0=(2,0,0,0) -> R0=(0.5,0.5,0.5,0.5)
; run: v0=(-0,0,0,0) -> R0=(-inf,-inf,-inf,-inf)
; run[hw]: v0=(0x807fffff,0,0,0) -> R0=(-inf,-inf,-inf,-inf)
; run[cpu]: v0=(0x807fffff,0,0,0) -> R0=(0xfe800001,0xfe800001,0xfe800001,0xfe800001)
; run: v0=(-inf,0,0,0) -> R0=(-0,-0,-0,-0)
; run[hw]: v0=(0x1p127,0,0,0) -> R0=(0,0,0,0)
; run[cpu]: v0=(0x1p127,0,0,0) -> R0=(0x00400000,0x00400000,0x00400000,0x00400000)
; run[hw]: v0=(nan,0,0,0) -> R0=(0x7fffffff,0x7fffffff,0x7fffffff,0x7fffffff)
; run[cpu]: v0=(nan,0,0,0) -> R0=(nan,nan,nan,nan)
; run: v0=(0xc0527c81,0,0,0) -> R0=(0xbe9bad74,0xbe9bad74,0xbe9bad74,0xbe9bad74)
