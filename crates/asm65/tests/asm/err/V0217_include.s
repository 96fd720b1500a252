  .include "missing.inc"
;          ^^^^^^^^^^^^^ V0217 `missing.inc` cannot be read: there is no such file
  .incbin "missing.bin"
;         ^^^^^^^^^^^^^ V0217 `missing.bin` cannot be read: there is no such file
