#include "COctets.h"
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

void cmemory_keep_long_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

#else

void cmemory_keep_long_blocks(void) {}

#endif
