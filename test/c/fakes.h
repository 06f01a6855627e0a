#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What stands in for the parts of the helper that a suite is not about, and for the X server: each notes in a line
 * what it was told to do.
 */

/** Adds a line to the notes. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The notes since the last call, one line each. */
const char *notes(void);

/** What now_us() gives, in microseconds. */
extern int64_t fake_now;

/** Begins another row of random numbers. */
void random_seed(uint32_t seed);

/** The next of a row of random numbers, the same in each run. */
uint32_t random_next(void);

/** A random number from 0, below `limit`. */
uint32_t random_below(uint32_t limit);

/** What the X server says when it is asked. */
extern struct fake_x {
  /** The modifiers that are held. */
  unsigned modifiers;
  /** Whether it has XKB. */
  bool no_keyboard;
  /** The key that is pressed already. */
  unsigned down;
  /** Whether the pointer is on the window that has the focus, at 100, 50. */
  bool focused;
} fake_x;

/** What capture, encoder and output do. */
extern struct fake_video {
  /** How many have been opened; each has the next number, and a capture takes events of that type for damage. */
  int captures, encoders;
  bool no_memory;
  /** Whether the X server refuses to copy the screen. */
  bool refused;
  /** Whether a frame waits for the reader. */
  bool pending;
  /** Whether the rate keeps frames below the wanted quality. */
  bool coarse;
} fake_video;
