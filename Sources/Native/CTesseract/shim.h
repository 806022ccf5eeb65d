// Tesseract's C API (capi.h), for Recognition/Text alone.
// Ownership: TessBaseAPICreate → TessBaseAPIDelete; iterators → their own Delete; text → TessDeleteText.
// Tesseract may call exit() or abort(): it is linked into tablesight-worker and nothing else.
#include <tesseract/capi.h>
