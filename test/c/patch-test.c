#include "video/patch.h"

#include <string.h>

#include "common/clock.h"
#include "expect.h"
#include "fakes.h"
#include "stream.h"

enum { PATCH_LEAD = 2000 };

/* A stream whose screen has been still for a while, and whose changes are simple. */
static struct video *start_simple(void) {
  struct video *video = start();
  while (video_deadline(video) != NEVER) next(video);
  fake_now += 1000000;
  fake_video.simple = true;
  damage(video, 1);
  return video;
}

TEST(a_simple_change_after_a_pause_goes_ahead_of_its_frame_which_is_as_sharp_and_needs_no_refinement) {
  struct video *video = start_simple();
  int64_t drawn = fake_now;
  EXPECT_TEXT(next(video), "patch on 2, 20000 bytes at most");
  EXPECT_EQUAL(fake_now, drawn);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(fake_now - drawn, PATCH_LEAD);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  video_close(video);
}

TEST(the_frame_of_a_patch_does_not_refine_the_rest_of_the_picture) {
  struct video *video = start_simple();
  fake_video.simple = false;
  EXPECT_TEXT(next(video), "encoder 1");
  fake_video.simple = true;
  fake_now += 150000;
  damage(video, 1);
  EXPECT_TEXT(next(video), "patch on 3, 20000 bytes at most");
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_EQUAL(fake_video.occasion, MOVING);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

TEST(the_frame_of_a_patch_that_the_rate_made_coarse_is_refined) {
  struct video *video = start_simple();
  EXPECT_TEXT(next(video), "patch on 2, 20000 bytes at most");
  fake_video.coarse = true;
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  fake_video.coarse = false;
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

TEST(a_slow_path_is_taken_by_a_patch_for_20_ms_at_most) {
  struct video *video = start_simple();
  video_set_rate(video, 800);
  EXPECT_TEXT(notes(), "encoder 1 kbps 800\n");
  EXPECT_TEXT(next(video), "patch on 2, 2000 bytes at most");
  video_close(video);
}

TEST(a_frame_that_has_more_than_its_patch_is_in_a_hurry_and_has_no_second_one) {
  struct video *video = start_simple();
  EXPECT_TEXT(next(video), "patch on 2, 20000 bytes at most");
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_EQUAL(fake_video.occasion, AFTER_PAUSE);
  video_close(video);
}

TEST(a_key_frame_has_no_patch_and_is_none_of_the_sharp_ones) {
  struct video *video = start_simple();
  video_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 1 key");
  fake_now += 1000000;
  damage(video, 1);
  EXPECT_TEXT(next(video), "patch on 3, 20000 bytes at most");
  video_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 1 key");
  video_close(video);
}

TEST(a_blocky_picture_has_no_patches) {
  struct video *video = start_simple();
  video_set_display(video, &(struct display_settings){ 640, 480, 60, QUALITY_BLOCKY, false });
  while (video_deadline(video) != NEVER) next(video);
  fake_now += 1000000;
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 2");
  video_close(video);
}

TEST(patches_go_on_frames_of_the_full_layer) {
  struct video *video = start_simple();
  video_small_layer(video, true, 500);
  EXPECT_TEXT(next(video), "patch on 2, 20000 bytes at most");
  while (video_deadline(video) != NEVER) next(video);
  fake_now += 1000000;
  video_small_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 2 key");
  damage(video, 1);
  const char *sent = next(video);
  EXPECT(strncmp(sent, "patch on ", 9) == 0 && strcmp(sent, "patch on 3, 20000 bytes at most") != 0);
  video_close(video);
}

TEST(a_stream_that_stopped_after_a_patch_begins_with_a_key_frame) {
  struct video *video = start_simple();
  EXPECT_TEXT(next(video), "patch on 2, 20000 bytes at most");
  video_stream(video, false);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_stream(video, true);
  EXPECT_TEXT(next(video), "encoder 1 key");
  video_close(video);
}
