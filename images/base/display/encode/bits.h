#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The bits of a NAL unit. After its end all are 0, and `ended` is set. */
struct bits {
  const uint8_t *bytes;
  size_t size, at;
  bool ended;
};

/** Copies a NAL unit without its emulation prevention bytes to `bytes`, of which there are `capacity`, to read it. */
struct bits bits_of(uint8_t *bytes, size_t capacity, const uint8_t *unit, size_t size);

/** The next `count` bits, at most 32. */
uint32_t bits_read(struct bits *bits, int count);

/** The next unsigned Exp-Golomb code. */
uint32_t bits_golomb(struct bits *bits);
