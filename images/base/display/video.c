#include "video.h"

#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "clock.h"
#include "layer.h"
#include "log.h"
#include "messages.h"
#include "out.h"
#include "windows.h"

enum { DEFAULT_KBPS = 8000 };

struct video {
  struct screen *screen;
  struct capture *capture;
  struct layer layer;
  bool streaming;
  uint32_t frame;
};

static void send_display(const struct video *video) {
  uint8_t head[DISPLAY_BYTES];
  put_display(head, (struct display_message){
    .width = (uint16_t)video->screen->width,
    .height = (uint16_t)video->screen->height,
    .fps = (uint8_t)video->layer.encoding.fps,
    .quality = (uint8_t)video->layer.encoding.quality,
    .chroma = video->layer.encoding.chroma444,
  });
  out_send(head, sizeof head, NULL, 0);
}

static void open_encoder(struct video *video) {
  struct encoding *encoding = &video->layer.encoding;
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
  video->layer = (struct layer){
    .encoding = { .fps = 60, .quality = QUALITY_SMOOTH, .kbps = DEFAULT_KBPS },
    .refine_at = NEVER,
  };
  video->capture = capture_open(screen);
  if (video->capture) return video;
  free(video);
  return NULL;
}

void video_set_display(struct video *video, const struct display_settings *settings) {
  struct encoding *encoding = &video->layer.encoding, before = *encoding;
  bool resized = screen_resize(video->screen, settings->width, settings->height);
  if (resized) windows_changed();
  encoding->fps = settings->fps;
  encoding->quality = settings->quality;
  encoding->chroma444 = settings->chroma444;
  if (resized || memcmp(&before, encoding, sizeof before) != 0) {
    layer_close(&video->layer);
    if (video->streaming) open_encoder(video);
  }
  send_display(video);
}

void video_stream(struct video *video, bool on) {
  if (on && !video->streaming) {
    if (!video->layer.encoder) open_encoder(video);
    capture_invalidate(video->capture);
    layer_restart(&video->layer);
  }
  video->streaming = on;
  if (!on) video->layer.refine_at = NEVER;
}

void video_key_frame(struct video *video) {
  video->layer.key_wanted = true;
}

void video_set_rate(struct video *video, uint32_t kbps) {
  layer_set_rate(&video->layer, kbps);
}

bool video_event(struct video *video, const XEvent *event) {
  return capture_event(video->capture, event);
}

int64_t video_deadline(const struct video *video) {
  if (!video->streaming || out_pending()) return NEVER;
  return layer_deadline(&video->layer, capture_dirty(video->capture));
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

void video_run(struct video *video) {
  int64_t now = now_us();
  if (video_deadline(video) > now) return;
  bool still = !capture_dirty(video->capture), refinement;
  struct frame frame;
  layer_begin(&video->layer, now);
  if (!capture_update(video->capture)) return layer_failed(&video->layer, now);
  if (!layer_encode(&video->layer, capture_picture(video->capture), still, now, &frame, &refinement)) return;
  capture_settle(video->capture);
  send_frame(video, &frame, refinement, now);
}

void video_close(struct video *video) {
  layer_close(&video->layer);
  capture_close(video->capture);
  free(video);
}
