#include "COctets.h"
#include "bits.h"

// Rows are those of the higher halves 2 to 7; everything else is one more row, which has no digits.
enum { first_row = 2, row_count = 6, no_row = 1 << row_count };

cvectors_digits cvectors_alphabet(const uint8_t *digits) {
  cvectors_digits alphabet = {.last = digits[63]};
  for (int half = 0; half < 16; half++) {
    int row = half - first_row;
    alphabet.row[half] = (uint8_t)(row >= 0 && row < row_count ? 1 << row : no_row);
    alphabet.gaps[half] = 0xFF;
  }
  for (int byte = 0; byte < 128; byte++) alphabet.value[byte] = 0x80;
  for (int value = 0; value < 64; value++) {
    uint8_t high = (digits[value] >> 4) & 15;
    alphabet.gaps[digits[value] & 15] &= (uint8_t)~alphabet.row[high];
    uint8_t distance = (uint8_t)(value - digits[value]);
    alphabet.value[digits[value] & 127] = (uint8_t)value;
    if (value < 63) alphabet.distance[high] = distance;
    else alphabet.correction = (uint8_t)(distance - alphabet.distance[high]);
  }
  return alphabet;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static __m256i table(const uint8_t *values) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)values));
}

__attribute__((target("avx2"))) static size_t decode(const uint8_t *text, size_t count,
                                                     const cvectors_digits *alphabet, uint8_t *output,
                                                     size_t room) {
  const __m256i row = table(alphabet->row);
  const __m256i gaps = table(alphabet->gaps);
  const __m256i distance = table(alphabet->distance);
  const __m256i last = _mm256_set1_epi8((char)alphabet->last);
  const __m256i correction = _mm256_set1_epi8((char)alphabet->correction);
  const __m256i half = _mm256_set1_epi8(15);
  // Three octets of each four, the most significant first, then without the gap between the lanes.
  const __m256i order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,  //
                                         2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
  size_t read = 0;
  size_t written = 0;
  while (count - read >= 32 && room - written >= 32) {
    __m256i digits = _mm256_loadu_si256((const __m256i *)(text + read));
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(digits, 4), half);
    __m256i low = _mm256_and_si256(digits, half);
    if (!_mm256_testz_si256(_mm256_shuffle_epi8(row, high), _mm256_shuffle_epi8(gaps, low))) break;
    __m256i is_last = _mm256_cmpeq_epi8(digits, last);
    __m256i sixes = _mm256_add_epi8(_mm256_add_epi8(digits, _mm256_shuffle_epi8(distance, high)),
                                    _mm256_and_si256(is_last, correction));
    // Neighbours are joined to twelve bits, then to twenty-four.
    __m256i twelves = _mm256_maddubs_epi16(sixes, _mm256_set1_epi16(0x0140));
    __m256i octets = _mm256_madd_epi16(twelves, _mm256_set1_epi32(0x00011000));
    octets = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(octets, order), together);
    _mm256_storeu_si256((__m256i *)(output + written), octets);
    read += 32;
    written += 24;
  }
  return read;
}

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi")))

// Three octets of each four, the most significant first.
#define GROUP(n) 4 * (n) + 2, 4 * (n) + 1, 4 * (n)
#define GROUPS(n) GROUP(n), GROUP((n) + 1), GROUP((n) + 2), GROUP((n) + 3)
static const uint8_t wide_order[64] = {GROUPS(0), GROUPS(4), GROUPS(8), GROUPS(12)};

// The values of sixty-four digits as octets, and which of the bytes are no digits.
WIDE static inline __m512i octets_of(__m512i digits, const cvectors_digits *alphabet, uint64_t *others) {
  const __m512i lower = _mm512_loadu_si512(alphabet->value);
  const __m512i upper = _mm512_loadu_si512(alphabet->value + 64);
  const __m512i sixes = _mm512_permutex2var_epi8(lower, digits, upper);
  *others = _mm512_movepi8_mask(_mm512_or_si512(sixes, digits));
  const __m512i twelves = _mm512_maddubs_epi16(sixes, _mm512_set1_epi16(0x0140));
  const __m512i octets = _mm512_madd_epi16(twelves, _mm512_set1_epi32(0x00011000));
  return _mm512_permutexvar_epi8(_mm512_loadu_si512(wide_order), octets);
}

WIDE static size_t decode_wide(const uint8_t *text, size_t count, const cvectors_digits *alphabet,
                               uint8_t *output, size_t room) {
  size_t read = 0;
  size_t written = 0;
  uint64_t others;
  while (count - read >= 64 && room - written >= 64) {
    const __m512i octets = octets_of(_mm512_loadu_si512(text + read), alphabet, &others);
    if (others != 0) break;
    _mm512_storeu_si512(output + written, octets);
    read += 64;
    written += 48;
  }
  if (room - written < 64) return read;
  // The digits before anything else, in groups of four. Reading under a mask costs more, so it comes last.
  const size_t left = count - read;
  const uint64_t present = first_bits(left);
  const __m512i octets = octets_of(_mm512_maskz_loadu_epi8(present, text + read), alphabet, &others);
  others |= ~present;
  const size_t groups = others == 0 ? 16 : (size_t)__builtin_ctzll(others) / 4;
  _mm512_storeu_si512(output + written, octets);
  return read + groups * 4;
}

size_t cvectors_decode_base64(const uint8_t *text, size_t count, const cvectors_digits *digits,
                              uint8_t *output, size_t room) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
    return decode_wide(text, count, digits, output, room);
  return __builtin_cpu_supports("avx2") ? decode(text, count, digits, output, room) : 0;
}

#else

size_t cvectors_decode_base64(const uint8_t *text, size_t count, const cvectors_digits *digits,
                              uint8_t *output, size_t room) {
  return 0;
}

#endif
