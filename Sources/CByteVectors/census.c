#include "CByteVectors.h"

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,popcnt"))) static cvectors_census take(const uint8_t *bytes, size_t count,
                                                                   uint8_t mark) {
  cvectors_census census = {0};
  const __m256i marks = _mm256_set1_epi8((char)mark);
  const __m256i zero = _mm256_setzero_si256();
  __m256i any = zero;
  __m256i nul = zero;
  for (; count - census.read >= 64; census.read += 64) {
    __m256i first = _mm256_loadu_si256((const __m256i *)(bytes + census.read));
    __m256i second = _mm256_loadu_si256((const __m256i *)(bytes + census.read + 32));
    any = _mm256_or_si256(any, _mm256_or_si256(first, second));
    nul = _mm256_or_si256(nul, _mm256_cmpeq_epi8(_mm256_min_epu8(first, second), zero));
    uint32_t in_first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, marks));
    uint32_t in_second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, marks));
    census.marks += (size_t)__builtin_popcount(in_first) + (size_t)__builtin_popcount(in_second);
    census.last_gap = (in_first | in_second) == 0 ? census.last_gap + 64 : 0;
    if (census.last_gap > census.longest_gap) census.longest_gap = census.last_gap;
  }
  uint8_t joined[32];
  _mm256_storeu_si256((__m256i *)joined, any);
  for (int index = 0; index < 32; index++) census.any |= joined[index];
  census.has_nul = _mm256_movemask_epi8(nul) != 0;
  return census;
}

cvectors_census cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("popcnt")) return (cvectors_census){0};
  return take(bytes, count, mark);
}

#else

cvectors_census cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark) {
  return (cvectors_census){0};
}

#endif
