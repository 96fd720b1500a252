// What only moves bits, and arithmetic on integers, which targets have themselves.

fn fabs(a: u32) -> u32 { return a & 0x7fffffffu; }

fn fneg(a: u32) -> u32 { return a ^ 0x80000000u; }

fn ixor(a: u32, b: u32) -> u32 { return a ^ b; }

fn iadd(a: u32, b: u32) -> u32 { return a + b; }

fn isub(a: u32, b: u32) -> u32 { return a - b; }

fn ineg(a: u32) -> u32 { return 0u - a; }

fn imul(a: u32, b: u32) -> u32 { return a * b; }

fn imax(a: u32, b: u32) -> u32 { return max(a ^ 0x80000000u, b ^ 0x80000000u) ^ 0x80000000u; }

fn imin(a: u32, b: u32) -> u32 { return min(a ^ 0x80000000u, b ^ 0x80000000u) ^ 0x80000000u; }

fn iselect(a: u32, b: u32, c: u32) -> u32 { return select(c, b, a == 0u); }

// Of magnitudes, so that no target's rule for overflows matters; never by 0, for the same reason.
fn idiv(a: u32, b: u32) -> u32 {
    let x = select(a, 0u - a, (a >> 31u) != 0u);
    let y = select(b, 0u - b, (b >> 31u) != 0u);
    let quotient = x / max(y, 1u);
    return select(select(quotient, 0u - quotient, ((a ^ b) >> 31u) != 0u), a, b == 0u);
}

fn fmantissa(a: u32) -> u32 { return (a & 0x7fffffu) | 0x3f800000u; }

// By bits, not by a choice between the patterns of -1 and 0: Mesa 22 takes that for a float, and makes -0 of 0.
fn fsign(a: u32) -> u32 {
    let magnitude = a & 0x7fffffffu;
    let some = (magnitude != 0u) & (magnitude <= 0x7f800000u);
    return ((a & 0x80000000u) | 0x3f800000u) & (0u - select(0u, 1u, some));
}

fn ffloor(a: u32) -> u32 {
    let magnitude = a & 0x7fffffffu;
    let sign = a & 0x80000000u;
    // The bits behind the point: from 2^23 on none, below 1 all.
    let behind = 0x7fffffu >> (clamp(magnitude >> 23u, 127u, 150u) - 127u);
    let up = select(0u, behind, sign != 0u);
    let large = (a + up) & ~behind;
    // As in fsign: where the sign is known not to be there, this is 1 or 0.
    let small = sign | (0x3f800000u & (0u - select(0u, 1u, (sign != 0u) & (magnitude != 0u))));
    let number = select(select(large, small, magnitude < 0x3f800000u), a, magnitude >= 0x4b000000u);
    return select(number, 0x7fc00000u, magnitude > 0x7f800000u);
}

fn itrunc(a: u32) -> u32 {
    let magnitude = a & 0x7fffffffu;
    let m = ((magnitude << 8u) | 0x80000000u) >> min(158u - min(magnitude >> 23u, 158u), 31u);
    let number = select(m, 0u - m, a != magnitude);
    return select(select(number, 0u, magnitude < 0x3f800000u), 0x80000000u, magnitude >= 0x4f000000u);
}
