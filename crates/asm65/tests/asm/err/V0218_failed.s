start: nop
  .assert start = 5, error, "start must be 5"
;         ^^^^^^^^^ V0218 start must be 5
  .error "stop here"
; ^^^^^^ V0218 stop here
