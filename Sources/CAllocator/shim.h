#pragma once
#include <stdlib.h>

// glibc gives a second thread memory of its own, which grows by a system call for each page. A process
// that ends in milliseconds has its threads share what the first has. Nothing elsewhere.
#ifdef __GLIBC__
#include <malloc.h>
static inline void callocator_share(void) { mallopt(M_ARENA_MAX, 1); }
#else
static inline void callocator_share(void) {}
#endif
