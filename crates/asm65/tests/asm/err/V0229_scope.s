 .scope colours
 red = 2
 .endscope
  lda #colors::red
;      ^^^^^^ V0229 there is no scope `colors` above
  lda #colours::red
