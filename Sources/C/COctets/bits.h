#pragma once
#include <stddef.h>
#include <stdint.h>

// The first `count` of sixty-four bits.
static inline uint64_t first_bits(size_t count) {
  return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}
