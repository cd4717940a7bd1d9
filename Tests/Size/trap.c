// Which functions of a process run between two signals: a breakpoint at the beginning of each, taken away when it is hit.
// Loaded with LD_PRELOAD by passed.py. OFFSETS names the file of offsets, HITS the one that gets those that ran.
// SIGUSR1 sets the breakpoints, SIGUSR2 writes the hits and takes them away. Linux on x86-64.
#define _GNU_SOURCE
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static unsigned long base;
static unsigned long *offsets;
static unsigned char *saved, *hit;
static int count;

static int first_object(struct dl_phdr_info *info, size_t size, void *data) {
  base = info->dlpi_addr;
  return 1;
}

static int place(unsigned long offset) {
  int low = 0, high = count - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (offsets[middle] == offset) return middle;
    if (offsets[middle] < offset) low = middle + 1; else high = middle - 1;
  }
  return -1;
}

static void trapped(int signal, siginfo_t *info, void *context) {
  ucontext_t *state = context;
  unsigned long address = state->uc_mcontext.gregs[REG_RIP] - 1;
  int index = place(address - base);
  if (index < 0) return;
  hit[index] = 1;
  *(unsigned char *)address = saved[index];
  state->uc_mcontext.gregs[REG_RIP] = address;
}

static void arm(int signal) {
  for (int index = 0; index < count; index++) {
    hit[index] = 0;
    *(unsigned char *)(base + offsets[index]) = 0xCC;
  }
}

static void report(int signal) {
  FILE *file = fopen(getenv("HITS"), "w");
  for (int index = 0; index < count; index++) {
    if (hit[index]) fprintf(file, "%lx\n", offsets[index]);
    else *(unsigned char *)(base + offsets[index]) = saved[index];
  }
  fputs("end\n", file);
  fclose(file);
}

__attribute__((constructor)) static void start(void) {
  char *path = getenv("OFFSETS");
  if (!path) return;
  unsetenv("LD_PRELOAD");
  dl_iterate_phdr(first_object, NULL);
  FILE *file = fopen(path, "r");
  unsigned long offset;
  int capacity = 1 << 20;
  offsets = malloc(sizeof(unsigned long) * capacity);
  while (count < capacity && fscanf(file, "%lx", &offset) == 1) offsets[count++] = offset;
  fclose(file);
  saved = malloc(count);
  hit = calloc(count, 1);
  long page = sysconf(_SC_PAGESIZE);
  for (int index = 0; index < count; index++) {
    unsigned long address = base + offsets[index];
    mprotect((void *)(address & ~(page - 1)), page, PROT_READ | PROT_WRITE | PROT_EXEC);
    saved[index] = *(unsigned char *)address;
  }
  struct sigaction trap = {0}, act = {0};
  trap.sa_sigaction = trapped;
  trap.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGTRAP, &trap, NULL);
  act.sa_flags = SA_RESTART;
  act.sa_handler = arm;
  sigaction(SIGUSR1, &act, NULL);
  act.sa_handler = report;
  sigaction(SIGUSR2, &act, NULL);
}
