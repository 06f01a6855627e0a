#include "video/runs.h"

#include <stdbool.h>
#include <string.h>

#include "desktop/pixel.h"

enum { RUN_BYTES_MAX = 5 + 3 };

static const uint32_t COLOUR = 0x00ffffff;
static const uint64_t TWO_COLOURS = 0x00ffffff00ffffff;

static uint32_t colour_at(const uint8_t *pixel) {
  uint32_t value;
  memcpy(&value, pixel, sizeof value);
  return value & COLOUR;
}

/* How many of the row's pixels from `x` on have the colour. */
static int same(const uint8_t *row, int x, int width, uint32_t colour) {
  int begin = x;
  for (uint64_t two, wanted = (uint64_t)colour << 32 | colour; x + 1 < width; x += 2) {
    memcpy(&two, row + (ptrdiff_t)x * PIXEL_BYTES, sizeof two);
    if ((two & TWO_COLOURS) != wanted) break;
  }
  while (x < width && colour_at(row + (ptrdiff_t)x * PIXEL_BYTES) == colour) x++;
  return x - begin;
}

static uint8_t *put_run(uint8_t *to, uint32_t count, uint32_t colour) {
  for (; count > 0x7f; count >>= 7) *to++ = (uint8_t)(count | 0x80);
  *to++ = (uint8_t)count;
  *to++ = (uint8_t)(colour >> 16);
  *to++ = (uint8_t)(colour >> 8);
  *to++ = (uint8_t)colour;
  return to;
}

size_t runs_encode(const uint8_t *pixels, size_t stride, int width, int height, uint8_t *to, size_t capacity) {
  uint8_t *at = to, *end = to + capacity;
  uint32_t colour = colour_at(pixels), count = 0;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = pixels + (size_t)y * stride;
    for (int x = 0; x < width;) {
      int more = same(row, x, width, colour);
      x += more;
      count += (uint32_t)more;
      if (x == width) break;
      if (end - at < RUN_BYTES_MAX) return 0;
      at = put_run(at, count, colour);
      colour = colour_at(row + (ptrdiff_t)x * PIXEL_BYTES);
      count = 0;
    }
  }
  if (end - at < RUN_BYTES_MAX) return 0;
  return (size_t)(put_run(at, count, colour) - to);
}
