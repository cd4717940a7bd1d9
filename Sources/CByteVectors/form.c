#include "CByteVectors.h"

#define DIGIT(digit, value) [digit] = 0x80 | value
const uint8_t cvectors_hex_digits[256] = {
    DIGIT('0', 0),  DIGIT('1', 1),  DIGIT('2', 2),  DIGIT('3', 3),  DIGIT('4', 4),  DIGIT('5', 5),
    DIGIT('6', 6),  DIGIT('7', 7),  DIGIT('8', 8),  DIGIT('9', 9),  DIGIT('A', 10), DIGIT('B', 11),
    DIGIT('C', 12), DIGIT('D', 13), DIGIT('E', 14), DIGIT('F', 15), DIGIT('a', 10), DIGIT('b', 11),
    DIGIT('c', 12), DIGIT('d', 13), DIGIT('e', 14), DIGIT('f', 15),
};

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")))

WIDE static __mmask64 printable(__m512i bytes) {
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(0x20)), _mm512_set1_epi8(0x5F));
}

WIDE static cvectors_form decode(const uint8_t *text, unsigned overhang, uint8_t *output) {
  const __m512i lower = _mm512_loadu_si512(cvectors_hex_digits);
  const __m512i upper = _mm512_loadu_si512(cvectors_hex_digits + 64);
  const __m512i low_half = _mm512_set1_epi8(0x0F);
  __m512i bytes = _mm512_loadu_si512(text);
  __m512i first = _mm512_loadu_si512(text + 1);
  __m512i second = _mm512_loadu_si512(text + 2);
  // A table has places for seven bits, so a byte with the eighth is told to be no digit.
  __m512i high = _mm512_permutex2var_epi8(lower, first, upper);
  __m512i low = _mm512_permutex2var_epi8(lower, second, upper);
  __mmask64 are_digits = _mm512_movepi8_mask(_mm512_andnot_si512(first, high)) &
                         _mm512_movepi8_mask(_mm512_andnot_si512(second, low));
  __m512i values = _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(high, low_half), 4),
                                   _mm512_and_si512(low, low_half));
  uint64_t own = UINT64_MAX << overhang;
  __mmask64 percents = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('%')) & own;
  __mmask64 escapes = percents & are_digits;
  cvectors_form form;
  __mmask64 separators = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('&')) |
                         _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('='));
  __mmask64 pluses = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('+'));
  form.marks = (separators & own) | (percents & ~(escapes & printable(values)));
  form.broken = percents & ~escapes;
  __mmask64 others = ~printable(bytes) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')) |
                     _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"'));
  form.has_others = others != 0;
  // What stands for itself or begins an escape.
  uint64_t kept = ~(escapes << 1 | escapes << 2) & own;
  form.decoded_marks = _pext_u64(form.marks, kept);
  form.count = (unsigned)__builtin_popcountll(kept);
  form.overhang = (unsigned)(escapes >> 63) * 2 + (unsigned)(escapes >> 62 & 1);
  __m512i decoded = _mm512_mask_blend_epi8(escapes, bytes, values);
  decoded = _mm512_mask_blend_epi8(pluses, decoded, _mm512_set1_epi8(' '));
  _mm512_storeu_si512(output, _mm512_maskz_compress_epi8(kept, decoded));
  return form;
}

int cvectors_decodes_forms(void) {
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

cvectors_form cvectors_decode_form(const uint8_t *text, unsigned overhang, uint8_t *output) {
  return decode(text, overhang, output);
}

#else

int cvectors_decodes_forms(void) { return 0; }

cvectors_form cvectors_decode_form(const uint8_t *text, unsigned overhang, uint8_t *output) {
  return (cvectors_form){0};
}

#endif
