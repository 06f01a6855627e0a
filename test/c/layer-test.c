#include "video/layer.h"

#include <string.h>

#include "common/clock.h"
#include "expect.h"
#include "fakes.h"
#include "wire/out.h"

enum { WIDTH = 640, HEIGHT = 360, SECOND = 1000000, PERIOD = SECOND / 60 };

bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  (void)head, (void)body, (void)head_size, (void)body_size;
  return true;
}

void log_line(const char *format, ...) {
  (void)format;
}

/* What came of a picture that stood still. */
struct stillness {
  size_t first, largest, all;
  bool coarse;
};

static struct layer open_layer(uint32_t kbps) {
  struct layer layer = { .encoding = { WIDTH, HEIGHT, 60, QUALITY_SMOOTH, false, kbps } };
  fake_now += SECOND;
  EXPECT(layer_open(&layer));
  return layer;
}

/* Changes every macroblock, as a page does that is scrolled by its height: dark strokes on white. */
static void turn_page(struct picture *picture) {
  memset(picture->data[0], 235, (size_t)picture->strides[0] * HEIGHT);
  for (int y = 0; y < HEIGHT; y++) {
    uint8_t *row = picture->data[0] + (ptrdiff_t)y * picture->strides[0];
    for (int x = 0; x < WIDTH && y % 20 < 10; x++) row[x] = random_below(4) == 0 ? 40 : 235;
  }
  memset(picture->blocks, 0, (size_t)picture->columns * (size_t)picture->rows);
  picture->changed = true;
}

/* Shows the picture until a time after its change. */
static struct stillness hold(struct layer *layer, struct picture *picture, int64_t time) {
  struct stillness result = { 0 };
  for (int64_t end = fake_now + time; layer_deadline(layer, picture->changed) < end;) {
    int64_t due = layer_deadline(layer, picture->changed);
    if (due > fake_now) fake_now = due;
    struct frame frame;
    bool refinement;
    layer_begin(layer, fake_now);
    EXPECT(layer_encode(layer, picture, picture->changed ? DRAWN : STILL, fake_now, &frame, &refinement));
    picture_settle(picture);
    if (!refinement) result.first = frame.size;
    else if (frame.size > result.largest) result.largest = frame.size;
    result.all += frame.size;
    result.coarse = frame.coarse || !refinement;
  }
  return result;
}

TEST(a_page_that_is_turned_is_sharp_within_a_second_each_time) {
  struct layer layer = open_layer(8000);
  struct picture picture;
  EXPECT(picture_create(&picture, WIDTH, HEIGHT, false));
  for (int page = 0; page < 5; page++) {
    turn_page(&picture);
    int64_t begun = fake_now;
    EXPECT(!hold(&layer, &picture, SECOND).coarse);
    fake_now = begun + SECOND;
  }
  layer_close(&layer);
  picture_destroy(&picture);
}

TEST(a_slow_path_gets_all_of_it_in_pieces_that_a_change_need_not_wait_for) {
  enum { KBPS = 1500 };
  struct layer layer = open_layer(KBPS);
  struct picture picture;
  EXPECT(picture_create(&picture, WIDTH, HEIGHT, false));
  for (int page = 0; page < 3; page++) {
    turn_page(&picture);
    int64_t begun = fake_now;
    struct stillness still = hold(&layer, &picture, 3 * SECOND);
    EXPECT(!still.coarse);
    /* Milliseconds on the path. */
    EXPECT(still.first * 8 / KBPS <= 250);
    EXPECT(still.largest * 8 / KBPS <= 125);
    fake_now = begun + 3 * SECOND;
  }
  layer_close(&layer);
  picture_destroy(&picture);
}
