; From clip space to the screen.
        mul     oPos.xyz, r12, c-38
      + rcc     r1.x, r12.w
        mad     oPos.xyz, r12, r1.x, c-37
