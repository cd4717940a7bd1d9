#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#endif
#include "CThreads.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  void (*body)(void *);
  void *argument;
#ifdef __linux__
  // The cores that the process may have, if the thread begins on some of them only.
  int is_held;
  cpu_set_t cores;
#endif
} work;

static void *run(void *argument) {
  work given = *(work *)argument;
  free(argument);
#ifdef __linux__
  if (given.is_held) sched_setaffinity(0, sizeof given.cores, &given.cores);
#endif
  given.body(given.argument);
  return NULL;
}

#ifdef __linux__
// Whether this is the only thread that wants to run, which the kernel says as in `0.1 0.2 0.1 1/80 123`.
static int is_alone(void) {
  int running = 0;
  FILE *file = fopen("/proc/loadavg", "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%*s %*s %*s %d/", &running) != 1) running = 0;
  fclose(file);
  return running == 1;
}

static void hold_elsewhere(work *work, pthread_attr_t *attributes) {
  int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !is_alone()) return;
  if (sched_getaffinity(0, sizeof work->cores, &work->cores) != 0) return;
  cpu_set_t others = work->cores;
  CPU_CLR(here, &others);
  if (CPU_COUNT(&others) == 0) return;
  work->is_held = pthread_attr_setaffinity_np(attributes, sizeof others, &others) == 0;
}
#endif

int cthreads_start(void (*body)(void *), void *argument) {
  work *work = calloc(1, sizeof *work);
  pthread_attr_t attributes;
  if (work == NULL || pthread_attr_init(&attributes) != 0) {
    free(work);
    return -1;
  }
  work->body = body;
  work->argument = argument;
#ifdef __linux__
  hold_elsewhere(work, &attributes);
#endif
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, run, work);
  pthread_attr_destroy(&attributes);
  if (status != 0) free(work);
  return status;
}
