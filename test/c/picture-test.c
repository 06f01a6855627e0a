#include "capture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { WHITE = 0xffffff, RED = 0xff0000 };

/* Luma and the second chroma sample of red by BT.601, within what versions of libyuv round differently. */
#define EXPECT_RED(luma, chroma) EXPECT(abs(luma - 82) <= 1 && abs(chroma - 240) <= 1)

#define EXPECT_BOX(box, l, t, r, b) \
  EXPECT((box).left == (l) && (box).top == (t) && (box).right == (r) && (box).bottom == (b))

static struct picture start(int width, int height, bool chroma444) {
  struct picture picture;
  EXPECT(picture_create(&picture, width, height, chroma444));
  return picture;
}

/* Fills a rectangle of the picture with a colour, as the X server would give it. */
static void fill(struct picture *picture, struct box box, uint32_t colour) {
  size_t count = (size_t)(box.right - box.left) * (size_t)(box.bottom - box.top);
  uint32_t *pixels = malloc(count * sizeof *pixels);
  for (size_t i = 0; i < count; i++) pixels[i] = colour;
  picture_update(picture, (const uint8_t *)pixels, (size_t)(box.right - box.left) * sizeof *pixels, &box);
  free(pixels);
}

static uint8_t sample(const struct picture *picture, int plane, int x, int y) {
  return picture->data[plane][y * picture->strides[plane] + x];
}

static int changed_blocks(const struct picture *picture) {
  int count = 0;
  for (int i = 0; i < picture->columns * picture->rows; i++) count += picture->blocks[i] != BLOCK_UNCHANGED;
  return count;
}

TEST(a_new_picture_is_black_and_all_of_it_changed) {
  struct picture picture = start(66, 34, false);
  EXPECT_EQUAL(picture.columns, 5);
  EXPECT_EQUAL(picture.rows, 3);
  EXPECT(picture.changed);
  EXPECT_EQUAL(changed_blocks(&picture), 15);
  EXPECT_EQUAL(sample(&picture, 0, 65, 33), 16);
  EXPECT_EQUAL(sample(&picture, 2, 32, 16), 128);
  picture_destroy(&picture);
}

TEST(what_changed_is_within_whole_macroblocks_cut_to_the_picture) {
  struct picture picture = start(66, 34, false);
  picture_settle(&picture);
  fill(&picture, (struct box){ 20, 18, 22, 20 }, RED);
  EXPECT_BOX(picture_changed_box(&picture), 16, 16, 32, 32);
  fill(&picture, (struct box){ 64, 32, 66, 34 }, RED);
  EXPECT_BOX(picture_changed_box(&picture), 16, 16, 66, 34);
  picture_destroy(&picture);
}

TEST(pixels_are_converted_to_where_they_belong) {
  for (int chroma444 = 0; chroma444 <= 1; chroma444++) {
    struct picture picture = start(64, 64, chroma444);
    fill(&picture, (struct box){ 18, 14, 22, 40 }, RED);
    int by = chroma444 ? 1 : 2;
    EXPECT_RED(sample(&picture, 0, 18, 14), sample(&picture, 2, 18 / by, 14 / by));
    EXPECT_RED(sample(&picture, 0, 21, 39), sample(&picture, 2, 21 / by, 39 / by));
    EXPECT_EQUAL(sample(&picture, 0, 17, 14), 16);
    EXPECT_EQUAL(sample(&picture, 0, 22, 39), 16);
    EXPECT_EQUAL(sample(&picture, 0, 18, 13), 16);
    EXPECT_EQUAL(sample(&picture, 0, 18, 40), 16);
    EXPECT_EQUAL(sample(&picture, 2, 22 / by, 20 / by), 128);
    picture_destroy(&picture);
  }
}

TEST(only_macroblocks_with_other_pixels_change) {
  struct picture picture = start(64, 64, false);
  fill(&picture, (struct box){ 0, 0, 64, 64 }, WHITE);
  picture_settle(&picture);
  EXPECT(!picture.changed);
  EXPECT_EQUAL(changed_blocks(&picture), 0);
  fill(&picture, (struct box){ 0, 0, 64, 64 }, WHITE);
  EXPECT(!picture.changed);
  EXPECT_EQUAL(changed_blocks(&picture), 0);
  fill(&picture, (struct box){ 30, 30, 34, 32 }, RED);
  EXPECT(picture.changed);
  EXPECT_EQUAL(changed_blocks(&picture), 2);
  EXPECT_EQUAL(picture.blocks[1 * 4 + 1], 0);
  EXPECT_EQUAL(picture.blocks[1 * 4 + 2], 0);
  picture_destroy(&picture);
}

TEST(a_change_that_only_the_colour_shows_counts) {
  struct picture picture = start(32, 32, false);
  fill(&picture, (struct box){ 0, 0, 32, 32 }, 0x808080);
  picture_settle(&picture);
  uint8_t before = sample(&picture, 0, 20, 20);
  fill(&picture, (struct box){ 16, 16, 32, 32 }, 0x4180ff);
  memset(picture.data[0], before, (size_t)picture.strides[0] * 32);
  picture_settle(&picture);
  fill(&picture, (struct box){ 0, 0, 32, 32 }, 0x808080);
  EXPECT_EQUAL(changed_blocks(&picture), 1);
  EXPECT_EQUAL(picture.blocks[3], 0);
  picture_destroy(&picture);
}

TEST(changes_add_up_until_the_picture_is_encoded) {
  struct picture picture = start(64, 16, false);
  picture_settle(&picture);
  fill(&picture, (struct box){ 0, 0, 16, 16 }, WHITE);
  fill(&picture, (struct box){ 48, 0, 64, 16 }, WHITE);
  EXPECT_EQUAL(changed_blocks(&picture), 2);
  picture_settle(&picture);
  EXPECT_EQUAL(changed_blocks(&picture), 0);
  picture_destroy(&picture);
}

TEST(a_screen_of_odd_size_is_converted_to_its_last_pixel) {
  struct picture picture = start(36, 20, false);
  picture_settle(&picture);
  fill(&picture, (struct box){ 0, 0, 35, 19 }, RED);
  EXPECT_EQUAL(changed_blocks(&picture), 6);
  EXPECT_RED(sample(&picture, 0, 34, 18), sample(&picture, 2, 17, 9));
  picture_destroy(&picture);
}

TEST(no_picture_is_made_without_a_size) {
  struct picture picture;
  EXPECT(!picture_create(&picture, 0, 16, false));
}

/* Both as after a first frame: nothing of them has changed. */
static void start_halved(struct picture *full, struct picture *half, bool chroma444) {
  *full = start(128, 64, chroma444);
  EXPECT(picture_create_half(half, full));
  picture_scale_half(half, full);
  picture_settle(full);
  picture_settle(half);
}

TEST(a_half_picture_has_half_the_size_and_shows_the_same) {
  for (int chroma444 = 0; chroma444 <= 1; chroma444++) {
    struct picture full = start(128, 64, chroma444), half;
    fill(&full, (struct box){ 64, 0, 128, 64 }, RED);
    EXPECT(picture_create_half(&half, &full));
    EXPECT_EQUAL(half.width, 64);
    EXPECT_EQUAL(half.height, 32);
    EXPECT(half.changed);
    picture_scale_half(&half, &full);
    int by = chroma444 ? 1 : 2;
    EXPECT_EQUAL(sample(&half, 0, 31, 31), 16);
    EXPECT_RED(sample(&half, 0, 32, 0), sample(&half, 2, 32 / by, 0));
    EXPECT_RED(sample(&half, 0, 63, 31), sample(&half, 2, 63 / by, 31 / by));
    picture_destroy(&full);
    picture_destroy(&half);
  }
}

TEST(only_what_changed_is_scaled_again) {
  struct picture full, half;
  start_halved(&full, &half, false);
  half.data[0][0] = 99;
  fill(&full, (struct box){ 64, 32, 72, 40 }, RED);
  picture_mark_half(&half, &full);
  EXPECT(half.changed);
  EXPECT_EQUAL(changed_blocks(&half), 1);
  EXPECT_EQUAL(half.blocks[1 * 4 + 2], 0);
  picture_scale_half(&half, &full);
  EXPECT_RED(sample(&half, 0, 34, 17), sample(&half, 2, 17, 9));
  EXPECT_EQUAL(sample(&half, 0, 0, 0), 99);
  picture_destroy(&full);
  picture_destroy(&half);
}

TEST(changes_of_several_frames_add_up_in_the_half_picture) {
  struct picture full, half;
  start_halved(&full, &half, false);
  fill(&full, (struct box){ 0, 0, 16, 16 }, WHITE);
  picture_mark_half(&half, &full);
  picture_settle(&full);
  fill(&full, (struct box){ 96, 0, 112, 16 }, WHITE);
  picture_mark_half(&half, &full);
  EXPECT_EQUAL(changed_blocks(&half), 2);
  picture_scale_half(&half, &full);
  EXPECT(sample(&half, 0, 4, 4) > 200);
  EXPECT(sample(&half, 0, 52, 4) > 200);
  picture_destroy(&full);
  picture_destroy(&half);
}

TEST(of_a_size_that_is_no_multiple_of_four_the_last_columns_are_left_out) {
  struct picture full = start(70, 38, false), half;
  fill(&full, (struct box){ 0, 0, 70, 38 }, RED);
  EXPECT(picture_create_half(&half, &full));
  EXPECT_EQUAL(half.width, 34);
  EXPECT_EQUAL(half.height, 18);
  picture_settle(&half);
  picture_mark_half(&half, &full);
  EXPECT_EQUAL(changed_blocks(&half), 6);
  picture_scale_half(&half, &full);
  EXPECT_RED(sample(&half, 0, 33, 17), sample(&half, 2, 16, 8));
  picture_destroy(&full);
  picture_destroy(&half);
}

TEST(no_half_picture_is_made_of_less_than_four_pixels) {
  struct picture full = start(2, 16, false), half;
  EXPECT(!picture_create_half(&half, &full));
  picture_destroy(&full);
}
