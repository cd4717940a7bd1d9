#include "COctets.h"
#include <string.h>

// A run is sixty-four bytes. The last one is padded with bytes that change no result.
enum { run_length = 64 };

static const uint8_t *filled_up(const uint8_t *rest, size_t count, uint8_t mark, uint8_t *run) {
  memset(run, mark == ' ' ? 'a' : ' ', run_length);
  memcpy(run, rest, count);
  return run;
}

static void note(cvectors_statistics *statistics, size_t marks, size_t *gap) {
  statistics->marks += marks;
  *gap = marks == 0 ? *gap + run_length : 0;
  if (*gap > statistics->longest_gap) statistics->longest_gap = *gap;
}

static cvectors_statistics count_each(const uint8_t *bytes, size_t count, uint8_t mark) {
  cvectors_statistics statistics = {0};
  size_t gap = 0;
  uint8_t any = 0;
  for (size_t start = 0; start < count; start += run_length) {
    uint8_t last[run_length];
    const uint8_t *run = bytes + start;
    if (count - start < run_length) run = filled_up(run, count - start, mark, last);
    uint8_t marks = 0;
    for (int place = 0; place < run_length; place++) {
      any |= run[place];
      statistics.has_nul |= run[place] == 0;
      marks += run[place] == mark;
    }
    note(&statistics, marks, &gap);
  }
  statistics.is_ascii = any < 0x80;
  return statistics;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,popcnt"))) static cvectors_statistics count_many(const uint8_t *bytes, size_t count,
                                                                         uint8_t mark) {
  cvectors_statistics statistics = {0};
  size_t gap = 0;
  const __m256i marks = _mm256_set1_epi8((char)mark);
  const __m256i zero = _mm256_setzero_si256();
  __m256i any = zero;
  __m256i nul = zero;
  for (size_t start = 0; start < count; start += run_length) {
    uint8_t last[run_length];
    const uint8_t *run = bytes + start;
    if (count - start < run_length) run = filled_up(run, count - start, mark, last);
    __m256i first = _mm256_loadu_si256((const __m256i *)run);
    __m256i second = _mm256_loadu_si256((const __m256i *)(run + 32));
    any = _mm256_or_si256(any, _mm256_or_si256(first, second));
    nul = _mm256_or_si256(nul, _mm256_cmpeq_epi8(_mm256_min_epu8(first, second), zero));
    uint64_t places = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, marks));
    places |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, marks)) << 32;
    note(&statistics, (size_t)__builtin_popcountll(places), &gap);
  }
  statistics.is_ascii = _mm256_movemask_epi8(any) == 0;
  statistics.has_nul = _mm256_movemask_epi8(nul) != 0;
  return statistics;
}

#endif

cvectors_statistics cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
    return count_many(bytes, count, mark);
#endif
  return count_each(bytes, count, mark);
}

cvectors_statistics cvectors_count_each(const uint8_t *bytes, size_t count, uint8_t mark) {
  return count_each(bytes, count, mark);
}
