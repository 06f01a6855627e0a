/*
 * Random and mutated messages through the decoder into keyboard and pointer, as they are. The numbers are the same
 * in each run. What is passed on is checked where it arrives, and reading or writing out of bounds by the sanitizers.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "dispatch.h"
#include "expect.h"
#include "fakes.h"
#include "input/keyboard.h"
#include "input/pointer.h"
#include "wire/in.h"
#include "wire/messages.h"
#include "wire/wire.h"
#include "wire/out.h"

enum { EPISODES = 100, ROUNDS = 3000, MESSAGE_MAX = 64, ENVELOPE_BYTES = 8 };

static struct screen screen = { .width = 1280, .height = 720 };
static int feeder, reader;

static void handle(uint32_t user, const uint8_t *message, size_t size) {
  static uint8_t copy[CLIPBOARD_MAX_BYTES + 1];
  EXPECT(size > 0 && size <= sizeof copy);
  memcpy(copy, message, size);
  dispatch(NULL, user, message, size);
  EXPECT_BYTES(message, copy, size);
}

static void start(void) {
  int in[2], out[2];
  EXPECT(pipe(in) == 0 && pipe(out) == 0);
  dup2(in[0], STDIN_FILENO);
  dup2(out[1], STDOUT_FILENO);
  feeder = in[1];
  reader = out[0];
  fcntl(feeder, F_SETFL, O_NONBLOCK);
  fcntl(reader, F_SETFL, O_NONBLOCK);
  out_start(-1);
  in_start();
  EXPECT(keyboard_start(NULL));
  pointer_start(&screen);
}

/* What the main loop does between messages. */
static void serve(void) {
  static uint8_t ignored[65536];
  fake_now += random_below(20000);
  fake_x.modifiers = random_below(4) ? 0 : random_below(256);
  fake_x.focused = random_below(2);
  EXPECT(in_read(handle));
  keyboard_run();
  EXPECT(out_flush());
  while (read(reader, ignored, sizeof ignored) > 0) {}
  notes();
}

static void feed(const uint8_t *bytes, size_t size) {
  for (size_t sent = 0; sent < size;) {
    ssize_t written = write(feeder, bytes + sent, size - sent);
    if (written > 0) sent += (size_t)written;
    else serve();
  }
}

/* A message that is valid except for its values. */
static size_t make_message(uint8_t *message) {
  static const struct {
    uint8_t type, size;
  } layouts[] = {
    { MESSAGE_MOVE, 5 },       { MESSAGE_BUTTON, 7 },      { MESSAGE_WHEEL, 9 },    { MESSAGE_KEY, 6 },
    { MESSAGE_TEXT, 40 },      { MESSAGE_RELEASE, 1 },     { MESSAGE_KEYFRAME, 1 }, { MESSAGE_RATE, 5 },
    { MESSAGE_STREAM, 3 },     { MESSAGE_SET_DISPLAY, 8 }, { MESSAGE_TURN, 5 },     { MESSAGE_SCREENSHOT, 3 },
    { MESSAGE_CLIPBOARD, 30 },
  };
  uint32_t chosen = random_below(sizeof layouts / sizeof *layouts);
  size_t size = layouts[chosen].size;
  for (size_t i = 0; i < ENVELOPE_BYTES + size; i++)
    message[i] = (uint8_t)(random_below(3) ? random_below(4) : random_next());
  put_u32(message, (uint32_t)(4 + size));
  put_u32(message + 4, random_below(5));
  message[ENVELOPE_BYTES] = layouts[chosen].type;
  return ENVELOPE_BYTES + size;
}

/* Changes bytes after the envelope, which leaves the following messages intact. */
static size_t mutate(uint8_t *message, size_t size) {
  switch (random_below(4)) {
    case 0:
      message[ENVELOPE_BYTES + random_below((uint32_t)(size - ENVELOPE_BYTES))] ^= (uint8_t)(1u << random_below(8));
      return size;
    case 1:
      message[ENVELOPE_BYTES] = (uint8_t)random_next();
      return size;
    case 2:
      size = 4 + random_below(MESSAGE_MAX);
      put_u32(message, (uint32_t)size - 4);
      return size;
    default:
      for (size_t i = 4; i < size; i++) message[i] = (uint8_t)random_next();
      return size;
  }
}

/* Changes the length, or truncates the message, so that what follows is misread. */
static size_t derail(uint8_t *message, size_t size) {
  switch (random_below(3)) {
    case 0:
      return random_below((uint32_t)size);
    case 1:
      put_u32(message, random_below(2 * MESSAGE_MAX));
      return size;
    default:
      put_u32(message, random_below(2) ? CLIPBOARD_MAX_BYTES + random_below(100) : random_next());
      return size;
  }
}

static void run_episode(int episode) {
  uint8_t message[ENVELOPE_BYTES + MESSAGE_MAX] = { 0 };
  random_seed((uint32_t)episode);
  start();
  for (int round = 0; round < ROUNDS; round++) {
    size_t size = make_message(message);
    if (random_below(3) == 0) size = mutate(message, size);
    if (random_below(ROUNDS) == 0) size = derail(message, size);
    feed(message, size);
    if (random_below(4) == 0) serve();
  }
  keyboard_stop();
  pointer_release(0);
}

/* Each episode is a process, since a derailed one may skip gigabytes. */
TEST(random_and_mutated_messages_do_no_harm) {
  for (int episode = 1; episode <= EPISODES; episode++) {
    pid_t child = fork();
    if (child == 0) {
      run_episode(episode);
      return;
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT_EQUAL(status, 0);
    if (status != 0) fprintf(stderr, "in episode %d\n", episode);
  }
}

TEST(after_nonsense_the_helper_still_serves) {
  uint8_t message[ENVELOPE_BYTES + MESSAGE_MAX] = { 0 };
  start();
  for (int round = 0; round < ROUNDS; round++) {
    size_t size = make_message(message);
    feed(message, random_below(2) ? mutate(message, size) : size);
    serve();
  }
  for (int left = 50000; keyboard_deadline() != NEVER && left > 0; left--) serve();
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  feed((const uint8_t *)"\x09\0\0\0\x01\0\0\0\x10\xff\xff\xff\xff", 13);
  EXPECT(in_read(handle));
  EXPECT_TEXT(notes(), "motion 1279 719\n");
  keyboard_stop();
}
