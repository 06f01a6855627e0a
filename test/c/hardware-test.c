#include "encode/hardware.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/log.h"
#include "expect.h"
#include "fakes.h"
#include "stand-in-encoder.h"
#include "wire/messages.h"
#include "wire/out.h"

enum { WIDTH = 320, HEIGHT = 180, TEST_FRAMES = 3, PATIENCE = 3 };

static const struct encoding encoding = { WIDTH, HEIGHT, 60, QUALITY_SMOOTH, false, 8000 };

/* The clock stands still here, so that each wait has all of its time: three times as much, for busy machines. */
int poll(struct pollfd *sockets, nfds_t count, int timeout) {
  int ms = PATIENCE * timeout;
  return ppoll(sockets, count, &(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

void log_line(const char *format, ...) {
  (void)format;
}

/* What the agent is told. */
bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  EXPECT_EQUAL(head_size, ENCODER_BYTES);
  EXPECT_EQUAL(head[0], MESSAGE_ENCODER);
  note("%s: %.*s", head[1] ? "card" : "software", (int)body_size, (const char *)body);
  return true;
}

static struct picture noise(void) {
  struct picture picture;
  EXPECT(picture_create(&picture, WIDTH, HEIGHT, false));
  for (int i = 0; i < picture.strides[0] * HEIGHT; i++) picture.data[0][i] = (uint8_t)random_below(256);
  return picture;
}

static struct frame encode(struct encoder *encoder, struct picture *picture, bool key, bool refinement) {
  struct frame frame = { 0 };
  EXPECT(encoder_encode(encoder, picture, key, refinement ? REFINEMENT : MOVING, 1, &frame));
  picture_settle(picture);
  return frame;
}

/* What a decoder may be told of the stream. */
static const char *problem(const struct frame *frame) {
  bool key;
  struct h264_stream stream = { WIDTH, HEIGHT, 31 };
  const char *words = h264_problem(frame->data, frame->size, &stream, &key);
  return words ? words : key == frame->key ? "none" : "key or not";
}

TEST(an_encoder_that_makes_the_test_frames_is_used) {
  hardware_start(stand_in_encoder(NULL, 0));
  EXPECT_TEXT(notes(), "card: stand-in\n");
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  struct frame first = encode(encoder, &picture, false, false);
  EXPECT(first.key);
  EXPECT_TEXT(problem(&first), "none");
  EXPECT(!encode(encoder, &picture, false, false).key);
  struct frame asked = encode(encoder, &picture, true, false);
  EXPECT(asked.key);
  EXPECT_TEXT(problem(&asked), "none");
  EXPECT_TEXT(notes(), "");
  encoder_close(encoder);
  hardware_stop();
  picture_destroy(&picture);
}

TEST(it_follows_the_rate_from_frame_to_frame) {
  hardware_start(stand_in_encoder(NULL, 0));
  struct encoder *encoder = encoder_open(&encoding);
  size_t sizes[2];
  for (int i = 0; i < 2; i++) {
    encoder_set_rate(encoder, i == 0 ? 20000 : 500);
    struct picture picture = noise();
    for (int frame = 0; frame < 10; frame++) {
      memset(picture.blocks, 0, (size_t)picture.columns * (size_t)picture.rows);
      for (int at = 0; at < picture.strides[0] * HEIGHT; at++) picture.data[0][at] = (uint8_t)random_below(256);
      struct frame encoded = encode(encoder, &picture, false, false);
      sizes[i] = encoded.size;
      EXPECT_EQUAL(encoded.key, i == 0 && frame == 0);
    }
    picture_destroy(&picture);
  }
  EXPECT(sizes[1] < sizes[0] / 4);
  encoder_close(encoder);
  hardware_stop();
}

TEST(what_has_not_changed_is_not_copied_but_still_there) {
  hardware_start(stand_in_encoder(NULL, 0));
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  for (int y = 0; y < HEIGHT; y++) {
    uint8_t *row = picture.data[0] + y * picture.strides[0];
    for (int x = 0; x < WIDTH; x++) row[x] = (uint8_t)(16 + (x / 8 * 37 + y / 8 * 91) % 200);
  }
  encode(encoder, &picture, true, false);
  size_t key = encode(encoder, &picture, true, false).size;
  EXPECT(encode(encoder, &picture, false, false).size < key / 20);
  memset(picture.data[0] + 96 * picture.strides[0], 128, 16);
  picture.blocks[6 * picture.columns] = 0;
  EXPECT(encode(encoder, &picture, false, false).size < key / 4);
  encoder_close(encoder);
  hardware_stop();
  picture_destroy(&picture);
}

TEST(another_size_is_another_stream_of_the_same_program) {
  hardware_start(stand_in_encoder(NULL, 0));
  struct encoding larger = encoding;
  larger.width = 2048;
  larger.height = 1152;
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise(), large;
  encode(encoder, &picture, false, false);
  encoder_close(encoder);
  EXPECT(picture_create(&large, larger.width, larger.height, false));
  encoder = encoder_open(&larger);
  struct frame frame = encode(encoder, &large, false, false);
  struct h264_stream stream = { larger.width, larger.height, 50 };
  bool key;
  EXPECT(!h264_problem(frame.data, frame.size, &stream, &key) && key);
  encoder_close(encoder);
  hardware_stop();
  picture_destroy(&picture);
  picture_destroy(&large);
}

TEST(two_streams_are_encoded_beside_each_other) {
  hardware_start(stand_in_encoder(NULL, 0));
  struct encoder *one = encoder_open(&encoding), *other = encoder_open(&encoding);
  struct picture picture = noise();
  EXPECT(encode(one, &picture, false, false).key);
  EXPECT(encode(other, &picture, false, false).key);
  EXPECT(!encode(one, &picture, false, false).key);
  EXPECT(!encode(other, &picture, false, false).key);
  encoder_close(one);
  encoder_close(other);
  hardware_stop();
  picture_destroy(&picture);
}

TEST(full_chroma_is_encoded_in_software) {
  hardware_start(stand_in_encoder("ends", TEST_FRAMES));
  struct encoding full = encoding;
  full.chroma444 = true;
  struct encoder *encoder = encoder_open(&full);
  struct picture picture;
  EXPECT(picture_create(&picture, WIDTH, HEIGHT, true));
  EXPECT(encode(encoder, &picture, false, false).key);
  EXPECT_TEXT(notes(), "card: stand-in\n");
  encoder_close(encoder);
  hardware_stop();
  picture_destroy(&picture);
}

static const struct {
  const char *fault, *words;
} faults[] = {
  { "ends", "ended" },
  { "refuses", "makes no frame (the?card is busy)" },
  { "no-key", "makes no key frame when one is asked for" },
  { "high", "writes another profile than Main" },
  { "level", "writes another level than it was told" },
  { "size", "writes another size" },
  { "reorders", "does not promise to keep frames in order" },
  { "no-headers", "writes key frames without SPS and PPS" },
  { "noise", "writes no start code" },
  { "huge", "writes frames that are too large" },
  { "hangs", "did not answer in time" },
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* Encodes two frames, which works however the card fails. */
static void expect_software(void) {
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  EXPECT(encode(encoder, &picture, false, false).key);
  EXPECT(!encode(encoder, &picture, false, false).key);
  EXPECT_TEXT(notes(), "");
  encoder_close(encoder);
  picture_destroy(&picture);
}

TEST(one_that_fails_at_the_test_frames_is_not_used_and_says_why) {
  for (int i = 0; i < FAULTS; i++) {
    char wanted[200];
    /* That of a key frame is asked for once more than that of the first. */
    int from = strcmp(faults[i].fault, "no-key") == 0 ? 2 : 0;
    bool unnamed = strstr("ends hangs refuses", faults[i].fault) != NULL;
    hardware_start(stand_in_encoder(faults[i].fault, from));
    snprintf(wanted, sizeof wanted, "software: The graphics card's encoder, %s, %s.\n",
             unnamed ? "berth-encoder" : "stand-in", faults[i].words);
    EXPECT_TEXT(notes(), wanted);
    expect_software();
  }
}

TEST(one_that_fails_in_the_middle_is_followed_by_software_with_a_key_frame_at_once) {
  for (int i = 0; i < FAULTS; i++) {
    char wanted[200];
    hardware_start(stand_in_encoder(faults[i].fault, TEST_FRAMES + 2));
    EXPECT_TEXT(notes(), "card: stand-in\n");
    struct encoder *encoder = encoder_open(&encoding);
    struct picture picture = noise();
    EXPECT(encode(encoder, &picture, false, false).key);
    EXPECT(!encode(encoder, &picture, false, false).key);
    /* Without being asked for one the stand-in begins its faulty stream with a key frame, but for that fault. */
    struct frame frame = encode(encoder, &picture, strcmp(faults[i].fault, "no-key") == 0, false);
    EXPECT(frame.key);
    EXPECT_TEXT(problem(&frame), "none");
    snprintf(wanted, sizeof wanted, "software: The graphics card's encoder, stand-in, %s.\n", faults[i].words);
    EXPECT_TEXT(notes(), wanted);
    EXPECT(!encode(encoder, &picture, false, false).key);
    encoder_close(encoder);
    picture_destroy(&picture);
    expect_software();
  }
}

TEST(one_that_cannot_be_started_is_not_used) {
  static char *const command[] = { "/nowhere/berth-encoder", NULL };
  hardware_start(command);
  EXPECT_TEXT(notes(), "software: The graphics card's encoder, berth-encoder, cannot be started.\n");
  expect_software();
}

TEST(a_card_that_cannot_be_used_is_told_of) {
  hardware_refuse("There is no driver.");
  EXPECT_TEXT(notes(), "software: There is no driver.\n");
  expect_software();
}
