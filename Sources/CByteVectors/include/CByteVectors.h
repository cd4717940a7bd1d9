#pragma once
#include <stddef.h>
#include <stdint.h>

// Loops over whole documents, thirty-two bytes a turn on processors that have AVX2. Swift has no way
// to compile one function for a processor that is better than the package's; C has.
//
// Each does the first part of its work only, as much as whole turns are, and says how far it came: the
// rest, and all of it on other processors, is the caller's, whose loops do the same. Nothing is read or
// written outside of what the arguments say.

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
} cvectors_digits;

// The alphabet with these sixty-four digits, of which those but the last stand in runs.
cvectors_digits cvectors_alphabet(const uint8_t *digits);

// Decodes digits of Base 64 until anything else turns up; answers how many were read. Four digits are
// three octets; up to eight octets behind these are overwritten as well.
size_t cvectors_decode_base64(const uint8_t *text, size_t count, const cvectors_digits *digits,
                              uint8_t *output, size_t room);

// What was seen in `read` bytes, which are runs of sixty-four.
typedef struct {
  size_t read;
  // All bytes, joined bit by bit.
  uint8_t any;
  uint8_t has_nul;
  // How many of them are the mark.
  size_t marks;
  // Bytes of the runs without a mark: where most of them follow each other, and at the end.
  size_t longest_gap;
  size_t last_gap;
} cvectors_census;

cvectors_census cvectors_count(const uint8_t *bytes, size_t count, uint8_t mark);
