// What each of these programs does when it is measured, as `answer.rs` does it for gpuzoo. Included before everything else.

#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/// A hash of nothing, and of one more word: FNV-1a.
static const uint64_t hash_of_nothing = UINT64_C(0xcbf29ce484222325);

static inline uint64_t hash_with(uint64_t hash, uint32_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// Prints what it began with, a number and who it is; then answers each line of the input, a number of runs, with the nanoseconds
/// that they took, of this process's CPU time and by the clock. What prepares a run is not in them.
static void answer(uint64_t count, const char *name, void (*prepare)(void), void (*run)(void))
{
    printf("%llu %s\n", (unsigned long long)count, name);
    fflush(stdout);
    for (unsigned long long runs; scanf("%llu", &runs) == 1;) {
        uint64_t cpu = 0, wall = 0;
        while (runs-- > 0) {
            if (prepare)
                prepare();
            const uint64_t wall_start = nanoseconds(CLOCK_MONOTONIC), cpu_start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
            run();
            cpu += nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
            wall += nanoseconds(CLOCK_MONOTONIC) - wall_start;
        }
        printf("%llu %llu\n", (unsigned long long)cpu, (unsigned long long)wall);
        fflush(stdout);
    }
}
