#pragma once
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

// What Swift's vectors cannot say: loops for processors that are better than the package's, which have
// AVX2 or AVX-512, and one instruction that every x86-64 has. Nothing is read or written outside of what
// the arguments say.
//
// The decoders do the first part of their work only, as much as whole turns are, and say how far they
// came: the rest, and all of it on other processors, is the caller's, whose own loops do the same.

// An alphabet of Base 64, by the halves of its digits. Digits with one higher half are a row, and a row
// has a bit.
typedef struct {
  // The bit of each higher half, and for each lower half the bits of the rows that have no digit there.
  uint8_t row[16];
  uint8_t gaps[16];
  // What to add to a digit of the row for its value; for the last digit somewhat more.
  uint8_t distance[16];
  uint8_t last;
  uint8_t correction;
  // The value of each byte below 128, with the highest bit set where it is no digit.
  uint8_t value[128];
} cvectors_digits;

// The alphabet with these sixty-four digits, of which those but the last stand in runs.
cvectors_digits cvectors_alphabet(const uint8_t *digits);

// Decodes digits of Base 64 until anything else turns up; answers how many were read. Four digits are
// three octets, and none of them is cut; up to sixteen octets behind these are overwritten as well. With
// AVX-512 all that come first are read, with AVX2 thirty-two at a time, elsewhere none: the rest is the
// caller's, whose own loops do the same.
size_t cvectors_decode_base64(const uint8_t *text, size_t count, const cvectors_digits *digits,
                              uint8_t *output, size_t room);

// What was seen in some bytes, looked at in runs of sixty-four.
typedef struct {
  int is_ascii;
  int has_nul;
  // How many of them are the mark.
  size_t marks;
  // Bytes of the runs without a mark, where most of them follow each other.
  size_t longest_gap;
} cvectors_census;

cvectors_census cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark);

// The same for any processor.
cvectors_census cvectors_count_each(const uint8_t *bytes, size_t count, uint8_t mark);

// The value of a hexadecimal digit, with the highest bit set; 0 for any other byte.
extern const uint8_t cvectors_hex_digits[256];
static inline uint8_t cvectors_hex_digit(uint8_t byte) { return cvectors_hex_digits[byte]; }

// What was seen in sixty-four bytes of form-encoded text: a bit each, the first byte lowest.
typedef struct {
  // `&`, `=`, and `%` that begins no escape or one of a byte that is no printable ASCII.
  uint64_t marks;
  // The same among the decoded bytes.
  uint64_t decoded_marks;
  // `%` that begins no escape.
  uint64_t broken;
  // How many bytes were decoded.
  unsigned count;
  // How many bytes behind the sixty-four belong to the last escape.
  unsigned overhang;
  // Whether a byte is no printable ASCII, or a quotation mark.
  int has_others;
} cvectors_form;

// Whether the processor has what the next function needs: instructions for bytes of AVX-512.
int cvectors_decodes_forms(void);

// Decodes sixty-four bytes, of which the first `overhang` belong to the escape before: `+` to a space, and
// escapes; the rest is left as it is. Sixty-six bytes are read and sixty-four written, of which the first count.
cvectors_form cvectors_decode_form(const uint8_t *text, unsigned overhang, uint8_t *output);

// Which of sixty-four bytes are one of two marks, the first byte lowest. Here, so that callers inline it.
static inline uint64_t cvectors_marks(const uint8_t *bytes, uint8_t first, uint8_t second) {
  uint64_t found = 0;
#if defined(__x86_64__)
  for (int part = 0; part < 64; part += 16) {
    __m128i sixteen = _mm_loadu_si128((const __m128i *)(bytes + part));
    __m128i one = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8((char)first));
    __m128i two = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8((char)second));
    found |= (uint64_t)_mm_movemask_epi8(_mm_or_si128(one, two)) << part;
  }
#else
  for (int place = 0; place < 64; place++) {
    uint8_t byte = bytes[place];
    found |= (uint64_t)(byte == first || byte == second) << place;
  }
#endif
  return found;
}
