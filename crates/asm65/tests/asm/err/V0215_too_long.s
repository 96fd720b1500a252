  .org $fffe
  nop
  jmp $1234
;     ^^^^^ V0215 the program does not fit: here it goes beyond $FFFF or 65,536 bytes
