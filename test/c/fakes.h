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
