#include "wire/out.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "expect.h"
#include "wire/messages.h"
#include "wire/wire.h"

enum { FRAME_BYTES = 200000, ENVELOPE_BYTES = 8 };

static int reader, wake;
static uint8_t frame[FRAME_BYTES];
static const uint8_t head[] = { MESSAGE_WINDOWS, 3, 0 };

/* Makes stdout a pipe that takes 64 KiB. */
static void start(void) {
  int ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  reader = ends[0];
  fcntl(reader, F_SETPIPE_SZ, 65536);
  fcntl(reader, F_SETFL, O_NONBLOCK);
  wake = eventfd(0, EFD_NONBLOCK);
  signal(SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < FRAME_BYTES; i++) frame[i] = (uint8_t)(i * 7);
  out_start(wake);
}

static bool send_frame(void) {
  uint8_t type = MESSAGE_VIDEO;
  return out_send(&type, 1, frame, FRAME_BYTES);
}

/* Reads everything that arrives while the helper flushes; returns its size. */
static size_t drain(uint8_t *into, size_t room) {
  size_t total = 0;
  ssize_t size;
  do {
    EXPECT(out_flush());
    size = read(reader, into + total, room - total);
    if (size > 0) total += (size_t)size;
  } while (size > 0 || out_pending());
  return total;
}

TEST(a_message_goes_out_behind_its_length_and_user_0) {
  uint8_t bytes[64];
  start();
  EXPECT(out_send(head, sizeof head, (const uint8_t *)"abc", 3));
  EXPECT_EQUAL(read(reader, bytes, sizeof bytes), 14);
  EXPECT_BYTES(bytes, "\x0a\0\0\0\0\0\0\0\x0a\x03\0abc", 14);
  EXPECT(!out_pending());
}

TEST(what_the_pipe_does_not_take_is_kept_in_order) {
  static uint8_t bytes[2 * FRAME_BYTES];
  start();
  EXPECT(send_frame());
  EXPECT(out_pending());
  EXPECT(out_send(head, sizeof head, NULL, 0));
  EXPECT_EQUAL(drain(bytes, sizeof bytes), ENVELOPE_BYTES + 1 + FRAME_BYTES + ENVELOPE_BYTES + sizeof head);
  EXPECT_EQUAL(get_u32(bytes), 4 + 1 + FRAME_BYTES);
  EXPECT_BYTES(bytes + ENVELOPE_BYTES + 1, frame, FRAME_BYTES);
  EXPECT_BYTES(bytes + ENVELOPE_BYTES + 1 + FRAME_BYTES + ENVELOPE_BYTES, head, sizeof head);
}

TEST(beyond_16_MiB_messages_are_dropped_whole) {
  size_t sent = 0;
  start();
  while (send_frame()) sent++;
  EXPECT_EQUAL(sent, ((16 << 20) + 65536) / (FRAME_BYTES + ENVELOPE_BYTES + 1));
  uint8_t *bytes = malloc(20 << 20);
  EXPECT_EQUAL(drain(bytes, 20 << 20), sent * (FRAME_BYTES + ENVELOPE_BYTES + 1));
  free(bytes);
  EXPECT(send_frame());
}

TEST(what_is_worthless_later_is_dropped_behind_512_KiB) {
  start();
  EXPECT(out_send_unless_late(head, sizeof head, frame, 100));
  for (int i = 0; i < 3; i++) EXPECT(send_frame());
  EXPECT(!out_send_unless_late(head, sizeof head, frame, 100));
  EXPECT(out_send(head, sizeof head, frame, 100));
}

TEST(a_head_that_is_too_long_is_refused) {
  start();
  EXPECT(out_send(frame, 64, NULL, 0));
  EXPECT(!out_send(frame, 65, NULL, 0));
  EXPECT(!out_pending());
}

static void *send_in_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) EXPECT(send_frame());
  return NULL;
}

TEST(a_rest_that_another_thread_left_wakes_the_main_one) {
  pthread_t thread;
  uint64_t wakes = 0;
  start();
  EXPECT(send_frame());
  EXPECT(read(wake, &wakes, sizeof wakes) < 0);
  EXPECT_EQUAL(pthread_create(&thread, NULL, send_in_thread, NULL), 0);
  pthread_join(thread, NULL);
  EXPECT_EQUAL(read(wake, &wakes, sizeof wakes), sizeof wakes);
  EXPECT_EQUAL(wakes, 3);
}

TEST(a_reader_that_is_gone_is_noticed_and_nothing_piles_up) {
  start();
  EXPECT(out_flush());
  close(reader);
  EXPECT(send_frame());
  EXPECT(!out_pending());
  EXPECT(!out_flush());
}
