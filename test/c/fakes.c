#include "fakes.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/clock.h"

enum { NOTES_BYTES = 1 << 16 };

static char text[2][NOTES_BYTES];
static size_t length;
static int current;

/* Not 0, which the helper would consider a time before its start. */
int64_t fake_now = 1000000;

int64_t now_us(void) {
  return fake_now;
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(text[current] + length, NOTES_BYTES - length, format, arguments);
  va_end(arguments);
  if (added < 0 || length + (size_t)added + 1 >= NOTES_BYTES) return;
  length += (size_t)added;
  text[current][length++] = '\n';
  text[current][length] = 0;
}

const char *notes(void) {
  const char *noted = text[current];
  current = !current;
  text[current][0] = 0;
  length = 0;
  return noted;
}

static uint64_t state = 0x9e3779b97f4a7c15;

void random_seed(uint32_t seed) {
  state = 0x9e3779b97f4a7c15 * (2 * (uint64_t)seed + 1);
}

uint32_t random_next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32);
}

uint32_t random_below(uint32_t limit) {
  return (uint32_t)((uint64_t)random_next() * limit >> 32);
}
