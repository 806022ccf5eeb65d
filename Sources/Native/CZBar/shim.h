// ZBar's C API, for BarcodeRecognition alone.
// Ownership: the caller creates and destroys scanner and image. Symbols live as long as their image.
#include <zbar.h>
