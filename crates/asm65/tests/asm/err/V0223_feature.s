  .feature c_coments
;          ^^^^^^^^^ V0223 the feature `c_coments` is not known and left out
  nop
