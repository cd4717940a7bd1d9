#include "CByteVectors.h"

#if defined(__x86_64__)
#include <immintrin.h>

// All bits of the bytes from `first` to `last`, which are ASCII. The comparison is of signed bytes, so
// those from 128 on are below everything.
__attribute__((target("avx2"))) static inline __m256i within(__m256i bytes, char first, char last) {
  return _mm256_and_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(first - 1)),
                          _mm256_cmpgt_epi8(_mm256_set1_epi8(last + 1), bytes));
}

// What to add to the bytes that `which` has, and to no others.
__attribute__((target("avx2"))) static inline __m256i distance(__m256i which, int value, int digit) {
  return _mm256_and_si256(which, _mm256_set1_epi8((char)(value - digit)));
}

__attribute__((target("avx2"))) static size_t decode(const uint8_t *text, size_t count, uint8_t digit62,
                                                     uint8_t digit63, uint8_t *output, size_t room) {
  // Three octets of each four, the most significant first, then without the gap between the halves.
  const __m256i order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,  //
                                         2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
  size_t read = 0;
  size_t written = 0;
  while (count - read >= 32 && room - written >= 32) {
    __m256i digits = _mm256_loadu_si256((const __m256i *)(text + read));
    __m256i upper = within(digits, 'A', 'Z');
    __m256i lower = within(digits, 'a', 'z');
    __m256i number = within(digits, '0', '9');
    __m256i is62 = _mm256_cmpeq_epi8(digits, _mm256_set1_epi8((char)digit62));
    __m256i is63 = _mm256_cmpeq_epi8(digits, _mm256_set1_epi8((char)digit63));
    __m256i known = _mm256_or_si256(_mm256_or_si256(_mm256_or_si256(upper, lower), number),
                                    _mm256_or_si256(is62, is63));
    if (_mm256_movemask_epi8(known) != -1) break;
    __m256i distances = _mm256_or_si256(
        _mm256_or_si256(_mm256_or_si256(distance(upper, 0, 'A'), distance(lower, 26, 'a')),
                        distance(number, 52, '0')),
        _mm256_or_si256(distance(is62, 62, digit62), distance(is63, 63, digit63)));
    // Six bits each; neighbours are joined to twelve, then to twenty-four.
    __m256i sixes = _mm256_add_epi8(digits, distances);
    __m256i twelves = _mm256_maddubs_epi16(sixes, _mm256_set1_epi16(0x0140));
    __m256i octets = _mm256_madd_epi16(twelves, _mm256_set1_epi32(0x00011000));
    octets = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(octets, order), together);
    _mm256_storeu_si256((__m256i *)(output + written), octets);
    read += 32;
    written += 24;
  }
  return read;
}

size_t cvectors_decode_base64(const uint8_t *text, size_t count, uint8_t digit62, uint8_t digit63,
                              uint8_t *output, size_t room) {
  if (!__builtin_cpu_supports("avx2")) return 0;
  return decode(text, count, digit62, digit63, output, room);
}

#else

size_t cvectors_decode_base64(const uint8_t *text, size_t count, uint8_t digit62, uint8_t digit63,
                              uint8_t *output, size_t room) {
  return 0;
}

#endif
