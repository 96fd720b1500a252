#include "names.h"

#define MUL4(to, from, row) \
    dp4 to.x, from, c[row + 0] \
    dp4 to.y, from, c[row + 1] \
    dp4 to.z, from, c[row + 2] \
    dp4 to.w, from, c[row + 3]

#define MUL3(to, from, row) \
    dp3 to.x, from, c[row + 0] \
    dp3 to.y, from, c[row + 1] \
    dp3 to.z, from, c[row + 2]

#define NORMALIZE(v) \
    dp3 v.w, v, v \
    rsq v.w, v.w \
    mul v.xyz, v, v.w
