#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts every test of a run at once unless this variable bounds them. Thousands of tasks then stand
// before each step of a test, and time limits of seconds pass in a queue.
__attribute__((constructor)) static void bound_tests_that_run_at_once(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char width[24];
  snprintf(width, sizeof width, "%ld", cores > 1 ? 2 * cores : 4);
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
