"""Minimax coefficients of the kernels in crates/ir/src/arith, by the Remez exchange in 60 digits (needs mpmath).

Each row: f(u) ~ P(u) on an interval, and the weight that turns its error into the error that counts. The last
column printed is log2 of the largest weighted error, with the coefficients already rounded to f64.
"""
from mpmath import mp, mpf, sqrt, log, sin, atan, pi, exp, cos, lu_solve, matrix

mp.dps = 60


def series(f, at_zero):
    """f, with its limit where the formula is 0/0."""
    return lambda u: f(u) if abs(u) > mpf(10) ** -25 else at_zero


def remez(f, weight, low, high, count):
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle - half * cos(pi * i / count) for i in range(count + 1)]
    grid = [middle - half * cos(pi * i / 1500) for i in range(1501)]
    for _ in range(12):
        rows = [[x**j for j in range(count)] + [(-1) ** i / weight(x)] for i, x in enumerate(nodes)]
        c = list(lu_solve(matrix(rows), matrix([f(x) for x in nodes])))[:count]
        error = [weight(x) * (sum(k * x**j for j, k in enumerate(c)) - f(x)) for x in grid]
        extrema, start = [], 0
        for i in range(1, len(grid) + 1):  # the largest error of each run of one sign
            if i == len(grid) or (error[i] > 0) != (error[start] > 0):
                extrema.append(max(range(start, i), key=lambda k: abs(error[k])))
                start = i
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        if len(extrema) <= count:
            break
        nodes = [grid[i] for i in extrema]
    c = [float(k) for k in c]
    worst = max(abs(weight(x) * (sum(mpf(k) * x**j for j, k in enumerate(c)) - f(x))) for x in grid)
    return c, float(log(worst, 2))


def odd(g, slope):
    """The even part P of an odd g(t) = t P(t^2), and the weight that makes its error relative to g."""
    f = series(lambda u: g(sqrt(u)) / sqrt(u), slope)
    return f, lambda u: 1 / f(u)


ln2 = log(mpf(2))
kernels = {
    "(2^r - 1) / r": (series(lambda r: (exp(r * ln2) - 1) / r, ln2), lambda r: (abs(r) + mpf(2)**-40) / exp(r * ln2), -0.5, 0.5, 9),
    "log2((1 + s) / (1 - s))": (*odd(lambda s: log((1 + s) / (1 - s)) / ln2, 2 / ln2), 0, (3 - 2 * sqrt(mpf(2))) ** 2, 7),
    "sin(pi r)": (*odd(lambda r: sin(pi * r), pi), 0, 0.2501, 7),
    "atan(t)": (*odd(atan, mpf(1)), 0, (sqrt(mpf(2)) - 1) ** 2, 10),
}
for name, (f, weight, low, high, count) in kernels.items():
    c, error = remez(f, weight, low, high, count)
    print(f"{name}: 2^{error:.1f}", *(f"    {k!r}," for k in c), sep="\n")
