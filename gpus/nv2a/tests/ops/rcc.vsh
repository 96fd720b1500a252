; test: encode roundtrip run        from: spec
; The magnitude stays between 2^-64 and 2^64 (spec section 6). The last line is from the hardware model (vectors).
rcc r0, v0.x
; enc: 00000000 0600001b 08361000 200f0ff9
; run: v0=(0,0,0,0) -> R0=(0x1p64,0x1p64,0x1p64,0x1p64)
; run: v0=(-0,0,0,0) -> R0=(-0x1p64,-0x1p64,-0x1p64,-0x1p64)
; run[hw]: v0=(inf,0,0,0) -> R0=(0x1p-64,0x1p-64,0x1p-64,0x1p-64)
; run[cpu]: v0=(inf,0,0,0) -> R0=(0x9f7ffffd,0x9f7ffffd,0x9f7ffffd,0x9f7ffffd)
; run[hw]: v0=(-0x1p100,0,0,0) -> R0=(-0x1p-64,-0x1p-64,-0x1p-64,-0x1p-64)
; run[cpu]: v0=(-0x1p100,0,0,0) -> R0=(0x9f7ffffd,0x9f7ffffd,0x9f7ffffd,0x9f7ffffd)
; run: v0=(0x1p-100,0,0,0) -> R0=(0x1p64,0x1p64,0x1p64,0x1p64)
; run: v0=(4,0,0,0) -> R0=(0.25,0.25,0.25,0.25)
; run[hw]: v0=(nan,0,0,0) -> R0=(0x7fffffff,0x7fffffff,0x7fffffff,0x7fffffff)
; run[cpu]: v0=(nan,0,0,0) -> R0=(nan,nan,nan,nan)
; run[hw]: v0=(0x3fe7cee5,0,0,0) -> R0=(0x3f0d5bb6,0x3f0d5bb6,0x3f0d5bb6,0x3f0d5bb6)
; run[cpu]: v0=(0x3fe7cee5,0,0,0) -> R0=(0x3f0d5bb7,0x3f0d5bb7,0x3f0d5bb7,0x3f0d5bb7)
