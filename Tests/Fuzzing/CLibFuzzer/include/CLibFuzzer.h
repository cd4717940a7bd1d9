#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int (*clibfuzzer_target)(const uint8_t *bytes, size_t count);

/// Runs libFuzzer when it was linked in (-sanitize=fuzzer); returns -1 when it was not.
int clibfuzzer_run(int *argc, char ***argv, clibfuzzer_target target);

/// libFuzzer's own mutation of a buffer; returns the new count. Without libFuzzer nothing changes.
size_t clibfuzzer_mutate(uint8_t *bytes, size_t count, size_t capacity);

/// Between the two, LeakSanitizer (where it is linked in) ignores allocations.
void clibfuzzer_stop_leak_check(void);
void clibfuzzer_start_leak_check(void);
