// Leptonica: decodes JPEG, PNG, TIFF, BMP, WebP and GIF for Imaging, and holds the page for Tesseract.
// Ownership: every PIX* that a call returns is the caller's, until pixDestroy(&pix).
#include <leptonica/allheaders.h>
