#include "wire/in.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"
#include "fakes.h"
#include "wire/messages.h"
#include "wire/wire.h"

enum { LARGEST = USER_BYTES + CONTENT_BYTES + CONTENT_MAX_BYTES };

static int reader;
static size_t last_size;

static void handle(uint32_t user, const uint8_t *message, size_t size) {
  last_size = size;
  note("user %u type %u size %zu last %u", user, message[0], size, message[size - 1]);
}

/* Makes stdin a pipe. */
static void start(void) {
  int ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  dup2(ends[0], STDIN_FILENO);
  reader = ends[1];
  fcntl(reader, F_SETPIPE_SZ, 1 << 20);
  in_start();
}

static void feed(const void *bytes, size_t size) {
  EXPECT_EQUAL(write(reader, bytes, size), size);
}

static const char *read_all(void) {
  EXPECT(in_read(handle));
  return notes();
}

TEST(each_whole_message_is_handed_over_in_turn) {
  start();
  feed("\x05\0\0\0\x07\0\0\0\x16\x06\0\0\0\x08\0\0\0\x20\x21", 19);
  EXPECT_TEXT(read_all(), "user 7 type 22 size 1 last 22\nuser 8 type 32 size 2 last 33\n");
}

TEST(a_message_that_comes_byte_by_byte_is_put_together) {
  static const char message[] = "\x07\0\0\0\x01\x02\x03\x04\x13\x01\x02";
  start();
  for (size_t i = 0; i < 10; i++) {
    feed(message + i, 1);
    EXPECT_TEXT(read_all(), "");
  }
  feed(message + 10, 1);
  EXPECT_TEXT(read_all(), "user 67305985 type 19 size 3 last 2\n");
}

TEST(nothing_to_read_is_not_the_end) {
  start();
  EXPECT(in_read(handle));
  close(reader);
  EXPECT(!in_read(handle));
}

TEST(what_is_too_short_for_a_type_is_dropped) {
  start();
  feed("\0\0\0\0\x03\0\0\0\x01\x02\x03\x04\0\0\0\x01\x02\x03\x04\x05\0\0\0\x01\0\0\0\x16", 28);
  EXPECT_TEXT(read_all(), "user 1 type 22 size 1 last 22\n");
}

/* Sends a message of `length` bytes with its length prefix, in parts that the pipe takes, and a short one. */
static void send_long(uint32_t length) {
  uint8_t *message = calloc(1, 4 + length);
  put_u32(message, length);
  message[8] = MESSAGE_CLIPBOARD;
  for (size_t sent = 0, size; sent < 4 + length; sent += size) {
    size = 4 + length - sent < 100000 ? 4 + length - sent : 100000;
    feed(message + sent, size);
    EXPECT(in_read(handle));
  }
  free(message);
  feed("\x05\0\0\0\x09\0\0\0\x16", 9);
  EXPECT(in_read(handle));
}

TEST(the_largest_message_is_taken) {
  start();
  send_long(LARGEST);
  EXPECT_TEXT(notes(), "user 0 type 9 size 12582921 last 0\nuser 9 type 22 size 1 last 22\n");
}

TEST(a_larger_one_is_skipped_and_the_next_is_taken) {
  start();
  send_long(LARGEST + 1);
  EXPECT_TEXT(notes(), "user 9 type 22 size 1 last 22\n");
  send_long(13 << 20);
  EXPECT_TEXT(notes(), "user 9 type 22 size 1 last 22\n");
}
