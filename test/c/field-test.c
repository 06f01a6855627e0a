#include "psx/field.h"

#include <stdint.h>
#include <string.h>

#include "expect.h"

enum { LUI = 0x3c080000, ADDIU = 0x25080000, ORI = 0x35080000, OTHER = 0x35280000, NTSC = 0, PAL = 1 };

/* Whether instructions are changed to others. */
static bool becomes(bool is_pal, uint32_t first, uint32_t second, uint32_t wanted_first, uint32_t wanted_second) {
  uint32_t code[] = { 0, first, 0x0c004000, second, 0 }, wanted[] = { 0, wanted_first, 0x0c004000, wanted_second, 0 };
  bool is_found = field_mend_program((uint8_t *)code, sizeof code, is_pal);
  return is_found && memcmp(code, wanted, sizeof code) == 0;
}

static bool stays(bool is_pal, uint32_t first, uint32_t second) {
  uint32_t code[] = { first, second }, before[] = { first, second };
  bool is_found = field_mend_program((uint8_t *)code, sizeof code, is_pal);
  return !is_found && memcmp(code, before, sizeof code) == 0;
}

TEST(a_picture_that_ends_after_its_field_ends_with_it) {
  EXPECT(becomes(NTSC, LUI | 0x0704, ORI | 0x2018, LUI | 0x0704, ORI | 0x1418));
  EXPECT(becomes(NTSC, LUI | 0x0704, ADDIU | 0x2018, LUI | 0x0704, ADDIU | 0x1418));
  EXPECT(becomes(NTSC, LUI | 0x0704, ORI | 0xb81e, LUI | 0x0704, ORI | 0x141e));
  EXPECT(becomes(PAL, LUI | 0x0705, ORI | 0x0018, LUI | 0x0704, ORI | 0xdc18));
}

TEST(a_picture_that_counts_the_lines_of_both_fields_has_half_of_them) {
  EXPECT(becomes(NTSC, LUI | 0x0707, ORI | 0xc010, LUI | 0x0704, ORI | 0x0010));
  EXPECT(becomes(NTSC, LUI | 0x0708, ADDIU | 0xc010, LUI | 0x0704, ADDIU | 0x0010));
  EXPECT(becomes(NTSC, LUI | 0x0707, ORI | 0xe018, LUI | 0x0704, ORI | 0x1418));
  EXPECT(becomes(PAL, LUI | 0x0707, ORI | 0xe018, LUI | 0x0704, ORI | 0x2018));
}

TEST(everything_else_stays) {
  EXPECT(stays(NTSC, 0, 0));
  EXPECT(stays(NTSC, LUI | 0x0704, ORI | 0x0010));
  EXPECT(stays(NTSC, LUI | 0x0704, ORI | 0x1418));
  EXPECT(stays(PAL, LUI | 0x0704, ORI | 0xb81e));
  EXPECT(stays(NTSC, LUI | 0x0604, ORI | 0x2018));
  EXPECT(stays(NTSC, LUI | 0x0704, OTHER | 0x2018));
  EXPECT(stays(NTSC, LUI | 0x0704, ORI | 0x212c));
  uint32_t alone = LUI | 0x0704;
  EXPECT(!field_mend_program((uint8_t *)&alone, sizeof alone, NTSC));
}

static const char STATE[] = "\x09VertStart\4\0\0\0\x18\0\0\0\x07VertEnd\4\0\0\0\x08\1\0\0";

TEST(the_state_ends_its_picture_with_the_field) {
  uint8_t state[sizeof STATE], wanted[sizeof STATE];
  memcpy(state, STATE, sizeof STATE);
  memcpy(wanted, STATE, sizeof STATE);
  wanted[sizeof STATE - 5] = 5;
  EXPECT(!field_mend_state(state, sizeof STATE, PAL));
  EXPECT(field_mend_state(state, sizeof STATE, NTSC));
  EXPECT_BYTES(state, wanted, sizeof STATE);
  EXPECT(!field_mend_state(state, sizeof STATE, NTSC));
}

TEST(a_state_without_these_variables_stays) {
  uint8_t state[sizeof STATE];
  memcpy(state, STATE, sizeof STATE);
  EXPECT(!field_mend_state(state, 0, NTSC));
  EXPECT(!field_mend_state(state, sizeof STATE - 3, NTSC));
  state[30] = 2;
  EXPECT(!field_mend_state(state, sizeof STATE, NTSC));
}
