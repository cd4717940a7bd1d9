#pragma once
#include <stddef.h>
#include <stdint.h>

// Loops for processors with AVX2 or AVX-512, which Swift's vectors cannot express for one module.
// Nothing outside the arguments is read or written.

// Sixteen bytes; Swift's SIMD16<UInt8>. Without optimization Swift's own operators go through the sixteen bytes in
// turn, and the tests spent a quarter of their time in them.
typedef uint8_t cvectors_lanes __attribute__((ext_vector_type(16)));

// The highest bit of each byte that is below the limit, which is at most 128; the other bits mean nothing.
static inline __attribute__((always_inline)) cvectors_lanes cvectors_below(uint8_t limit, cvectors_lanes lanes) {
  return (lanes - limit) & ~lanes;
}

// The same for each byte that is this one.
static inline __attribute__((always_inline)) cvectors_lanes cvectors_equal(uint8_t byte, cvectors_lanes lanes) {
  return cvectors_below(1, lanes ^ byte);
}

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

// The alphabet with these sixty-four digits, all but the last two in runs.
cvectors_digits cvectors_alphabet(const uint8_t *digits);

// Decodes digits of Base 64 up to the first other byte; returns how many were read. Four digits are
// three octets, never fewer; up to sixty-four octets after these are overwritten as well, as far as
// there is room. With AVX-512 digits are decoded while there is room for sixty-four octets, with AVX2
// thirty-two at a time while there is room for thirty-two, elsewhere none: the caller's own loops
// decode the rest.
size_t cvectors_decode_base64(const uint8_t *text, size_t count, const cvectors_digits *digits,
                              uint8_t *output, size_t room);

// Counts over some bytes, in runs of sixty-four.
typedef struct {
  int is_ascii;
  int has_nul;
  // How many of them are the mark.
  size_t marks;
  // Bytes of the runs without a mark, in the longest sequence of them.
  size_t longest_gap;
} cvectors_statistics;

cvectors_statistics cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark);

// The same for any processor.
cvectors_statistics cvectors_count_each(const uint8_t *bytes, size_t count, uint8_t mark);

// Lets the C library keep blocks of up to 32 MiB that are freed, and 64 MiB of them in each thread's arena, for the next
// ones. Otherwise the pages of each long document are given back, and mapped and cleared for the next: a quarter of the
// time of a response of 700 KB. Does nothing where the C library is not glibc.
void cmemory_keep_long_blocks(void);
