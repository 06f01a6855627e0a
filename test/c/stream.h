#pragma once
#include <stdint.h>
#include <string.h>

#include "common/clock.h"
#include "expect.h"
#include "fakes.h"
#include "video/video.h"

/** A stream of the suites of video.c, on a screen of 640 x 480. */

static struct screen screen = { .width = 640, .height = 480 };

static inline struct video *start(void) {
  struct video *video = video_open(&screen);
  video_stream(video, true);
  video_run(video);
  notes();
  return video;
}

/* Something is drawn on the screen of the capture with this number. */
static inline void damage(struct video *video, int number) {
  XEvent event = { .type = number };
  EXPECT(video_event(video, &event));
}

/* Advances time to the next frame, and returns what was encoded. */
static inline const char *next(struct video *video) {
  EXPECT(video_deadline(video) != NEVER);
  if (video_deadline(video) > fake_now) fake_now = video_deadline(video);
  video_run(video);
  char *encoded = (char *)(uintptr_t)notes();
  encoded[strcspn(encoded, "\n")] = 0;
  return encoded;
}
