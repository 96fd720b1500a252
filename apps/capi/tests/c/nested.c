/* Sources that are nested as deep as is accepted, and one deeper, on a thread with 512 KiB of stack: that of a thread of Python on macOS. */
#include <gpuzoo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 512 << 10, FAR = 2048, LEAST = 16 };

static gpuzoo_text t(const char *text) { return gpuzoo_str(text); }

/* A way to nest: what stands before, the parts around the middle, and what stands behind. */
typedef struct {
    const char *name, *before, *open, *middle, *close, *after;
} way;

#define GLSL "#version 450\nlayout(location = 0) in vec4 a;\nvoid main() { vec4 r = a; "
#define WGSL "@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { var r = a; "
#define CG "void main(float4 a : POSITION, out float4 o : POSITION) { float4 r = a; "

static const way ways[] = {
    {"a.vert", GLSL "r = ", "(", "a", ")", "; gl_Position = r; }"},
    {"a.vert", GLSL, "{", "r = a;", "}", " gl_Position = r; }"},
    {"a.vert", GLSL, "if (a.x > 0.5) {", "r = a;", "}", " gl_Position = r; }"},
    {"a.wgsl", WGSL "r = ", "(", "a", ")", "; return r; }"},
    {"a.wgsl", WGSL "r = ", "abs(", "a", ")", "; return r; }"},
    {"a.wgsl", WGSL, "{", "r = a;", "}", " return r; }"},
    {"a.vs.cg", CG "r = ", "(", "a", ")", "; o = r; }"},
    {"a.vs.cg", CG, "{", "r = a;", "}", " o = r; }"},
    {"a.vs.cg", CG "r = ", "abs(", "a", ")", "; o = r; }"},
};

/* Appends a text, and returns the end. */
static char *put(char *end, const char *text) {
    size_t length = strlen(text);
    memcpy(end, text, length);
    return end + length;
}

/* The code of the first problem; empty for a source that is compiled. */
static void code(const way *way, size_t depth, char found[16]) {
    size_t size = strlen(way->before) + strlen(way->middle) + strlen(way->after);
    char *source = malloc(size + depth * (strlen(way->open) + strlen(way->close)));
    if (source == NULL) {
        exit(1);
    }
    char *end = put(source, way->before);
    for (size_t at = 0; at < depth; at++) {
        end = put(end, way->open);
    }
    end = put(end, way->middle);
    for (size_t at = 0; at < depth; at++) {
        end = put(end, way->close);
    }
    end = put(end, way->after);
    gpuzoo_program *program = NULL;
    gpuzoo_problems *problems = NULL;
    found[0] = 0;
    gpuzoo_status status = gpuzoo_program_read(t("nv2a"), t(way->name), source, (size_t)(end - source), NULL, &program, &problems);
    if (status == GPUZOO_OK) {
        gpuzoo_program_free(program);
    } else {
        gpuzoo_problem problem = {.struct_size = sizeof problem};
        if (gpuzoo_problems_get(problems, 0, &problem) == GPUZOO_OK) {
            snprintf(found, 16, "%.*s", (int)problem.code.length, problem.code.data);
        }
    }
    gpuzoo_problems_free(problems);
    free(source);
}

static void *all(void *unused) {
    for (size_t at = 0; at < sizeof ways / sizeof *ways; at++) {
        size_t accepted = 1, refused = FAR;
        char found[16];
        code(&ways[at], FAR, found);
        while (refused - accepted > 1) {
            size_t middle = (accepted + refused) / 2;
            char there[16];
            code(&ways[at], middle, there);
            if (there[0] == 0) {
                accepted = middle;
            } else {
                refused = middle;
            }
        }
        printf("%s, `%s`: %s, %s\n", ways[at].name, ways[at].open, accepted >= LEAST ? "accepted" : "refused too early", found);
    }
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, STACK) != 0 || pthread_create(&thread, &attributes, all, NULL) != 0) {
        return 1;
    }
    pthread_join(thread, NULL);
    return 0;
}
