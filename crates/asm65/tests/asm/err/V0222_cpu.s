  .setcpu "65C02"
  .setcpu "65816"
;         ^^^^^^^ V0222 `65816` is the 65816, and only the 65C02 is supported
  .p816
; ^^^^^ V0222 this is for the 65816, and only the 65C02 is supported
  jsl $1234
; ^^^ V0222 `jsl` is an instruction of the 65816, and only the 65C02 is supported
