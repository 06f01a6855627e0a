#include "video/video.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "common/clock.h"
#include "common/log.h"
#include "desktop/windows.h"
#include "video/layer.h"
#include "video/patch.h"
#include "wire/from-helper.h"
#include "wire/out.h"

enum { DEFAULT_KBPS = 8000, LAYERS = 2, SMALL_FPS_MAX = 30, PATCH_MS = 20 };

struct video {
  struct screen *screen;
  struct capture *capture;
  struct layer layer;
  struct layer small;
  struct picture half;
  bool small_wanted;
  /* When the picture was captured; NEVER while it is still black. */
  int64_t captured_at;
  bool streaming;
  uint32_t frame;
  /* The number of the full layer's last frame. */
  uint32_t full_frame;
};

static void send_display(const struct video *video) {
  uint8_t head[DISPLAY_BYTES];
  struct display_message display = {
    .width = (uint16_t)video->screen->width,
    .height = (uint16_t)video->screen->height,
    .fps = (uint8_t)video->layer.encoding.fps,
    .quality = (uint8_t)video->layer.encoding.quality,
    .chroma = video->layer.encoding.chroma444,
  };
  put_display(head, display);
  out_send(head, sizeof head, NULL, 0);
}

static void close_small(struct video *video) {
  layer_close(&video->small);
  picture_destroy(&video->half);
}

static bool open_small(struct video *video) {
  if (!picture_create_half(&video->half, capture_picture(video->capture))) return false;
  uint32_t kbps = video->small.encoding.kbps;
  video->small.encoding = video->layer.encoding;
  video->small.encoding.width = video->half.width;
  video->small.encoding.height = video->half.height;
  if (video->small.encoding.fps > SMALL_FPS_MAX) video->small.encoding.fps = SMALL_FPS_MAX;
  video->small.encoding.kbps = kbps;
  return layer_open(&video->small);
}

static void open_encoder(struct video *video) {
  struct encoding *encoding = &video->layer.encoding;
  close_small(video);
  video->captured_at = NEVER;
  layer_close(&video->layer);
  encoding->width = (video->screen->width + 1) & ~1;
  encoding->height = (video->screen->height + 1) & ~1;
  if (capture_configure(video->capture, encoding->chroma444)) layer_open(&video->layer);
  else log_line("no memory for %dx%d", encoding->width, encoding->height);
}

struct video *video_open(struct screen *screen) {
  struct video *video = calloc(1, sizeof *video);
  if (!video) return NULL;
  video->screen = screen;
  video->captured_at = NEVER;
  video->layer = (struct layer){
    .encoding = { .fps = 60, .quality = QUALITY_SMOOTH, .kbps = DEFAULT_KBPS },
    .refine_at = NEVER,
  };
  video->small = (struct layer){ .encoding = { .kbps = DEFAULT_KBPS }, .refine_at = NEVER };
  video->capture = capture_open(screen);
  if (video->capture) return video;
  free(video);
  return NULL;
}

void video_set_display(struct video *video, const struct display_settings *settings) {
  struct encoding *encoding = &video->layer.encoding, before = *encoding;
  bool resized = screen_resize(video->screen, settings->width, settings->height);
  if (resized) windows_resized();
  encoding->fps = settings->fps;
  encoding->quality = settings->quality;
  encoding->chroma444 = settings->chroma444;
  if (resized || memcmp(&before, encoding, sizeof before) != 0) {
    layer_close(&video->layer);
    close_small(video);
    if (video->streaming) open_encoder(video);
  }
  send_display(video);
}

void video_stream(struct video *video, bool on) {
  if (on && !video->streaming) {
    if (!video->layer.encoder) open_encoder(video);
    capture_watch(video->capture, true);
    layer_restart(&video->layer);
  }
  video->streaming = on;
  if (on) return;
  capture_watch(video->capture, false);
  video->layer.refine_at = NEVER;
  close_small(video);
}

void video_key_frame(struct video *video) {
  video->layer.key_wanted = true;
}

void video_set_rate(struct video *video, uint32_t kbps) {
  layer_set_rate(&video->layer, kbps);
}

void video_small_layer(struct video *video, bool on, uint32_t kbps) {
  video->small_wanted = on;
  layer_set_rate(&video->small, kbps);
  if (!on) close_small(video);
}

void video_small_key_frame(struct video *video) {
  video->small.key_wanted = true;
}

void video_announce(void) {
  uint8_t head[LAYERS_BYTES];
  put_layers(head, (struct layers_message){ .count = LAYERS });
  out_send(head, sizeof head, NULL, 0);
}

bool video_event(struct video *video, const XEvent *event) {
  return capture_event(video->capture, event);
}

/* A layer that is wanted but not open yet is due at once. */
static int64_t small_deadline(const struct video *video) {
  if (!video->small_wanted || video->captured_at == NEVER) return NEVER;
  return video->small.encoder ? layer_deadline(&video->small, video->half.changed) : 0;
}

int64_t video_deadline(const struct video *video) {
  if (!video->streaming || out_pending()) return NEVER;
  int64_t full = layer_deadline(&video->layer, capture_dirty(video->capture)), small = small_deadline(video);
  return small < full ? small : full;
}

static uint32_t send_frame(struct video *video, const struct frame *frame, unsigned flags, int64_t captured_at) {
  uint8_t head[VIDEO_BYTES];
  struct video_message message = {
    .flags = (uint8_t)(flags | (frame->key ? VIDEO_KEY : 0)),
    .frame = ++video->frame,
    .time = (uint64_t)captured_at,
  };
  put_video(head, message);
  out_send(head, sizeof head, frame->data, frame->size);
  return video->frame;
}

/*
 * Sends what changed ahead of its frame if it is small enough to take PATCH_MS at the current rate. Not with blocky
 * frames, beside which it would stand out.
 */
static bool send_patch(struct video *video, int64_t now) {
  const struct encoding *encoding = &video->layer.encoding;
  if (encoding->quality == QUALITY_BLOCKY || !layer_takes_patch(&video->layer, now)) return false;
  size_t most = encoding->kbps / 8 * PATCH_MS;
  if (!patch_send(video->capture, video->full_frame, most)) return false;
  layer_patched(&video->layer, now);
  return true;
}

static void run_full(struct video *video, int64_t now) {
  struct layer *layer = &video->layer;
  enum cause cause = capture_dirty(video->capture) ? DRAWN : layer->patched ? PATCHED : STILL;
  if (layer_deadline(layer, cause == DRAWN) > now) return;
  struct frame frame;
  bool refinement;
  if (cause != STILL) layer_begin(layer, now);
  if (!capture_update(video->capture)) {
    layer_failed(layer, now);
    return;
  }
  video->captured_at = now;
  const struct picture *picture = capture_picture(video->capture);
  if (video->small.encoder) picture_mark_half(&video->half, picture);
  if (picture->changed && send_patch(video, now)) return;
  if (!layer_encode(layer, picture, cause, now, &frame, &refinement)) return;
  capture_settle(video->capture);
  video->full_frame = send_frame(video, &frame, refinement ? VIDEO_REFINEMENT : 0, now);
}

/* Scales what was captured for the full layer; it captures nothing itself. */
static void run_small(struct video *video, int64_t now) {
  if (small_deadline(video) > now) return;
  if (!video->small.encoder && !open_small(video)) {
    log_line("no small layer");
    video->small_wanted = false;
    close_small(video);
    return;
  }
  enum cause cause = video->half.changed ? DRAWN : STILL;
  bool refinement;
  struct frame frame;
  if (cause == DRAWN) layer_begin(&video->small, now);
  picture_scale_half(&video->half, capture_picture(video->capture));
  if (!layer_encode(&video->small, &video->half, cause, now, &frame, &refinement)) return;
  picture_settle(&video->half);
  send_frame(video, &frame, VIDEO_SMALL | (refinement ? VIDEO_REFINEMENT : 0),
             cause == STILL ? now : video->captured_at);
}

void video_run(struct video *video) {
  int64_t now = now_us();
  if (video_deadline(video) > now) return;
  run_full(video, now);
  run_small(video, now);
}

void video_close(struct video *video) {
  layer_close(&video->layer);
  close_small(video);
  capture_close(video->capture);
  free(video);
}
