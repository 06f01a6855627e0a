#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encode/quality.h"

/**
 * What stands in for the parts of the helper that a suite is not about, and for the X server: each notes in a line
 * what it was told to do.
 */

/** Adds a line to the recorded calls. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The recorded calls since the last query, one per line. */
const char *notes(void);

/** The return value of now_us(), in microseconds. */
extern int64_t fake_now;

/** Restarts the random number sequence. */
void random_seed(uint32_t seed);

/** The next random number; the sequence is the same in each run. */
uint32_t random_next(void);

/** A random number from 0, below `limit`. */
uint32_t random_below(uint32_t limit);

/** The X server's answers to queries. */
extern struct fake_x {
  /** The modifiers that are held. */
  unsigned modifiers;
  /** Whether it has XKB. */
  bool no_keyboard;
  /** The key that is already pressed. */
  unsigned down;
  /** Whether the pointer is over the focused window, at 100, 50. */
  bool focused;
  /** Whether a program has the keyboard for itself. */
  bool grabbed;
  /** Whether the pointer rests. */
  bool resting;
} fake_x;

/** Behaviour of capture, encoder and output. */
extern struct fake_video {
  /** How many have been opened; they are numbered in sequence, and a capture treats events of that type as damage. */
  int captures, encoders;
  bool no_memory;
  /** Whether what is drawn is followed. */
  bool watched;
  /** Whether the X server refuses to copy the screen. */
  bool refused;
  /** Whether what is drawn is the same as before. */
  bool same;
  /** Whether changes are simple enough for patches. */
  bool simple;
  /** Whether a frame waits for the reader. */
  bool pending;
  /** Frame periods since the frame before, as the encoder was told with the last one. */
  int periods;
  enum occasion occasion;
  /** Whether the rate keeps frames below the wanted quality. */
  bool coarse;
} fake_video;
