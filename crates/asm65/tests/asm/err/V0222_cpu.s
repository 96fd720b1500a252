  .setcpu "65C02"
  .setcpu "65816"
;         ^^^^^^^ V0222 the CPU `65816` is not supported
  .p816
; ^^^^^ V0222 only the 65C02 is supported
