#include "CLinuxSupport.h"
#include <malloc.h>

// The maximum that glibc accepts on 64 bits (HEAP_MAX_SIZE / 2). Larger blocks are mapped and unmapped each time.
static const int largest_kept = 32 << 20;
static const int largest_free_top = 1 << 30;

void ts_memory_keep(void) {
    mallopt(M_MMAP_THRESHOLD, largest_kept);
    mallopt(M_TRIM_THRESHOLD, largest_free_top);
}

void ts_memory_return(size_t least) {
    if (mallinfo2().fordblks > least) malloc_trim(0);
}
