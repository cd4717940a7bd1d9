/* Counts calls that ask for memory, for allocations.py: LD_PRELOAD this, and the count is written to
   standard error when the process ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong count;

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *pointer, size_t size) { count++; return __libc_realloc(pointer, size); }
void *memalign(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
int posix_memalign(void **pointer, size_t alignment, size_t size) {
  count++;
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : 12;
}

__attribute__((destructor)) static void report(void) {
  char text[64];
  int length = snprintf(text, sizeof text, "allocations %lu\n", (unsigned long)count);
  if (write(2, text, length) < 0) return;
}
