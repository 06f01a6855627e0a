#include "dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "fakes.h"
#include "wire/messages.h"

enum { USER = 5 };

/* Passes a message in memory of exactly its size, so that out-of-bounds reads are detected. */
static void dispatch_exactly(const void *message, size_t size) {
  uint8_t *copy = malloc(size);
  memcpy(copy, message, size);
  dispatch(NULL, USER, copy, size);
  free(copy);
}

/* The effect of a message with a text that may contain zeros. */
#define EFFECT(message) (dispatch_exactly(message, sizeof message - 1), notes())

TEST(input_reaches_pointer_and_keyboard) {
  EXPECT_TEXT(EFFECT("\x10\x01\x02\xff\xff"), "move 513 65535\n");
  EXPECT_TEXT(EFFECT("\x11\x02\x01\x01\0\x02\0"), "move 1 2\nbutton user 5 button 2 down 1\n");
  EXPECT_TEXT(EFFECT("\x12\xff\xff\x00\x80\x03\0\x04\0"), "move 3 4\nwheel -1 -32768\n");
  EXPECT_TEXT(EFFECT("\x13\x01\x61\0\0\0"), "key user 5 down 1 symbol 0x61 place 0\n");
  EXPECT_TEXT(EFFECT("\x18\x01\x61\0\0\0\x26"), "key user 5 down 1 symbol 0x61 place 38\n");
  EXPECT_TEXT(EFFECT("\x14xyz"), "text xyz\n");
  EXPECT_TEXT(EFFECT("\x16"), "keyboard release 5\npointer release 5\n");
  EXPECT_TEXT(EFFECT("\x35\x78\0\x88\xff"), "turn 120 -120\n");
}

TEST(what_the_agent_asks_for_is_done) {
  EXPECT_TEXT(EFFECT("\x09text"), "clipboard text\n");
  EXPECT_TEXT(EFFECT("\x19\x02\0\0\0\x03\0\0\0te<b>png"), "clipboard te\nclipboard html <b>\nclipboard png png\n");
  EXPECT_TEXT(EFFECT("\x19\0\0\0\0\0\0\0\0png"), "clipboard png png\n");
  EXPECT_TEXT(EFFECT("\x30"), "key frame\n");
  EXPECT_TEXT(EFFECT("\x31\x40\x1f\0\0"), "rate 8000\n");
  EXPECT_TEXT(EFFECT("\x32\x01\0"), "video 1\naudio 0\n");
  EXPECT_TEXT(EFFECT("\x33\0\x05\xd0\x02\x3c\x02\x01"), "display 1280x720 fps 60 quality 2 chroma444 1\n");
  EXPECT_TEXT(EFFECT("\x34\x40\x01"), "shot 320\n");
  EXPECT_TEXT(EFFECT("\x36\x01\xe8\x03\0\0"), "small layer 1 rate 1000\n");
  EXPECT_TEXT(EFFECT("\x37"), "small key frame\n");
  EXPECT_TEXT(EFFECT("\x38\x01\x02\xff\xff"), "find target 513 65535\n");
  EXPECT_TEXT(EFFECT("\x39\x02\0\x60\0"), "activate 6291458\n");
  EXPECT_TEXT(EFFECT("\x3a\x02\0\x60\0"), "close 6291458\n");
  EXPECT_TEXT(EFFECT("\x3b\x02\0\x60\0\xff\xff\x0a\0\x2c\x01\xc8\0"), "place 6291458 at -1 10 size 300x200\n");
}

TEST(values_out_of_range_do_nothing) {
  EXPECT_TEXT(EFFECT("\x11\x05\x01\x01\0\x02\0"), "");
  EXPECT_TEXT(EFFECT("\x11\0\x02\x01\0\x02\0"), "");
  EXPECT_TEXT(EFFECT("\x13\x02\x61\0\0\0"), "");
  EXPECT_TEXT(EFFECT("\x13\x01\0\0\0\0"), "");
  EXPECT_TEXT(EFFECT("\x13\x01\0\0\0\x20"), "");
  EXPECT_TEXT(EFFECT("\x32\x02\0"), "");
  EXPECT_TEXT(EFFECT("\x32\0\x02"), "");
  EXPECT_TEXT(EFFECT("\x36\x02\xe8\x03\0\0"), "");
  EXPECT_TEXT(EFFECT("\x3b\x02\0\x60\0\xff\xff\x0a\0\0\0\xc8\0"), "");
  EXPECT_TEXT(EFFECT("\x33\0\0\xd0\x02\x3c\x02\x01"), "");
  EXPECT_TEXT(EFFECT("\x33\0\x05\0\0\x3c\x02\x01"), "");
  EXPECT_TEXT(EFFECT("\x33\0\x05\xd0\x02\0\x02\x01"), "");
  EXPECT_TEXT(EFFECT("\x33\0\x05\xd0\x02\x3d\x02\x01"), "");
  EXPECT_TEXT(EFFECT("\x33\0\x05\xd0\x02\x3c\x03\x01"), "");
  EXPECT_TEXT(EFFECT("\x33\0\x05\xd0\x02\x3c\x02\x02"), "");
}

TEST(a_message_of_any_other_size_does_nothing) {
  static const struct {
    uint8_t type;
    size_t size;
  } layouts[] = {
    { MESSAGE_MOVE, 5 },           { MESSAGE_BUTTON, 7 }, { MESSAGE_WHEEL, 9 },      { MESSAGE_KEY, 6 },
    { MESSAGE_RELEASE, 1 },        { MESSAGE_TURN, 5 },   { MESSAGE_STREAM, 3 },     { MESSAGE_SET_DISPLAY, 8 },
    { MESSAGE_KEYFRAME, 1 },       { MESSAGE_RATE, 5 },   { MESSAGE_SCREENSHOT, 3 }, { MESSAGE_SMALL_LAYER, 6 },
    { MESSAGE_SMALL_KEYFRAME, 1 },
  };
  uint8_t message[16];
  memset(message, 1, sizeof message);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    message[0] = layouts[i].type;
    for (size_t size = 1; size <= sizeof message; size++) {
      dispatch_exactly(message, size);
      bool done = *notes() != 0;
      EXPECT_EQUAL(done, size == layouts[i].size);
    }
  }
}

TEST(texts_have_their_largest_size) {
  static uint8_t message[CLIPBOARD_MAX_BYTES + 2];
  memset(message, 'a', sizeof message);
  message[0] = MESSAGE_TEXT;
  dispatch_exactly(message, 1 + TEXT_MAX_BYTES);
  EXPECT(*notes() != 0);
  dispatch_exactly(message, 2 + TEXT_MAX_BYTES);
  EXPECT_TEXT(notes(), "");
  message[0] = MESSAGE_CLIPBOARD;
  dispatch_exactly(message, 1 + CLIPBOARD_MAX_BYTES);
  EXPECT(*notes() != 0);
  dispatch_exactly(message, 2 + CLIPBOARD_MAX_BYTES);
  EXPECT_TEXT(notes(), "");
  EXPECT_TEXT(EFFECT("\x19\x02\0\0\0\0\0\0\0t"), "");
  EXPECT_TEXT(EFFECT("\x19\0\0\0\0\0\0\0\0"), "");
}

TEST(types_that_the_helper_does_not_take_do_nothing) {
  static const char taken[] = { 0x09, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x19, 0x30, 0x31,
                                0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b };
  uint8_t message[16] = { 0 };
  for (unsigned type = 0; type < 256; type++) {
    if (memchr(taken, (int)type, sizeof taken)) continue;
    message[0] = (uint8_t)type;
    for (size_t size = 1; size <= sizeof message; size++) dispatch_exactly(message, size);
  }
  EXPECT_TEXT(notes(), "");
}
