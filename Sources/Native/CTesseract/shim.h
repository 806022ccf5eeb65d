// Tesseract's C API (capi.h), for TextRecognition alone.
// Ownership: TessBaseAPICreate → TessBaseAPIDelete; iterators → their own Delete; text → TessDeleteText.
// Tesseract may call exit() or abort(), so it is linked into tablesight-worker only.
#include <tesseract/capi.h>
