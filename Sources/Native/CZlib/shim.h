// zlib's file interface: reads compressed and plain files alike, and seeks in both.
// Ownership: gzopen gives a handle that gzclose takes; nothing else is owned.
#include <zlib.h>
