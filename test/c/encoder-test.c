#include "encode/encoder.h"

#include <string.h>

#include "common/log.h"
#include "expect.h"
#include "fakes.h"
#include "wire/out.h"

void log_line(const char *format, ...) {
  note("log %s", format);
}

bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  (void)head, (void)body;
  note("send %zu and %zu", head_size, body_size);
  return true;
}

enum { WIDTH = 320, HEIGHT = 240 };

static const struct encoding encoding = { WIDTH, HEIGHT, 60, QUALITY_SMOOTH, false, 100000 };

/* A picture of noise, which costs bytes wherever it is encoded. */
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

TEST(the_first_frame_is_a_key_frame_and_others_are_so_on_request) {
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  EXPECT(encode(encoder, &picture, false, false).key);
  EXPECT(!encode(encoder, &picture, false, false).key);
  EXPECT(encode(encoder, &picture, true, false).key);
  encoder_close(encoder);
  picture_destroy(&picture);
}

TEST(what_has_not_changed_costs_nothing) {
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  size_t all = encode(encoder, &picture, true, false).size;
  size_t nothing = encode(encoder, &picture, false, false).size;
  EXPECT(nothing < 200);
  for (int y = 96; y < 112; y++) memset(picture.data[0] + y * picture.strides[0] + 160, 255 * (y & 1), 16);
  picture.blocks[6 * picture.columns + 10] = 0;
  size_t one = encode(encoder, &picture, false, false).size;
  EXPECT(one > nothing);
  EXPECT(one < all / 50);
  encoder_close(encoder);
  picture_destroy(&picture);
}

TEST(a_refinement_encodes_what_has_not_changed_again_but_only_once) {
  struct encoder *encoder = encoder_open(&encoding);
  struct picture picture = noise();
  encode(encoder, &picture, true, false);
  size_t all = encode(encoder, &picture, false, true).size;
  EXPECT(all > 10000);
  EXPECT(encode(encoder, &picture, false, true).size < all / 20);
  EXPECT(encode(encoder, &picture, false, false).size < 200);
  encoder_close(encoder);
  picture_destroy(&picture);
}

TEST(a_frame_below_the_wanted_quality_is_coarse) {
  struct encoding narrow = encoding;
  narrow.kbps = 300;
  struct encoder *encoder = encoder_open(&narrow);
  struct picture picture = noise();
  EXPECT(encode(encoder, &picture, true, false).coarse);
  encoder_set_rate(encoder, 100000);
  memset(picture.data[0], 80, (size_t)picture.strides[0] * HEIGHT);
  memset(picture.blocks, 0, (size_t)(picture.columns * picture.rows));
  for (int i = 0; i < 5; i++) encode(encoder, &picture, false, false);
  EXPECT(!encode(encoder, &picture, false, false).coarse);
  encoder_close(encoder);
  picture_destroy(&picture);
}

TEST(a_half_picture_costs_what_changed_in_the_full_one) {
  struct encoding small = encoding;
  small.width = WIDTH / 2;
  small.height = HEIGHT / 2;
  struct encoder *encoder = encoder_open(&small);
  struct picture full = noise(), half;
  EXPECT(picture_create_half(&half, &full));
  picture_scale_half(&half, &full);
  picture_settle(&full);
  size_t all = encode(encoder, &half, true, false).size;
  for (int y = 96; y < 112; y++) memset(full.data[0] + y * full.strides[0] + 160, 255 * (y >> 1 & 1), 16);
  full.blocks[6 * full.columns + 10] = 0;
  picture_mark_half(&half, &full);
  picture_scale_half(&half, &full);
  size_t one = encode(encoder, &half, false, false).size;
  EXPECT(one < all / 20);
  EXPECT(encode(encoder, &half, false, false).size < one);
  encoder_close(encoder);
  picture_destroy(&full);
  picture_destroy(&half);
}
