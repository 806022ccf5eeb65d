// libheif: decodes HEIC and AVIF for Imaging; Debian's leptonica cannot.
// Ownership: context, handle and image are each released by the caller, in the reverse order.
#include <libheif/heif.h>
