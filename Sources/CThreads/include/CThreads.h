#pragma once

// Runs `body` on a thread of its own, which nobody waits for; answers 0 if there is one.
//
// Linux mostly begins a thread on the core of the one that makes it, and does not move it within the
// milliseconds of a brief command. Where no other process wants a core, this one begins on another.
int cthreads_start(void (*body)(void *), void *argument);
