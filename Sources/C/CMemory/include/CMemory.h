#pragma once

// Lets the C library keep blocks of up to 32 MiB that are freed, and 64 MiB of them in each thread's arena, for the next
// ones. Otherwise the pages of each long document are given back, and mapped and cleared for the next: a quarter of the
// time of a response of 700 KB. Does nothing where the C library is not glibc.
void cmemory_keep_long_blocks(void);
