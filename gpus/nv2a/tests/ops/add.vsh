; test: encode roundtrip run        from: spec
; -2.33 - 100 prints as -102.329994 on an Xbox. 2^24 + 1.5 is truncated; Inf - Inf is NaN; -0 + -0 is +0 (spec sections 0
; and 6).
add r0, v0, c0
; enc: 00000000 0060001b 0836106c 3f000ff9
; run[hw]: v0=(0xc0151eb8,16777216,inf,-0) c0=(-100,1.5,-inf,-0) -> R0=(0xc2cca8f5,16777216,0x7fffffff,0)
; run[cpu]: v0=(0xc0151eb8,16777216,inf,-0) c0=(-100,1.5,-inf,-0) -> R0=(0xc2cca8f6,16777218,nan,-0)
