// Draws a scene of `cargo xtask versus` with OpenGL 3.3 core, without a window: Mesa's llvmpipe through EGL's surfaceless
// platform.
//
//   llvmpipe FOLDER
//
// FOLDER holds `scene` (lines of names and numbers), `vertices`, `indices` (32 bits), `texels` (RGBA8), `vertex.glsl` and
// `fragment.glsl`. The scene is drawn once and its picture written to FOLDER/picture (RGBA8, rows from the top); the
// number to begin with is how many samples passed the depth test. Clearing is not measured.

#include "answer.h"
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static FILE *open_file(const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file)
        fail(path, "cannot be opened");
    return file;
}

/// The bytes of a file, with a zero behind them.
static char *bytes_of(const char *name, long *size)
{
    FILE *file = open_file(name, "rb");
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = calloc((size_t)*size + 1, 1);
    if (!bytes || fread(bytes, 1, (size_t)*size, file) != (size_t)*size)
        fail(name, "cannot be read");
    fclose(file);
    return bytes;
}

static void make_context(void)
{
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("EGL", "there is no surfaceless platform with OpenGL");
    static const EGLint kind[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    static const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
    };
    EGLConfig config = NULL;
    EGLint count = 0;
    eglChooseConfig(display, kind, &config, 1, &count);
    EGLContext context = eglCreateContext(display, count ? config : NULL, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("EGL", "there is no OpenGL 3.3 core context");
}

static void make_target(int width, int height)
{
    GLuint frame, buffers[2];
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, buffers);
    static const GLenum formats[] = {GL_RGBA8, GL_DEPTH_COMPONENT32F};
    static const GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, formats[i], width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER, buffers[i]);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("OpenGL", "there is no RGBA8 picture with 32-bit depths");
    glViewport(0, 0, width, height);
}

/// Ends if a shader was not compiled or a program not linked; those of OpenGL have functions of their own, which are alike.
static void check(GLuint object, GLenum status, PFNGLGETSHADERIVPROC get, PFNGLGETSHADERINFOLOGPROC get_log, const char *name)
{
    GLint succeeded;
    get(object, status, &succeeded);
    if (!succeeded) {
        char log[2000];
        get_log(object, sizeof log, NULL, log);
        fail(name, log);
    }
}

static GLuint shader(GLenum kind, const char *name)
{
    long size;
    char *text = bytes_of(name, &size);
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, (const char *const *)&text, NULL);
    glCompileShader(shader);
    check(shader, GL_COMPILE_STATUS, glGetShaderiv, glGetShaderInfoLog, name);
    free(text);
    return shader;
}

static void make_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, "vertex.glsl"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, "fragment.glsl"));
    glLinkProgram(program);
    check(program, GL_LINK_STATUS, glGetProgramiv, glGetProgramInfoLog, "the program");
    glUseProgram(program);
}

static void make_texture(int side, const char *filter)
{
    long size;
    char *texels = bytes_of("texels", &size);
    if (size != (long)side * side * 4)
        fail("texels", "are too few or too many");
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    GLint near = GL_LINEAR, far = GL_LINEAR;
    if (!strcmp(filter, "nearest"))
        near = far = GL_NEAREST;
    if (!strcmp(filter, "levels")) {
        glGenerateMipmap(GL_TEXTURE_2D);
        far = GL_LINEAR_MIPMAP_NEAREST;
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, near);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, far);
    free(texels);
}

static GLsizei indices;

/// Vertices and indices.
static void make_buffers(void)
{
    GLuint array, buffers[2];
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(2, buffers);
    static const char *const names[] = {"vertices", "indices"};
    static const GLenum places[] = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER};
    long size = 0;
    for (int i = 0; i < 2; i++) {
        char *bytes = bytes_of(names[i], &size);
        glBindBuffer(places[i], buffers[i]);
        glBufferData(places[i], size, bytes, GL_STATIC_DRAW);
        free(bytes);
    }
    indices = (GLsizei)(size / 4);
}

static int width, height;

/// Does what the lines of the scene say; its vertices are bound.
static void read_scene(void)
{
    FILE *file = open_file("scene", "r");
    char name[32], word[32];
    unsigned stride = 0, number, offset, count;
    while (fscanf(file, "%31s", name) == 1) {
        if (!strcmp(name, "size") && fscanf(file, "%d %d", &width, &height) == 2)
            make_target(width, height);
        else if (!strcmp(name, "stride") && fscanf(file, "%u", &stride) == 1)
            ;
        else if (!strcmp(name, "floats") && fscanf(file, "%u %u %u", &number, &offset, &count) == 3) {
            glVertexAttribPointer(number, (GLint)count, GL_FLOAT, GL_FALSE, (GLsizei)stride, (void *)(uintptr_t)offset);
            glEnableVertexAttribArray(number);
        } else if (!strcmp(name, "unorm8") && fscanf(file, "%u %u", &number, &offset) == 2) {
            glVertexAttribPointer(number, 4, GL_UNSIGNED_BYTE, GL_TRUE, (GLsizei)stride, (void *)(uintptr_t)offset);
            glEnableVertexAttribArray(number);
        } else if (!strcmp(name, "texture") && fscanf(file, "%u %31s", &number, word) == 2)
            make_texture((int)number, word);
        else if (!strcmp(name, "depth")) {
            glEnable(GL_DEPTH_TEST);
            glDepthFunc(GL_LESS);
        } else if (!strcmp(name, "blend")) {
            glEnable(GL_BLEND);
            glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        } else
            fail(name, "is not a line of a scene");
    }
    fclose(file);
    glDisable(GL_DITHER);
}

static void clear(void)
{
    glClearColor(0, 0, 0, 1);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glFinish();
}

static void draw(void)
{
    glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, NULL);
    glFinish();
}

static void write_picture(void)
{
    const size_t row = (size_t)width * 4;
    unsigned char *pixels = malloc(row * (size_t)height);
    if (!pixels)
        fail("the picture", "there is no memory for it");
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    FILE *file = open_file("picture", "wb");
    // OpenGL's rows go up.
    for (int y = height - 1; y >= 0; y--)
        if (fwrite(pixels + (size_t)y * row, 1, row, file) != row)
            fail("the picture", "cannot be written");
    if (fclose(file))
        fail("the picture", "cannot be written");
    free(pixels);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("usage", "llvmpipe FOLDER");
    folder = argv[1];
    make_context();
    make_buffers();
    read_scene();
    make_program();

    GLuint query, passed;
    glGenQueries(1, &query);
    clear();
    glBeginQuery(GL_SAMPLES_PASSED, query);
    draw();
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    write_picture();
    if (glGetError() != GL_NO_ERROR)
        fail("OpenGL", "reported an error");
    char name[400];
    snprintf(name, sizeof name, "%s, OpenGL %s", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    answer(passed, name, clear, draw);
    return 0;
}
