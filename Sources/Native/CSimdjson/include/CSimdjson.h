#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a few named values of JSON objects. One thread at a time may use a reader.
typedef struct cjson_reader cjson_reader;

/// UTF-8 bytes without a final zero. `bytes` is null if the object has no such value.
typedef struct {
    const char *bytes;
    size_t length;
} cjson_text;

/// Bytes that must be readable after the end of every object.
size_t cjson_padding(void);

/// - Parameters:
///   - keys: names of values in the object, or in its member object `nutriments`; copied.
///   - fields: for each key the index in the result, 0 to `field_count` - 1. Several keys may have one field; the
///     first that is not empty counts, in the order of the object.
/// - Returns: a reader that the caller owns and destroys; null if memory is short.
cjson_reader *cjson_reader_create(
    const char *const *keys, const int32_t *fields, size_t key_count, size_t field_count);

void cjson_reader_destroy(cjson_reader *reader);

/// Reads one object, with `cjson_padding()` readable bytes after it.
///
/// Numbers keep their spelling, an array becomes its strings joined by commas, other values are left out. Values without
/// a key of the reader are skipped and not checked.
///
/// - Parameter texts: `field_count` texts; owned by the reader and valid until its next call.
/// - Returns: false if the bytes are not one complete object in UTF-8.
bool cjson_read(cjson_reader *reader, const char *bytes, size_t length, cjson_text *texts);

#ifdef __cplusplus
}
#endif

#endif
