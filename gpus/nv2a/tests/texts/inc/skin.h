// One bone: blends position and normal of matrix a0.x by the weight W.
#define BONE(n, W) \
    mov a0.x, IN_BONES.n \
    dp4 r4.x, IN_POSITION, c[a0.x + 0 + BONE_BASE] \
    dp4 r4.y, IN_POSITION, c[a0.x + 1 + BONE_BASE] \
    dp4 r4.z, IN_POSITION, c[a0.x + 2 + BONE_BASE] \
    mad r5.xyz, r4, W, r5 \
    dp3 r4.x, IN_NORMAL, c[a0.x + 0 + BONE_BASE] \
    dp3 r4.y, IN_NORMAL, c[a0.x + 1 + BONE_BASE] \
    dp3 r4.z, IN_NORMAL, c[a0.x + 2 + BONE_BASE] \
    mad r6.xyz, r4, W, r6
