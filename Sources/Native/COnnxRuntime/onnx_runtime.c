#include "include/COnnxRuntime.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Opaque types of ONNX Runtime.
typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtTensorTypeAndShapeInfo OrtShapeInfo;

typedef struct {
    const void *const *(*api)(uint32_t version);
    const char *(*version)(void);
} OrtApiBase;

enum { api_version = 12, log_errors_only = 3, arena_allocator = 1, default_memory = 0, float_elements = 1, most_sizes = 8 };

// Slots in the table, counted from 0. Source: the declaration order of OrtApi in ONNX Runtime's C header, which
// guarantees that it is append-only.
enum {
    GET_ERROR_MESSAGE = 2,
    CREATE_ENV = 3,
    CREATE_SESSION = 7,
    RUN = 9,
    CREATE_SESSION_OPTIONS = 10,
    DISABLE_MEM_PATTERN = 17,
    DISABLE_CPU_MEM_ARENA = 19,
    SET_INTRA_OP_NUM_THREADS = 24,
    SESSION_GET_INPUT_NAME = 36,
    SESSION_GET_OUTPUT_NAME = 37,
    CREATE_TENSOR_WITH_DATA = 49,
    GET_TENSOR_MUTABLE_DATA = 51,
    GET_DIMENSIONS_COUNT = 61,
    GET_DIMENSIONS = 62,
    GET_TENSOR_TYPE_AND_SHAPE = 65,
    CREATE_CPU_MEMORY_INFO = 69,
    GET_ALLOCATOR = 78,
    RELEASE_STATUS = 93,
    RELEASE_SESSION = 95,
    RELEASE_VALUE = 96,
    RELEASE_SHAPE_INFO = 99,
    RELEASE_SESSION_OPTIONS = 100,
    ADD_CONFIG_ENTRY = 130,
};

// Written once under `once`, read afterwards.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *wanted;
static struct {
    int state;
    char message[256];
    const void *const *api;
    const char *version;
    OrtEnv *env;
    OrtMemoryInfo *memory;
    OrtAllocator *allocator;
} ort;

struct tort_session {
    OrtSession *session;
    char *input_name, *output_name;
    OrtValue *output;
    int64_t sizes[most_sizes];
};

static void say(char *message, size_t capacity, const char *text) {
    if (message && capacity) snprintf(message, capacity, "%s", text ? text : "no reason given");
}

/// True if the call failed; the reason is then in `message`.
static int refused(OrtStatus *status, char *message, size_t capacity) {
    if (!status) return 0;
    const char *(*reason)(const OrtStatus *) = (const char *(*)(const OrtStatus *))ort.api[GET_ERROR_MESSAGE];
    void (*release)(OrtStatus *) = (void (*)(OrtStatus *))ort.api[RELEASE_STATUS];
    say(message, capacity, reason(status));
    release(status);
    return 1;
}

// The slot's function with its type.
#define CALL(slot, ...) ((OrtStatus * (*)(__VA_ARGS__)) ort.api[slot])
#define RELEASE(slot, type) ((void (*)(type *))ort.api[slot])

static int start(void) {
    void *library = dlopen(wanted, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        say(ort.message, sizeof ort.message, dlerror());
        return TORT_E_ABSENT;
    }
    const OrtApiBase *(*base_of)(void) = (const OrtApiBase *(*)(void))dlsym(library, "OrtGetApiBase");
    const OrtApiBase *base = base_of ? base_of() : NULL;
    if (!base) {
        say(ort.message, sizeof ort.message, "the library is not ONNX Runtime");
        return TORT_E_ABSENT;
    }
    ort.api = base->api(api_version);
    if (!ort.api) {
        snprintf(ort.message, sizeof ort.message, "ONNX Runtime %s does not speak API %d", base->version(), api_version);
        return TORT_E_VERSION;
    }
    if (refused(CALL(CREATE_ENV, int, const char *, OrtEnv **)(log_errors_only, "tablesight", &ort.env), ort.message,
                sizeof ort.message) ||
        refused(CALL(CREATE_CPU_MEMORY_INFO, int, int, OrtMemoryInfo **)(arena_allocator, default_memory, &ort.memory),
                ort.message, sizeof ort.message) ||
        refused(CALL(GET_ALLOCATOR, OrtAllocator **)(&ort.allocator), ort.message, sizeof ort.message))
        return TORT_E_FAILED;
    ort.version = base->version();
    return TORT_OK;
}

static void start_once(void) { ort.state = start(); }

int tort_open(const char *path, char *message, size_t capacity) {
    wanted = path;
    pthread_once(&once, start_once);
    if (ort.state != TORT_OK) say(message, capacity, ort.message);
    return ort.state;
}

const char *tort_version(void) { return ort.version; }

static int load(tort_session *made, const char *path, OrtSessionOptions *options, char *message, size_t capacity) {
    // One thread, because parallelism is across photos. Shapes differ between lines and pages, so memory plans and a
    // growing arena would only accumulate memory.
    return refused(CALL(SET_INTRA_OP_NUM_THREADS, OrtSessionOptions *, int)(options, 1), message, capacity) ||
           refused(CALL(ADD_CONFIG_ENTRY, OrtSessionOptions *, const char *, const char *)(
                       options, "session.intra_op.allow_spinning", "0"),
                   message, capacity) ||
           refused(CALL(DISABLE_MEM_PATTERN, OrtSessionOptions *)(options), message, capacity) ||
           refused(CALL(DISABLE_CPU_MEM_ARENA, OrtSessionOptions *)(options), message, capacity) ||
           refused(CALL(CREATE_SESSION, const OrtEnv *, const char *, const OrtSessionOptions *, OrtSession **)(
                       ort.env, path, options, &made->session),
                   message, capacity) ||
           refused(CALL(SESSION_GET_INPUT_NAME, const OrtSession *, size_t, OrtAllocator *, char **)(
                       made->session, 0, ort.allocator, &made->input_name),
                   message, capacity) ||
           refused(CALL(SESSION_GET_OUTPUT_NAME, const OrtSession *, size_t, OrtAllocator *, char **)(
                       made->session, 0, ort.allocator, &made->output_name),
                   message, capacity);
}

int tort_session_make(const char *path, tort_session **session, char *message, size_t capacity) {
    *session = NULL;
    if (ort.state != TORT_OK || !ort.api) {
        say(message, capacity, "ONNX Runtime was not opened");
        return TORT_E_ABSENT;
    }
    tort_session *made = calloc(1, sizeof *made);
    if (!made) {
        say(message, capacity, "out of memory");
        return TORT_E_FAILED;
    }
    OrtSessionOptions *options = NULL;
    int failed = refused(CALL(CREATE_SESSION_OPTIONS, OrtSessionOptions **)(&options), message, capacity) ||
                 load(made, path, options, message, capacity);
    if (options) RELEASE(RELEASE_SESSION_OPTIONS, OrtSessionOptions)(options);
    if (failed) {
        tort_session_free(made);
        return TORT_E_FAILED;
    }
    *session = made;
    return TORT_OK;
}

static void forget_output(tort_session *session) {
    if (session->output) RELEASE(RELEASE_VALUE, OrtValue)(session->output);
    session->output = NULL;
}

void tort_session_free(tort_session *session) {
    if (!session) return;
    forget_output(session);
    // The two names came from the default allocator and are not freed: a few bytes per network, loaded once.
    if (session->session) RELEASE(RELEASE_SESSION, OrtSession)(session->session);
    free(session);
}

int tort_session_run(tort_session *session, const float *input, const int64_t shape[4], const float **values,
                     const int64_t **sizes, size_t *rank, char *message, size_t capacity) {
    forget_output(session);
    size_t count = 1;
    for (int i = 0; i < 4; ++i) {
        if (shape[i] < 1 || shape[i] > (1 << 20)) {
            say(message, capacity, "an input without extent");
            return TORT_E_FAILED;
        }
        count *= (size_t)shape[i];
    }
    OrtValue *given = NULL;
    OrtShapeInfo *info = NULL;
    const char *in[] = {session->input_name}, *out[] = {session->output_name};
    float *result = NULL;
    // The API takes non-const inputs but does not write to them.
    int failed =
        refused(CALL(CREATE_TENSOR_WITH_DATA, const OrtMemoryInfo *, void *, size_t, const int64_t *, size_t, int,
                     OrtValue **)(ort.memory, (void *)input, count * sizeof *input, shape, 4, float_elements, &given),
                message, capacity) ||
        refused(CALL(RUN, OrtSession *, const void *, const char *const *, const OrtValue *const *, size_t,
                     const char *const *, size_t, OrtValue **)(session->session, NULL, in,
                                                               (const OrtValue *const *)&given, 1, out, 1,
                                                               &session->output),
                message, capacity) ||
        refused(CALL(GET_TENSOR_TYPE_AND_SHAPE, const OrtValue *, OrtShapeInfo **)(session->output, &info), message,
                capacity) ||
        refused(CALL(GET_DIMENSIONS_COUNT, const OrtShapeInfo *, size_t *)(info, rank), message, capacity);
    if (!failed && *rank > most_sizes) {
        say(message, capacity, "an output of more sizes than expected");
        failed = 1;
    }
    failed = failed ||
             refused(CALL(GET_DIMENSIONS, const OrtShapeInfo *, int64_t *, size_t)(info, session->sizes, *rank), message,
                     capacity) ||
             refused(CALL(GET_TENSOR_MUTABLE_DATA, OrtValue *, void **)(session->output, (void **)&result), message,
                     capacity);
    if (info) RELEASE(RELEASE_SHAPE_INFO, OrtShapeInfo)(info);
    if (given) RELEASE(RELEASE_VALUE, OrtValue)(given);
    if (failed) {
        forget_output(session);
        return TORT_E_FAILED;
    }
    *values = result;
    *sizes = session->sizes;
    return TORT_OK;
}
