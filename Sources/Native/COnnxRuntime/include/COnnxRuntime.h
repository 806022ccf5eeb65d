// The few calls of ONNX Runtime that this program makes, opened at run time.
//
// No header of ONNX Runtime is needed to build, and no library to start: `tort_open` looks for it, and without it text is
// read by Tesseract alone. The table of functions, OrtApi, only ever grows at its end, so the slots used here (API
// version 12 and later) stay where they are; the version is checked before any is called.
//
// Ownership: a session belongs to who made it and is freed with `tort_session_free`; it is not made for two threads at
// once. The values of a run belong to the session and live until its next run. Every function answers 0 for done and
// a negative number for an error, with the reason, cut to `capacity` bytes, in `message`.
#ifndef TABLESIGHT_CONNXRUNTIME_H
#define TABLESIGHT_CONNXRUNTIME_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
    TORT_OK = 0,
    TORT_E_ABSENT = -1,  ///< no such library, or one that is not ONNX Runtime
    TORT_E_VERSION = -2, ///< a version that does not speak API 12
    TORT_E_FAILED = -3,  ///< ONNX Runtime refused; `message` says why
};

typedef struct tort_session tort_session;

/// Opens the library at `path` for the whole process; later calls answer as the first one did.
int tort_open(const char *path, char *message, size_t capacity);

/// Version of the library that was opened, `1.31.1`; NULL before that.
const char *tort_version(void);

/// Loads the network of the ONNX file at `path`: one thread, one input and one output of 32-bit floats.
int tort_session_make(const char *path, tort_session **session, char *message, size_t capacity);
void tort_session_free(tort_session *session);

/// Runs the network on `input` (the product of the four sizes in `shape`, in row-major order). `values` and `sizes`
/// (`rank` of them) then show the output.
int tort_session_run(tort_session *session, const float *input, const int64_t shape[4], const float **values,
                     const int64_t **sizes, size_t *rank, char *message, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
