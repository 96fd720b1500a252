  .macro again
    again
;   ^^^^^ V0214 macros and repetitions are nested too deeply
  .endmacro
  again
  .define LOOP LOOP
;              ^^^^ V0214 a `.define` leads to itself
