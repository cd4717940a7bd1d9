#pragma once
#include <stddef.h>
#include <stdint.h>

// What Swift's vectors cannot say: loops for processors that are better than the package's, which have
// AVX2 or AVX-512. Nothing is read or written outside of what the arguments say.

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
// three octets, and none of them is cut; up to sixty-four octets behind these are overwritten as well, as far
// as there is room. With AVX-512 all that come first are read while there is room for sixty-four octets, with
// AVX2 thirty-two at a time while there is for thirty-two, elsewhere none: the rest is the caller's, whose own
// loops do the same.
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

// How far form-encoded text was decoded. All of it is 0 to begin with.
typedef struct {
  // Bytes in blocks of sixty-four, the last one perhaps shorter.
  uint64_t read;
  uint64_t written;
  // How many bytes behind the blocks belong to their last escape.
  uint32_t overhang;
  // Whether a byte is no printable ASCII, a space or a quotation mark.
  int32_t has_others;
} cvectors_form;

// Goes on decoding form-encoded text of less than 2^28 bytes: `+` to a space, and escapes; the rest is left as it is.
// What means something to a reader of pairs becomes a mark: 28 bits say where it stands, 28 where it is
// decoded, and 8 what it is: `&`, `=`, `%` that begins an escape of no printable ASCII, or 0 for `%` that
// begins none. Ends where the text does or there might be no room for the marks of another block, and
// answers how many there are. Up to eighty bytes of the output behind those that count are overwritten.
size_t cvectors_decode_form(const uint8_t *text, size_t count, cvectors_form *form, uint8_t *output,
                            uint64_t *marks, size_t room);

// The same for any processor.
size_t cvectors_decode_form_each(const uint8_t *text, size_t count, cvectors_form *form, uint8_t *output,
                                 uint64_t *marks, size_t room);
