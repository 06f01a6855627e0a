#include "rdp/rdp.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { SIZE = 0x10000, PICTURE = 0x1000, TEXTURE = 0x8000, DEPTH = 0xc000, WIDE = 32 };

static struct rdp rdp;

#define DRAW(...) \
  do { \
    const uint32_t words[] = { __VA_ARGS__ }; \
    rdp_words(&rdp, words, sizeof words / sizeof *words); \
  } while (0)

#define SCISSOR 0x2d000000, 0x00080080
#define PICTURE_16 0x3f10001f, PICTURE
#define PICTURE_32 0x3f18001f, PICTURE
#define MODE_FILL 0x2f300000, 0
#define MODE_COPY 0x2f200000, 0
/* One cycle; the combiner's result is taken as it is. */
#define MODE_ONE 0x2f000000, 0
/* The combiner gives the primitive colour, the shade, or the first texel. */
#define GIVES_PRIMITIVE 0x3c000000 | 0x5 << 5, 0x000006c3 | 0x000006c3 >> 3
#define RECTANGLE(left, top, right, bottom) 0x36000000 | (right) << 14 | (bottom) << 2, (left) << 14 | (top) << 2

static void begin(void) {
  static uint32_t words[SIZE / 4];
  memset(words, 0, sizeof words);
  memset(&rdp, 0, sizeof rdp);
  rdp.memory = (struct memory){ (uint8_t *)words, SIZE };
}

static unsigned at(int x, int y) {
  return memory_read16(&rdp.memory, PICTURE + (uint32_t)(y * WIDE + x) * 2);
}

/* (zero - zero) * zero + what `d` selects, in both cycles, colours and alpha. */
static void combine_gives(unsigned d) {
  DRAW(0x3c000000 | 8 << 20 | 16 << 15 | 7 << 12 | 7 << 9 | 8 << 5 | 16,
       8u << 28 | 8 << 24 | 7 << 21 | 7 << 18 | d << 15 | 7 << 12 | d << 9 | d << 6 | 7 << 3 | d);
}

TEST(a_rectangle_is_filled_with_both_of_its_ends) {
  begin();
  DRAW(SCISSOR, PICTURE_16, MODE_FILL, 0x37000000, 0xf801f801, RECTANGLE(2, 3, 4, 5));
  EXPECT_EQUAL(at(2, 3), 0xf801);
  EXPECT_EQUAL(at(4, 5), 0xf801);
  EXPECT_EQUAL(at(1, 3), 0);
  EXPECT_EQUAL(at(5, 3), 0);
  EXPECT_EQUAL(at(2, 2), 0);
  EXPECT_EQUAL(at(2, 6), 0);
}

TEST(pixels_of_32_bits_are_filled) {
  begin();
  DRAW(SCISSOR, PICTURE_32, MODE_FILL, 0x37000000, 0x11223344, RECTANGLE(0, 0, 1, 0));
  EXPECT_EQUAL(memory_read32(&rdp.memory, PICTURE + 4), 0x11223344);
  EXPECT_EQUAL(memory_read32(&rdp.memory, PICTURE + 8), 0);
}

TEST(nothing_is_drawn_outside_the_scissors) {
  begin();
  DRAW(0x2d000000 | 4 << 14 | 4 << 2, 8 << 14 | 8 << 2, PICTURE_16, MODE_FILL, 0x37000000, 0xffffffff,
       RECTANGLE(0, 0, 31, 31));
  EXPECT_EQUAL(at(4, 4), 0xffff);
  EXPECT_EQUAL(at(7, 7), 0xffff);
  EXPECT_EQUAL(at(3, 4), 0);
  EXPECT_EQUAL(at(8, 7), 0);
  EXPECT_EQUAL(at(7, 8), 0);
}

TEST(a_list_may_come_in_pieces) {
  begin();
  const uint32_t words[] = { SCISSOR,    PICTURE_16, MODE_FILL, 0x37000000, 0xf801f801, RECTANGLE(0, 0, 1, 1),
                             0x29000000, 0 };
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    EXPECT(!rdp.is_done);
    rdp_words(&rdp, words + i, 1);
  }
  EXPECT_EQUAL(at(1, 1), 0xf801);
  EXPECT(rdp.is_done);
}

TEST(what_lies_beyond_the_memory_is_left_alone) {
  begin();
  DRAW(SCISSOR, 0x3f10001f, 0x00ffff00, MODE_FILL, 0x37000000, 0xffffffff, RECTANGLE(0, 0, 31, 31));
  EXPECT_EQUAL(memory_read32(&rdp.memory, 0xffff00), 0);
}

TEST(a_triangle_is_as_wide_as_its_edges_say) {
  begin();
  /* From (0,0) down to (0,16), the other edge to the right by a pixel in each line. */
  DRAW(SCISSOR, PICTURE_16, MODE_FILL, 0x37000000, 0x07c107c1);
  DRAW(0x08800000 | 16 << 2, 16u << 18, 0, 0, 0, 0, 0, 0x00010000);
  EXPECT_EQUAL(at(0, 0), 0x07c1);
  EXPECT_EQUAL(at(1, 1), 0x07c1);
  EXPECT_EQUAL(at(3, 1), 0);
  EXPECT_EQUAL(at(15, 15), 0x07c1);
  EXPECT_EQUAL(at(0, 16), 0);
}

TEST(the_combiner_gives_the_primitive_colour) {
  begin();
  DRAW(SCISSOR, PICTURE_16, MODE_ONE, 0x3a000000, 0xff0000ff);
  combine_gives(3);
  DRAW(RECTANGLE(0, 0, 4, 4));
  EXPECT_EQUAL(at(3, 3), 0xf801);
  EXPECT_EQUAL(at(4, 3), 0);
  EXPECT_EQUAL(at(3, 4), 0);
}

TEST(half_of_what_is_there_shows_through) {
  begin();
  DRAW(SCISSOR, PICTURE_16, MODE_FILL, 0x37000000, 0xf801f801, RECTANGLE(0, 0, 7, 7));
  /* Forced: pixel * alpha + memory * (1 - alpha), which is read. */
  DRAW(0x2f000000, 0u << 30 | 0 << 26 | 1 << 22 | 0 << 18 | 1 << 14 | 1 << 6, 0x3a000000, 0x0000ff80);
  combine_gives(3);
  DRAW(RECTANGLE(0, 0, 4, 4));
  unsigned r = at(1, 1) >> 11, b = at(1, 1) >> 1 & 31;
  EXPECT(r > 12 && r < 18);
  EXPECT(b > 12 && b < 18);
}

static void texture_16(void) {
  for (unsigned i = 0; i < 16; i++) memory_write16(&rdp.memory, TEXTURE + i * 2, (uint16_t)(0x0841 + (i << 8)));
  /* 4x4 texels of 16 bits, one pair in each line. */
  DRAW(SCISSOR, PICTURE_16, 0x3d100003, TEXTURE, 0x35100200, 0, 0x34000000, 0x0000c00c);
}

TEST(a_texture_is_copied) {
  begin();
  texture_16();
  DRAW(MODE_COPY, 0x24000000 | 3 << 14 | 3 << 2, 0, 0, 0x10000400);
  EXPECT_EQUAL(at(0, 0), 0x0841);
  EXPECT_EQUAL(at(3, 0), 0x0b41);
  EXPECT_EQUAL(at(1, 1), 0x0d41);
  EXPECT_EQUAL(at(3, 3), 0x1741);
}

TEST(a_texture_goes_through_the_combiner) {
  begin();
  texture_16();
  DRAW(MODE_ONE);
  combine_gives(1);
  DRAW(0x24000000 | 4 << 14 | 4 << 2, 0, 0, 0x04000400);
  EXPECT_EQUAL(at(1, 0), 0x0941);
  EXPECT_EQUAL(at(2, 3), 0x1641);
}

TEST(colours_come_from_a_palette) {
  begin();
  memory_write16(&rdp.memory, TEXTURE + 5 * 2, 0xf801);
  for (unsigned i = 0; i < 8; i++) memory_write8(&rdp.memory, TEXTURE + 0x400 + i, i == 2 ? 5 : 0);
  DRAW(SCISSOR, PICTURE_16, 0x3d100000, TEXTURE, 0x35000100, 0x07000000, 0x30000000, 0x073fc000);
  DRAW(0x3d480007, TEXTURE + 0x400, 0x35480200, 0, 0x34000000, 0x0001c000);
  DRAW(0x2f008000, 0);
  combine_gives(1);
  DRAW(0x24000000 | 4 << 14 | 1 << 2, 0, 0, 0x04000400);
  EXPECT_EQUAL(at(2, 0), 0xf801);
  EXPECT_EQUAL(at(1, 0), 0x0001);
}

TEST(depths_come_back_as_they_were_packed) {
  for (uint32_t z = 0; z < 0x40000; z += 97) {
    uint32_t back = depth_unpack(depth_pack(z));
    EXPECT(back <= z);
    EXPECT(z - back < 64);
  }
  EXPECT_EQUAL(depth_unpack(depth_pack(0x3ffff)), 0x3ffff);
}

TEST(what_lies_behind_is_not_drawn) {
  begin();
  combine_gives(3);
  DRAW(SCISSOR, PICTURE_16, 0x3e000000, DEPTH);
  for (uint32_t i = 0; i < WIDE * 32; i++) memory_write16(&rdp.memory, DEPTH + i * 2, 0xfffc);
  /* Compared and written, of the primitive. */
  const uint32_t near = 0x10000000, far = 0x60000000, red = 0xff0000ff, blue = 0x0000ffff;
  DRAW(0x2f000000, 1 << 5 | 1 << 4 | 1 << 2);
  DRAW(0x2e000000, near, 0x3a000000, red, RECTANGLE(0, 0, 4, 4));
  DRAW(0x2e000000, far, 0x3a000000, blue, RECTANGLE(0, 0, 8, 4));
  EXPECT_EQUAL(at(1, 1), 0xf801);
  EXPECT_EQUAL(at(6, 1), 0x003f);
}

TEST(any_list_is_survived) {
  begin();
  srand(7);
  for (int i = 0; i < 4000; i++) {
    uint32_t noise[8];
    for (int j = 0; j < 8; j++) noise[j] = (uint32_t)rand() << 16 ^ (uint32_t)rand();
    /* Small pictures, so that it does not take long. */
    if (i % 4 == 0) DRAW(SCISSOR);
    rdp_words(&rdp, noise, 8);
    rdp.bottom &= 0xff;
    rdp.right &= 0xff;
  }
}
