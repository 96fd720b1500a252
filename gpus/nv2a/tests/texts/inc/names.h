// What the engine puts where: inputs and constants by name.
#ifndef NAMES_H
#define NAMES_H

#define IN_POSITION   v0
#define IN_WEIGHTS    v1
#define IN_BONES      v2
#define IN_NORMAL     v3
#define IN_TEXCOORD0  v9
#define IN_TEXCOORD1  v10

#define MVP           0
#define WORLD         4
#define LIGHT_DIR     c8
#define LIGHT_COLOR   c9
#define AMBIENT       c10
#define NUMBERS       c11     /* 0, 0.5, 1, 2 */
#define ZERO          NUMBERS.x
#define HALF          NUMBERS.y
#define ONE           NUMBERS.z

#endif // NAMES_H
