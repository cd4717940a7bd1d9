#pragma once
#include <stddef.h>
#include <stdint.h>

// The first so many of sixty-four.
static inline uint64_t first_bits(size_t count) {
  return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}
