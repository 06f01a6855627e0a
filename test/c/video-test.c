#include "video/video.h"

#include <string.h>

#include "common/clock.h"
#include "expect.h"
#include "fakes.h"
#include "stream.h"

enum { PERIOD = 1000000 / 60, KEY_INTERVAL = 250000, STILL = 15 * 1000000 / 60, AGAIN = 50000, FAULT_PAUSE = 200000 };

TEST(the_stream_begins_with_a_key_frame_at_once) {
  struct video *video = video_open(&screen);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_stream(video, true);
  EXPECT(video_deadline(video) <= fake_now);
  video_run(video);
  EXPECT_TEXT(notes(), "capture 1 chroma444 0\nencoder 1 opens 640x480 fps 60 kbps 8000\nencoder 1 key\n"
                       "send 01010100000040420f0000000000 and 0\n");
  video_close(video);
}

TEST(what_is_drawn_is_followed_only_while_somebody_watches) {
  struct video *video = video_open(&screen);
  EXPECT(!fake_video.watched);
  video_stream(video, true);
  EXPECT(fake_video.watched);
  video_stream(video, false);
  EXPECT(!fake_video.watched);
  video_close(video);
}

TEST(a_change_does_not_wait_after_a_key_frame_of_a_still_screen) {
  struct video *video = start();
  while (video_deadline(video) != NEVER) next(video);
  fake_now += KEY_INTERVAL;
  video_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 1 key");
  int64_t key = fake_now;
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_EQUAL(fake_now, key);
  video_close(video);
}

TEST(frames_come_once_a_period_while_something_changes) {
  struct video *video = start();
  int64_t begun = fake_now;
  for (int i = 0; i < 60; i++) {
    damage(video, 1);
    EXPECT_TEXT(next(video), "encoder 1");
  }
  EXPECT(fake_now - begun > 58 * PERIOD && fake_now - begun <= 60 * PERIOD);
  video_close(video);
}

TEST(nothing_is_encoded_when_the_same_is_drawn_again) {
  struct video *video = start();
  fake_video.same = true;
  int64_t begun = fake_now;
  for (int i = 0; i < 10; i++) {
    damage(video, 1);
    EXPECT_TEXT(next(video), "");
  }
  EXPECT(fake_now - begun > 8 * PERIOD);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(fake_now - begun, STILL);
  fake_video.same = false;
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  video_close(video);
}

TEST(a_key_frame_is_made_of_an_unchanged_picture_too) {
  struct video *video = start();
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  fake_video.same = true;
  damage(video, 1);
  video_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 1 key");
  video_close(video);
}

TEST(a_still_screen_is_refined_once) {
  struct video *video = start();
  int64_t begun = fake_now;
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(fake_now - begun, STILL);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

TEST(and_again_soon_up_to_sixty_times_while_the_rate_does_not_do) {
  int refinements = 0;
  fake_video.coarse = true;
  struct video *video = start();
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  int64_t first = fake_now;
  while (video_deadline(video) != NEVER && refinements < 100) {
    EXPECT_TEXT(next(video), "encoder 1 refinement");
    refinements++;
    EXPECT_EQUAL(fake_now - first, refinements * AGAIN);
  }
  EXPECT_EQUAL(refinements, 59);
  video_close(video);
}

TEST(the_encoder_is_told_how_long_the_last_frame_was_there_up_to_three_periods) {
  struct video *video = start();
  damage(video, 1);
  next(video);
  damage(video, 1);
  next(video);
  EXPECT_EQUAL(fake_video.periods, 1);
  fake_now += 2 * PERIOD;
  damage(video, 1);
  next(video);
  EXPECT_EQUAL(fake_video.periods, 2);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(fake_video.periods, 3);
  video_close(video);
}

TEST(the_encoder_is_told_of_a_pause) {
  struct video *video = start();
  damage(video, 1);
  next(video);
  EXPECT_EQUAL(fake_video.occasion, MOVING);
  fake_now += 100000;
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_EQUAL(fake_video.occasion, AFTER_PAUSE);
  video_close(video);
}

TEST(a_change_waits_for_no_refinement) {
  fake_video.coarse = true;
  struct video *video = start();
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  int64_t refined = fake_now;
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_EQUAL(fake_now, refined);
  int64_t changed = fake_now;
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(fake_now - changed, STILL);
  video_close(video);
}

TEST(key_frames_come_four_times_a_second_at_most) {
  struct video *video = start();
  int64_t begun = fake_now;
  video_key_frame(video);
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  EXPECT_TEXT(next(video), "encoder 1 key");
  EXPECT_EQUAL(fake_now - begun, KEY_INTERVAL);
  video_close(video);
}

TEST(nothing_is_encoded_while_a_frame_waits_for_the_reader) {
  struct video *video = start();
  damage(video, 1);
  fake_video.pending = true;
  EXPECT_EQUAL(video_deadline(video), NEVER);
  fake_now += 1000000;
  video_run(video);
  EXPECT_TEXT(notes(), "");
  fake_video.pending = false;
  EXPECT_TEXT(next(video), "encoder 1");
  video_close(video);
}

TEST(new_settings_open_a_new_encoder_and_are_answered) {
  struct video *video = start();
  struct display_settings settings = { 1279, 719, 30, QUALITY_SHARP, true };
  video_set_display(video, &settings);
  EXPECT_TEXT(notes(), "windows resized\ncapture 1 chroma444 1\nencoder 2 opens 1280x720 fps 30 kbps 8000\n"
                       "send 08ff04cf021e0001 and 0\n");
  EXPECT_TEXT(next(video), "encoder 2 key");
  video_set_display(video, &settings);
  EXPECT_TEXT(notes(), "send 08ff04cf021e0001 and 0\n");
  video_close(video);
}

TEST(a_refused_capture_is_tried_again_later) {
  struct video *video = start();
  fake_video.refused = true;
  damage(video, 1);
  video_key_frame(video);
  EXPECT_TEXT(next(video), "");
  int64_t failed = fake_now;
  fake_video.refused = false;
  damage(video, 1);
  next(video);
  EXPECT(fake_now - failed >= FAULT_PAUSE);
  video_close(video);
}

TEST(without_memory_nothing_is_encoded) {
  struct video *video = video_open(&screen);
  fake_video.no_memory = true;
  video_stream(video, true);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

/* Starts a stream and its small layer. */
static struct video *start_small(void) {
  struct video *video = start();
  video_small_layer(video, true, 500);
  return video;
}

TEST(the_small_layer_begins_with_a_key_frame_of_the_picture_at_once) {
  struct video *video = start_small();
  EXPECT(video_deadline(video) <= fake_now);
  video_run(video);
  EXPECT_TEXT(notes(), "encoder 2 opens 320x240 fps 30 kbps 500\nencoder 2 key\n"
                       "send 01050200000040420f0000000000 and 0\n");
  video_close(video);
}

TEST(the_small_layer_has_half_the_frames_and_the_last_change) {
  struct video *video = start_small();
  next(video);
  int small = 0, full = 0;
  for (int i = 0; i < 60; i++) {
    damage(video, 1);
    if (video_deadline(video) > fake_now) fake_now = video_deadline(video);
    video_run(video);
    const char *encoded = notes();
    full += strstr(encoded, "encoder 1") != NULL;
    small += strstr(encoded, "encoder 2") != NULL;
  }
  EXPECT(full >= 40);
  EXPECT(small >= full / 2 - 2 && small <= full / 2 + 2);
  fake_now += PERIOD;
  damage(video, 1);
  video_run(video);
  const char *encoded = notes();
  EXPECT(strstr(encoded, "encoder 1") != NULL);
  if (strstr(encoded, "encoder 2") == NULL) EXPECT_TEXT(next(video), "encoder 2");
  video_close(video);
}

TEST(each_layer_is_refined_by_itself) {
  struct video *video = start_small();
  next(video);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_TEXT(next(video), "encoder 2 refinement");
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

TEST(a_key_frame_is_made_of_the_layer_that_it_was_requested_of) {
  struct video *video = start_small();
  while (video_deadline(video) != NEVER) next(video);
  video_small_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 2 key");
  video_key_frame(video);
  EXPECT_TEXT(next(video), "encoder 1 key");
  video_close(video);
}

TEST(each_layer_has_a_rate_of_its_own) {
  struct video *video = start_small();
  next(video);
  notes();
  video_set_rate(video, 9000);
  EXPECT_TEXT(notes(), "encoder 1 kbps 9000\n");
  video_small_layer(video, true, 300);
  EXPECT_TEXT(notes(), "encoder 2 kbps 300\n");
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  video_close(video);
}

TEST(a_small_layer_that_nobody_needs_costs_nothing) {
  struct video *video = start_small();
  next(video);
  video_small_layer(video, false, 500);
  notes();
  for (int i = 0; i < 10; i++) {
    damage(video, 1);
    fake_now = video_deadline(video);
    video_run(video);
    EXPECT(strstr(notes(), "encoder 2") == NULL);
  }
  video_small_layer(video, true, 500);
  EXPECT_TEXT(next(video), "encoder 3 opens 320x240 fps 30 kbps 500");
  video_close(video);
}

TEST(a_new_size_opens_the_small_layer_again_once_the_screen_is_captured) {
  struct video *video = start_small();
  next(video);
  fake_now += 1000000;
  fake_video.refused = true;
  struct display_settings settings = { 1280, 720, 20, QUALITY_SHARP, false };
  video_set_display(video, &settings);
  video_run(video);
  EXPECT(strstr(notes(), "encoder 4") == NULL);
  fake_video.refused = false;
  damage(video, 1);
  fake_now = video_deadline(video);
  video_run(video);
  const char *encoded = notes();
  EXPECT(strstr(encoded, "encoder 3 key") != NULL);
  EXPECT(strstr(encoded, "encoder 4 opens 320x240 fps 20 kbps 500\nencoder 4 key") != NULL);
  video_close(video);
}

TEST(a_stream_that_stops_takes_the_small_layer_along_and_brings_it_back) {
  struct video *video = start_small();
  next(video);
  video_stream(video, false);
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_stream(video, true);
  fake_now += 1000000;
  video_run(video);
  const char *encoded = notes();
  EXPECT(strstr(encoded, "encoder 1 key") != NULL);
  EXPECT(strstr(encoded, "encoder 3 key") != NULL);
  video_close(video);
}

TEST(a_screen_too_small_to_be_halved_has_no_small_layer) {
  struct video *video = start();
  fake_video.no_memory = true;
  video_small_layer(video, true, 500);
  video_run(video);
  EXPECT(strstr(notes(), "encoder 2") == NULL);
  EXPECT_TEXT(next(video), "encoder 1 refinement");
  EXPECT_EQUAL(video_deadline(video), NEVER);
  video_close(video);
}

TEST(two_exist_beside_each_other) {
  struct screen other_screen = { .width = 320, .height = 240 };
  struct video *video = start(), *other = video_open(&other_screen);
  EXPECT_EQUAL(video_deadline(other), NEVER);
  video_stream(other, true);
  EXPECT_TEXT(notes(), "capture 2 chroma444 0\nencoder 2 opens 320x240 fps 60 kbps 8000\n");
  EXPECT_TEXT(next(other), "encoder 2 key");
  XEvent event = { .type = 2 };
  EXPECT(!video_event(video, &event));
  EXPECT(video_event(other, &event));
  EXPECT_TEXT(next(other), "encoder 2");
  video_set_rate(other, 500);
  EXPECT_TEXT(notes(), "encoder 2 kbps 500\n");
  video_close(other);
  damage(video, 1);
  EXPECT_TEXT(next(video), "encoder 1");
  video_close(video);
}
