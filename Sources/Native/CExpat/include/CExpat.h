#ifndef CEXPAT_H
#define CEXPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds elements of one name and one attribute value in an XML document that arrives in parts. One thread at a time may
/// use a reader.
///
/// A reader takes UTF-8 without a document type declaration. Its memory has a limit that does not depend on the document.
typedef struct cexpat_reader cexpat_reader;

/// Why a document is refused.
typedef enum {
    CEXPAT_FINE = 0,
    /// Not well-formed; `cexpat_detail` says why.
    CEXPAT_MALFORMED,
    /// The document ends before its root element does.
    CEXPAT_TRUNCATED,
    /// The declaration names another encoding, or bytes are not UTF-8.
    CEXPAT_ENCODING,
    /// A document type declaration.
    CEXPAT_DOCTYPE,
    /// The first element has another name, which is `cexpat_detail`.
    CEXPAT_ROOT,
    /// Elements lie within more elements than `cexpat_most_depth`.
    CEXPAT_DEEP,
    /// A tag has more bytes than `cexpat_most_tag`.
    CEXPAT_LONG,
    /// The parser needs more memory than `cexpat_most_memory`, as with very many different names.
    CEXPAT_MEMORY,
} cexpat_fault;

/// Elements within each other, bytes of a tag, and bytes of the parser.
extern const size_t cexpat_most_depth, cexpat_most_tag, cexpat_most_memory;

/// The elements to find. The texts must outlive the reader.
typedef struct {
    const char *root;
    const char *element;
    const char *attribute;
    const char *value;
} cexpat_wanted;

/// Receives an element.
///
/// - Parameters:
///   - attributes: names and values in turn, then null; valid until the function returns.
///   - line: from 1.
typedef void (*cexpat_found)(void *context, const char *const *attributes, uint64_t line);

/// - Returns: a reader that the caller owns and destroys; null if memory is short.
cexpat_reader *cexpat_create(cexpat_wanted wanted, cexpat_found found, void *context);

void cexpat_destroy(cexpat_reader *reader);

/// Reads the next part, of at most `INT32_MAX` bytes. Control characters become spaces: Apple's names of devices contain
/// some, although XML forbids them.
///
/// - Returns: `CEXPAT_FINE`, or the first fault. After a fault the reader takes no more.
cexpat_fault cexpat_read(cexpat_reader *reader, const char *bytes, size_t length, bool is_last);

/// The line of the fault, from 1.
uint64_t cexpat_line(const cexpat_reader *reader);

/// A text in ASCII or UTF-8 about the fault; empty for most. Owned by the reader.
const char *cexpat_detail(const cexpat_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
