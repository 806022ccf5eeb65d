// ZBar's C API, for Recognition/Barcodes alone.
// Ownership: scanner and image are created and destroyed by the caller; symbols live as long as their image.
#include <zbar.h>
