// The ONNX Runtime calls used by this program; the library is opened at run time.
//
// The build needs no header of ONNX Runtime, and the program starts without the library. Without it, text is read by
// Tesseract alone. The function table OrtApi only grows at its end, so the slots used here (API version 12 and later)
// are stable. The version is checked before any call.
//
// Ownership: the caller frees a session with `tort_session_free` and uses it from one thread at a time. The values of
// a run belong to the session until its next run. Functions return 0 on success and a negative number on error, with
// the reason in `message`, truncated to `capacity` bytes.
#ifndef TABLESIGHT_CONNXRUNTIME_H
#define TABLESIGHT_CONNXRUNTIME_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
    TORT_OK = 0,
    TORT_E_ABSENT = -1,  ///< the library is missing, or is not ONNX Runtime
    TORT_E_VERSION = -2, ///< the version does not support API 12
    TORT_E_FAILED = -3,  ///< ONNX Runtime failed; `message` has the reason
};

typedef struct tort_session tort_session;

/// Opens the library at `path` for the whole process. Later calls return the result of the first.
int tort_open(const char *path, char *message, size_t capacity);

/// Version of the opened library, for example `1.31.1`; NULL before it is opened.
const char *tort_version(void);

/// Loads the network of the ONNX file at `path`, which has one input and one output of 32-bit floats. It runs on one
/// thread.
int tort_session_make(const char *path, tort_session **session, char *message, size_t capacity);
void tort_session_free(tort_session *session);

/// Runs the network on `input`, whose four dimensions are `shape` (row-major). `values` and `sizes` (`rank` entries)
/// then describe the output.
int tort_session_run(tort_session *session, const float *input, const int64_t shape[4], const float **values,
                     const int64_t **sizes, size_t *rank, char *message, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
