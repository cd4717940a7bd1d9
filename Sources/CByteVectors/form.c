#include "CByteVectors.h"
#include "bits.h"
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define DIGIT(digit, value) [digit] = 0x80 | value
const uint8_t cvectors_hex_digits[256] = {
    DIGIT('0', 0),  DIGIT('1', 1),  DIGIT('2', 2),  DIGIT('3', 3),  DIGIT('4', 4),  DIGIT('5', 5),
    DIGIT('6', 6),  DIGIT('7', 7),  DIGIT('8', 8),  DIGIT('9', 9),  DIGIT('A', 10), DIGIT('B', 11),
    DIGIT('C', 12), DIGIT('D', 13), DIGIT('E', 14), DIGIT('F', 15), DIGIT('a', 10), DIGIT('b', 11),
    DIGIT('c', 12), DIGIT('d', 13), DIGIT('e', 14), DIGIT('f', 15),
};

// A block is sixty-four bytes: a bit each, the first byte lowest. What is left of the text is a block too.
enum { block_length = 64 };

// The bytes of a block that do not belong to the last escape of the block before.
static inline uint64_t own_bits(const cvectors_form *form, size_t left) {
  return first_bits(left) & UINT64_MAX << form->overhang;
}

// A literal byte, or the first byte of an escape, is one byte when decoded.
static inline uint64_t kept_bits(uint64_t escapes, uint64_t own) { return ~(escapes << 1 | escapes << 2) & own; }

// Advances the state past a block.
static inline void pass(cvectors_form *form, uint64_t escapes, unsigned decoded) {
  form->read += block_length;
  form->written += decoded;
  form->overhang = (unsigned)(escapes >> 63) * 2 + (unsigned)(escapes >> 62 & 1);
}

// For any processor.

// Which of a block are one of two marks.
static uint64_t find(const uint8_t *bytes, uint8_t first, uint8_t second) {
  uint64_t found = 0;
#if defined(__x86_64__)
  for (int part = 0; part < block_length; part += 16) {
    __m128i sixteen = _mm_loadu_si128((const __m128i *)(bytes + part));
    __m128i one = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8((char)first));
    __m128i two = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8((char)second));
    found |= (uint64_t)_mm_movemask_epi8(_mm_or_si128(one, two)) << part;
  }
#else
  for (int place = 0; place < block_length; place++) {
    uint8_t byte = bytes[place];
    found |= (uint64_t)(byte == first || byte == second) << place;
  }
#endif
  return found;
}

static inline int is_printable(uint8_t byte) { return (uint8_t)(byte - 0x20) < 0x5F; }

static int has_others(const uint8_t *bytes) {
  uint8_t found = 0;
  for (int place = 0; place < block_length; place++) {
    uint8_t byte = bytes[place];
    found |= (byte <= 0x20) | (byte >= 0x7F) | (byte == '"');
  }
  return found;
}

// Copies sixteen bytes at a time, mostly once; the excess is overwritten.
static uint8_t *copy(uint8_t *output, const uint8_t *text, size_t count) {
  size_t done = 0;
  do {
    memcpy(output + done, text + done, 16);
    done += 16;
  } while (done < count);
  return output + count;
}

// How many of the kept bytes precede the first of `others`.
static inline unsigned decoded_place(uint64_t others, uint64_t kept) {
  return (unsigned)__builtin_popcountll(kept & ((others & -others) - 1));
}

// Eighteen bytes after the block must be readable, because an escape may extend past it and a copy
// takes sixteen.
static size_t decode_block(const uint8_t *text, size_t left, cvectors_form *form, uint8_t *output,
                           uint64_t *marks) {
  const uint64_t own = own_bits(form, left);
  uint64_t found = find(text, '&', '=') & own;
  uint64_t broken = 0, escapes = 0;
  form->has_others |= has_others(text);
  uint8_t *next = output;
  size_t read = form->overhang;
  for (uint64_t percents = find(text, '%', '%') & own; percents != 0; percents &= percents - 1) {
    const uint64_t percent = percents & -percents;
    const size_t place = (size_t)__builtin_ctzll(percents);
    next = copy(next, text + read, place - read);
    read = place;
    const uint8_t high = cvectors_hex_digits[text[place + 1]];
    const uint8_t low = cvectors_hex_digits[text[place + 2]];
    if ((high & low) == 0) {
      broken |= percent;
      continue;
    }
    const uint8_t byte = (uint8_t)(high << 4) | (low & 15);
    *next++ = byte;
    read = place + 3;
    escapes |= percent;
    if (!is_printable(byte)) found |= percent;
  }
  found |= broken;
  if (read < block_length) copy(next, text + read, block_length - read);
  const uint64_t kept = kept_bits(escapes, own);
  size_t count = 0;
  for (; found != 0; found &= found - 1) {
    const unsigned place = (unsigned)__builtin_ctzll(found);
    const uint8_t byte = broken >> place & 1 ? 0 : text[place];
    marks[count++] = (form->read + place) | (form->written + decoded_place(found, kept)) << 28 | (uint64_t)byte << 56;
  }
  // A plus after a percent sign is no digit, so it is one byte as every other.
  for (uint64_t pluses = find(text, '+', '+') & own; pluses != 0; pluses &= pluses - 1)
    output[decoded_place(pluses, kept)] = ' ';
  pass(form, escapes, (unsigned)__builtin_popcountll(kept));
  return count;
}

size_t cvectors_decode_form_each(const uint8_t *text, size_t count, cvectors_form *form, uint8_t *output,
                                 uint64_t *marks, size_t room) {
  // The last bytes, padded with bytes without meaning.
  uint8_t rest[block_length + 18 + block_length];
  const uint64_t written = form->written;
  size_t used = 0;
  while (form->read < count && room - used >= block_length) {
    const size_t left = count - form->read;
    const uint8_t *block = text + form->read;
    if (left < block_length + 18) {
      memset(rest, '.', sizeof rest);
      block = memcpy(rest, block, left);
    }
    used += decode_block(block, left, form, output + (form->written - written), marks + used);
  }
  return used;
}

#if defined(__x86_64__)

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")))

// Which are printable ASCII from `first` on.
WIDE static inline __mmask64 printable(__m512i bytes, char first) {
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(first)),
                                _mm512_set1_epi8((char)(0x7F - first)));
}

WIDE static inline __mmask64 equal(__m512i bytes, char byte) {
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte));
}

// Eight bytes as the low ones of eight words.
WIDE static inline __m512i words(__m512i bytes) { return _mm512_cvtepu8_epi64(_mm512_castsi512_si128(bytes)); }

#define EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
static const uint8_t places_of_block[block_length] = {EIGHT(0),  EIGHT(8),  EIGHT(16), EIGHT(24),
                                                      EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)};

// Writes eight marks at a time, of which only as many as were found count.
WIDE static inline size_t write_marks(uint64_t found, uint64_t found_decoded, __m512i bytes,
                                      const cvectors_form *form, uint64_t *marks) {
  const __m512i order = _mm512_loadu_si512(places_of_block);
  const size_t count = (size_t)__builtin_popcountll(found);
  const __m512i start = _mm512_set1_epi64((long long)(form->read | (uint64_t)form->written << 28));
  __m512i places = _mm512_maskz_compress_epi8(found, order);
  __m512i decoded = _mm512_maskz_compress_epi8(found_decoded, order);
  __m512i octets = _mm512_maskz_compress_epi8(found, bytes);
  for (size_t done = 0;;) {
    __m512i eight = _mm512_or_si512(_mm512_slli_epi64(words(decoded), 28), _mm512_slli_epi64(words(octets), 56));
    eight = _mm512_add_epi64(_mm512_or_si512(eight, words(places)), start);
    _mm512_storeu_si512(marks + done, eight);
    done += 8;
    if (done >= count) return count;
    const __m512i behind = _mm512_add_epi8(order, _mm512_set1_epi8(8));
    places = _mm512_permutexvar_epi8(behind, places);
    decoded = _mm512_permutexvar_epi8(behind, decoded);
    octets = _mm512_permutexvar_epi8(behind, octets);
  }
}

WIDE static size_t decode_many(const uint8_t *text, size_t count, cvectors_form *result, uint8_t *output,
                               uint64_t *marks, size_t room) {
  const __m512i lower = _mm512_loadu_si512(cvectors_hex_digits);
  const __m512i upper = _mm512_loadu_si512(cvectors_hex_digits + 64);
  const __m512i low_half = _mm512_set1_epi8(0x0F);
  cvectors_form form = *result;
  size_t used = 0;
  uint64_t others = 0;
  while (form.read < count && room - used >= block_length) {
    const size_t left = count - form.read;
    const uint8_t *block = text + form.read;
    __m512i bytes, first, second;
    if (left >= block_length + 2) {
      bytes = _mm512_loadu_si512(block);
      first = _mm512_loadu_si512(block + 1);
      second = _mm512_loadu_si512(block + 2);
    } else {
      // Bytes past the text are not read, and are no digits.
      bytes = _mm512_maskz_loadu_epi8(first_bits(left), block);
      first = _mm512_maskz_loadu_epi8(first_bits(left - 1), block + 1);
      second = _mm512_maskz_loadu_epi8(first_bits(left > 1 ? left - 2 : 0), block + 2);
    }
    // A table is indexed by seven bits, so a byte with the eighth set is marked as no digit.
    const __m512i high = _mm512_permutex2var_epi8(lower, first, upper);
    const __m512i low = _mm512_permutex2var_epi8(lower, second, upper);
    const __mmask64 are_digits = _mm512_movepi8_mask(_mm512_andnot_si512(first, high)) &
                                 _mm512_movepi8_mask(_mm512_andnot_si512(second, low));
    const __m512i values = _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(high, low_half), 4),
                                           _mm512_and_si512(low, low_half));
    const uint64_t own = own_bits(&form, left);
    const uint64_t percents = equal(bytes, '%') & own;
    const uint64_t escapes = percents & are_digits;
    const uint64_t found =
        ((equal(bytes, '&') | equal(bytes, '=')) & own) | (percents & ~(escapes & printable(values, ' ')));
    others |= (~printable(bytes, '!') | equal(bytes, '"')) & first_bits(left);
    const uint64_t kept = kept_bits(escapes, own);
    used += write_marks(found, _pext_u64(found, kept), _mm512_maskz_mov_epi8(~(percents & ~escapes), bytes), &form,
                        marks + used);
    const __m512i spaced = _mm512_mask_mov_epi8(bytes, equal(bytes, '+'), _mm512_set1_epi8(' '));
    _mm512_storeu_si512(output + (form.written - result->written),
                        _mm512_maskz_compress_epi8(kept, _mm512_mask_mov_epi8(spaced, escapes, values)));
    pass(&form, escapes, (unsigned)__builtin_popcountll(kept));
  }
  form.has_others |= others != 0;
  *result = form;
  return used;
}

#endif

size_t cvectors_decode_form(const uint8_t *text, size_t count, cvectors_form *form, uint8_t *output,
                            uint64_t *marks, size_t room) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
    return decode_many(text, count, form, output, marks, room);
#endif
  return cvectors_decode_form_each(text, count, form, output, marks, room);
}
