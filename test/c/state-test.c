#include "psx/state.h"

#include <string.h>

#include "expect.h"

/* A state with the variables "XPC" and "PC", which follow the lengths of their names and precede their sizes. */
static uint8_t state[] = "\x03XPC\x04\0\0\0\x01\x02\x03\x84"
                         "\x02PC\x04\0\0\0\x05\x06\x07\x88";
enum { SIZE = sizeof state - 1 };

TEST(a_variable_is_found_by_its_whole_name) {
  EXPECT_EQUAL(state_variable(state, SIZE, "XPC", 4) - state, 8);
  EXPECT_EQUAL(state_variable(state, SIZE, "PC", 4) - state, 19);
  EXPECT(state_variable(state, SIZE, "C", 4) == NULL);
  EXPECT(state_variable(state, SIZE, "Y", 4) == NULL);
}

TEST(a_variable_has_its_size_and_is_within_the_state) {
  EXPECT(state_variable(state, SIZE, "PC", 2) == NULL);
  EXPECT(state_variable(state, SIZE - 1, "PC", 4) == NULL);
  EXPECT(state_variable(state, 0, "PC", 4) == NULL);
}

TEST(numbers_have_their_lowest_byte_first) {
  uint8_t *counter = state_variable(state, SIZE, "PC", 4);
  EXPECT_EQUAL(read32(counter), 0x88070605);
  write32(counter, 0xbfc05750);
  EXPECT_EQUAL(read32(counter), 0xbfc05750);
  EXPECT_EQUAL(counter[0], 0x50);
}
