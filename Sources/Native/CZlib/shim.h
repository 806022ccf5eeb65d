// zlib's file interface: reads compressed and plain files alike, and seeks in both. And its CRC-32.
// Ownership: gzopen gives a handle that gzclose takes; nothing else is owned.
#include <zlib.h>
