#include "video.h"

#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "clock.h"
#include "encoder.h"
#include "log.h"
#include "messages.h"
#include "out.h"
#include "windows.h"

enum {
  SECOND = 1000000,
  KEY_INTERVAL = SECOND / 4,
  FAULT_PAUSE = SECOND / 5,
  STILL_PERIODS = 15,
  REFINEMENTS_MAX = 8,
  DEFAULT_KBPS = 8000,
};

struct video {
  struct screen *screen;
  struct capture *capture;
  struct encoder *encoder;
  struct encoding encoding;
  bool streaming;
  bool key_wanted;
  int64_t key_allowed_at;
  int64_t frame_allowed_at;
  int64_t refine_at;
  int refinements_left;
  uint32_t frame;
};

static void send_display(const struct video *video) {
  uint8_t head[DISPLAY_BYTES];
  put_display(head, (struct display_message){
    .width = (uint16_t)video->screen->width,
    .height = (uint16_t)video->screen->height,
    .fps = (uint8_t)video->encoding.fps,
    .quality = (uint8_t)video->encoding.quality,
    .chroma = video->encoding.chroma444,
  });
  out_send(head, sizeof head, NULL, 0);
}

/* A new encoder starts with a key frame, regardless of the time since the last one. */
static void open_encoder(struct video *video) {
  encoder_close(video->encoder);
  video->encoder = NULL;
  video->encoding.width = (video->screen->width + 1) & ~1;
  video->encoding.height = (video->screen->height + 1) & ~1;
  if (!capture_configure(video->capture, video->encoding.chroma444)) {
    log_line("no memory for %dx%d", video->encoding.width, video->encoding.height);
    return;
  }
  video->encoder = encoder_open(&video->encoding);
  video->key_wanted = true;
  video->key_allowed_at = 0;
  video->refine_at = NEVER;
}

struct video *video_open(struct screen *screen) {
  struct video *video = calloc(1, sizeof *video);
  if (!video) return NULL;
  video->screen = screen;
  video->refine_at = NEVER;
  video->encoding = (struct encoding){ .fps = 60, .quality = QUALITY_SMOOTH, .kbps = DEFAULT_KBPS };
  video->capture = capture_open(screen);
  if (video->capture) return video;
  free(video);
  return NULL;
}

void video_set_display(struct video *video, const struct display_settings *settings) {
  struct encoding before = video->encoding;
  bool resized = screen_resize(video->screen, settings->width, settings->height);
  if (resized) windows_changed();
  video->encoding.fps = settings->fps;
  video->encoding.quality = settings->quality;
  video->encoding.chroma444 = settings->chroma444;
  if (resized || memcmp(&before, &video->encoding, sizeof before) != 0) {
    encoder_close(video->encoder);
    video->encoder = NULL;
    if (video->streaming) open_encoder(video);
  }
  send_display(video);
}

void video_stream(struct video *video, bool on) {
  if (on && !video->streaming) {
    if (!video->encoder) open_encoder(video);
    capture_invalidate(video->capture);
    video->key_wanted = true;
    video->key_allowed_at = 0;
  }
  video->streaming = on;
  if (!on) video->refine_at = NEVER;
}

void video_key_frame(struct video *video) {
  video->key_wanted = true;
}

void video_set_rate(struct video *video, uint32_t kbps) {
  video->encoding.kbps = kbps;
  if (video->encoder) encoder_set_rate(video->encoder, kbps);
}

bool video_event(struct video *video, const XEvent *event) {
  return capture_event(video->capture, event);
}

static int64_t later(int64_t a, int64_t b) {
  return a > b ? a : b;
}

int64_t video_deadline(const struct video *video) {
  if (!video->streaming || !video->encoder || out_pending()) return NEVER;
  int64_t deadline = video->refine_at;
  if (video->key_wanted) {
    int64_t key_at = later(video->key_allowed_at, video->frame_allowed_at);
    if (key_at < deadline) deadline = key_at;
  }
  if (capture_dirty(video->capture) && video->frame_allowed_at < deadline) deadline = video->frame_allowed_at;
  return deadline;
}

static void send_frame(struct video *video, const struct frame *frame, bool refinement, int64_t captured_at) {
  uint8_t head[VIDEO_BYTES];
  put_video(head, (struct video_message){
    .flags = (uint8_t)((frame->key ? VIDEO_KEY : 0) | (refinement ? VIDEO_REFINEMENT : 0)),
    .frame = ++video->frame,
    .time = (uint64_t)captured_at,
  });
  out_send(head, sizeof head, frame->data, frame->size);
}

/* Tolerates jitter, so that every frame of a program that draws at the frame rate is captured. */
static void schedule_next(struct video *video, int64_t now) {
  int64_t period = SECOND / video->encoding.fps;
  video->frame_allowed_at = later(video->frame_allowed_at + period, now + period * 3 / 4);
}

static void schedule_refinement(struct video *video, bool refined, bool coarse, int64_t now) {
  if (!refined) video->refinements_left = REFINEMENTS_MAX;
  bool wanted = !refined || (coarse && --video->refinements_left > 0);
  video->refine_at = wanted ? now + (int64_t)STILL_PERIODS * SECOND / video->encoding.fps : NEVER;
}

void video_run(struct video *video) {
  int64_t now = now_us();
  if (video_deadline(video) > now) return;
  bool refinement = !capture_dirty(video->capture) && now >= video->refine_at;
  bool key = video->key_wanted && now >= video->key_allowed_at;
  struct frame frame;
  schedule_next(video, now);
  bool captured = capture_update(video->capture);
  const struct picture *picture = capture_picture(video->capture);
  if (captured && !picture->changed && !key && !refinement) return;
  if (!captured || !encoder_encode(video->encoder, picture, key, refinement, &frame)) {
    video->frame_allowed_at = now + FAULT_PAUSE;
    video->refine_at = NEVER;
    return;
  }
  capture_settle(video->capture);
  if (frame.key) {
    video->key_wanted = false;
    video->key_allowed_at = now + KEY_INTERVAL;
  }
  send_frame(video, &frame, refinement, now);
  schedule_refinement(video, refinement, frame.coarse, now);
}

void video_close(struct video *video) {
  encoder_close(video->encoder);
  capture_close(video->capture);
  free(video);
}
