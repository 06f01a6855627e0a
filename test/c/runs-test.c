#include "video/runs.h"

#include <stdlib.h>
#include <string.h>

#include "desktop/pixel.h"
#include "expect.h"
#include "fakes.h"

enum { WIDTH = 5, HEIGHT = 3, RUN_BYTES = 4 };

/* Encodes rows that are further apart than they are long. */
static size_t encode(const uint32_t *pixels, size_t row, uint8_t *to, size_t capacity) {
  return runs_encode((const uint8_t *)pixels, row * sizeof *pixels, WIDTH, HEIGHT, to, capacity);
}

TEST(one_colour_is_one_run_whatever_the_unused_bytes_are) {
  uint32_t pixels[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) pixels[i] = 0x123456 | (uint32_t)i << 24;
  uint8_t runs[16];
  EXPECT_EQUAL(encode(pixels, WIDTH, runs, sizeof runs), 4);
  EXPECT(memcmp(runs, "\x0f\x12\x34\x56", 4) == 0);
}

TEST(runs_go_on_over_the_ends_of_rows_and_leave_out_what_is_beside_them) {
  uint32_t pixels[HEIGHT][WIDTH + 2] = { { 1, 1, 1, 2, 2, 9, 9 }, { 2, 2, 2, 2, 3, 9, 9 }, { 3, 3, 3, 3, 3, 9, 9 } };
  uint8_t runs[32];
  EXPECT_EQUAL(encode(pixels[0], WIDTH + 2, runs, sizeof runs), 12);
  EXPECT(memcmp(runs, "\x03\0\0\x01\x06\0\0\x02\x06\0\0\x03", 12) == 0);
}

TEST(long_runs_have_long_counts) {
  uint32_t *pixels = calloc(1000 * 300, sizeof *pixels);
  uint8_t runs[16];
  EXPECT_EQUAL(runs_encode((const uint8_t *)pixels, 1000 * PIXEL_BYTES, 1000, 300, runs, sizeof runs), 6);
  EXPECT(memcmp(runs, "\xe0\xa7\x12\0\0\0", 6) == 0);
  free(pixels);
}

TEST(what_does_not_fit_is_no_result) {
  uint32_t pixels[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) pixels[i] = (uint32_t)i;
  uint8_t runs[64];
  EXPECT_EQUAL(encode(pixels, WIDTH, runs, 64), 60);
  EXPECT_EQUAL(encode(pixels, WIDTH, runs, 40), 0);
  EXPECT_EQUAL(encode(pixels, WIDTH, runs, 0), 0);
}

TEST(any_pixels_come_out_again) {
  random_seed(1);
  for (int round = 0; round < 200; round++) {
    uint32_t pixels[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) pixels[i] = random_below(2) * 0xabcdef;
    uint8_t runs[WIDTH * HEIGHT * RUN_BYTES + 8];
    size_t size = encode(pixels, WIDTH, runs, sizeof runs), count = 0;
    for (uint8_t *run = runs; run < runs + size; run += RUN_BYTES) {
      for (int i = 0; i < run[0]; i++) out[count++] = (uint32_t)run[1] << 16 | (uint32_t)run[2] << 8 | run[3];
    }
    EXPECT_EQUAL(count, WIDTH * HEIGHT);
    EXPECT(memcmp(pixels, out, sizeof out) == 0);
  }
}
