; test: encode roundtrip run        from: spec
; Of the magnitude. RSQ(1) is one bit short of 1, so RSQ(4), with the same table entry, is one bit short of 0.5. Both zeros give
; +Inf (spec section 6). The last line is from the hardware model (vectors).
rsq r0, v0.x
; enc: 00000000 0800001b 08361000 200f0ff9
; run[hw]: v0=(1,0,0,0) -> R0=(0x3f7fffff,0x3f7fffff,0x3f7fffff,0x3f7fffff)
; run[cpu]: v0=(1,0,0,0) -> R0=(1,1,1,1)
; run[hw]: v0=(4,0,0,0) -> R0=(0x3effffff,0x3effffff,0x3effffff,0x3effffff)
; run[cpu]: v0=(4,0,0,0) -> R0=(0x3f000000,0x3f000000,0x3f000000,0x3f000000)
; run[hw]: v0=(-4,0,0,0) -> R0=(0x3effffff,0x3effffff,0x3effffff,0x3effffff)
; run[cpu]: v0=(-4,0,0,0) -> R0=(0x3f000000,0x3f000000,0x3f000000,0x3f000000)
; run: v0=(-0,0,0,0) -> R0=(inf,inf,inf,inf)
; run[hw]: v0=(0x00000001,0,0,0) -> R0=(inf,inf,inf,inf)
; run[cpu]: v0=(0x00000001,0,0,0) -> R0=(0x64b504f3,0x64b504f3,0x64b504f3,0x64b504f3)
; run: v0=(-inf,0,0,0) -> R0=(0,0,0,0)
; run[hw]: v0=(nan,0,0,0) -> R0=(0x7fffffff,0x7fffffff,0x7fffffff,0x7fffffff)
; run[cpu]: v0=(nan,0,0,0) -> R0=(nan,nan,nan,nan)
; run[hw]: v0=(0xd34e5300,0,0,0) -> R0=(0x358e9429,0x358e9429,0x358e9429,0x358e9429)
; run[cpu]: v0=(0xd34e5300,0,0,0) -> R0=(0x358e942a,0x358e942a,0x358e942a,0x358e942a)
