#include "rdp/vi.h"

#include "expect.h"

static uint32_t words[0x1000];
static const struct memory memory = { (uint8_t *)words, sizeof words };
static struct vi_picture picture;
/* 320x240 of an American console, from an uncached address. */
static const struct vi_registers usual = {
  .status = 2,
  .origin = 0xa0000100,
  .width = 320,
  .v_sync = 0x20d,
  .h_start = 0x006c02ec,
  .v_start = 0x002501ff,
  .x_scale = 0x200,
  .y_scale = 0x400,
};

TEST(of_an_address_the_hardware_takes_24_bits) {
  struct memory all = memory;
  memory_write16(&all, 0x100, 0xf801);
  EXPECT(vi_fetch(&memory, &usual, &picture));
  EXPECT_EQUAL(picture.width, 320);
  EXPECT_EQUAL(picture.height, 237);
  EXPECT_EQUAL(picture.pixels[0], 0xff0000ff);
  EXPECT_EQUAL(picture.pixels[1], 0xff000000);
  EXPECT(picture.left == 0 && picture.right == 1 && picture.top == 0 && picture.bottom == 1);
}

TEST(pixels_of_32_bits_are_shown) {
  struct memory all = memory;
  struct vi_registers deep = usual;
  deep.status = 3;
  memory_write32(&all, 0x104, 0x102030e0);
  EXPECT(vi_fetch(&memory, &deep, &picture));
  EXPECT_EQUAL(picture.pixels[1], 0xff302010);
}

TEST(nothing_is_shown_while_it_is_off) {
  struct vi_registers off = usual;
  off.status = 0;
  EXPECT(!vi_fetch(&memory, &off, &picture));
  off = usual;
  off.h_start = 0;
  EXPECT(!vi_fetch(&memory, &off, &picture));
}

TEST(any_registers_are_survived) {
  struct vi_registers most = { 3, ~0u, ~0u, ~0u, 0x000003ff, 0x000003ff, ~0u, ~0u };
  EXPECT(vi_fetch(&memory, &most, &picture));
  EXPECT(picture.width <= VI_MAX_WIDTH && picture.height <= VI_MAX_HEIGHT);
}
