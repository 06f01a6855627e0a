#include "wire/wire.h"

#include "expect.h"

TEST(numbers_are_little_endian) {
  uint8_t bytes[8];
  put_u16(bytes, 0x1234);
  EXPECT_BYTES(bytes, "\x34\x12", 2);
  put_u32(bytes, 0x89abcdef);
  EXPECT_BYTES(bytes, "\xef\xcd\xab\x89", 4);
  put_u64(bytes, 0xfedcba9876543210);
  EXPECT_BYTES(bytes, "\x10\x32\x54\x76\x98\xba\xdc\xfe", 8);
}

TEST(what_is_put_is_got_again) {
  static const uint32_t values[] = { 0,      1,       0x7f,       0x80,       0x7fff,    0x8000,
                                     0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff };
  uint8_t bytes[4];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    put_u32(bytes, values[i]);
    EXPECT_EQUAL(get_u32(bytes), values[i]);
    put_u16(bytes, values[i]);
    EXPECT_EQUAL(get_u16(bytes), values[i] & 0xffff);
  }
}

TEST(a_signed_number_keeps_its_sign) {
  EXPECT_EQUAL(get_i16((const uint8_t *)"\xff\xff"), -1);
  EXPECT_EQUAL(get_i16((const uint8_t *)"\x00\x80"), -32768);
  EXPECT_EQUAL(get_i16((const uint8_t *)"\xff\x7f"), 32767);
}
