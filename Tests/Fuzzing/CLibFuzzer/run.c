#include "CLibFuzzer.h"

__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv, clibfuzzer_target target);
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t capacity);

int clibfuzzer_run(int *argc, char ***argv, clibfuzzer_target target) {
  return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(argc, argv, target) : -1;
}

size_t clibfuzzer_mutate(uint8_t *bytes, size_t count, size_t capacity) {
  return LLVMFuzzerMutate ? LLVMFuzzerMutate(bytes, count, capacity) : count;
}

__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

void clibfuzzer_stop_leak_check(void) {
  if (__lsan_disable) __lsan_disable();
}

void clibfuzzer_start_leak_check(void) {
  if (__lsan_enable) __lsan_enable();
}
