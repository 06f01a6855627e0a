#include <stdlib.h>

#include "capture/capture.h"
#include "common/log.h"
#include "desktop/windows.h"
#include "encode/encoder.h"
#include "fakes.h"
#include "video/patch.h"
#include "wire/out.h"

struct fake_video fake_video;

struct capture {
  int number;
  bool dirty;
  struct picture picture;
};

struct encoder {
  int number;
};

struct capture *capture_open(struct screen *screen) {
  (void)screen;
  struct capture *capture = calloc(1, sizeof *capture);
  capture->number = ++fake_video.captures;
  return capture;
}

bool capture_configure(struct capture *capture, bool chroma444) {
  note("capture %d chroma444 %d", capture->number, chroma444);
  return !fake_video.no_memory;
}

void capture_watch(struct capture *capture, bool on) {
  if (on && !fake_video.watched) capture->dirty = true;
  fake_video.watched = on;
}

bool capture_event(struct capture *capture, const XEvent *event) {
  if (event->type != capture->number) return false;
  capture->dirty = true;
  return true;
}

bool capture_dirty(const struct capture *capture) {
  return capture->dirty;
}

bool picture_create_half(struct picture *half, const struct picture *full) {
  (void)full;
  *half = (struct picture){ .width = 320, .height = 240, .changed = true };
  return !fake_video.no_memory;
}

void picture_mark_half(struct picture *half, const struct picture *full) {
  half->changed = half->changed || full->changed;
}

void picture_scale_half(struct picture *half, const struct picture *full) {
  (void)half;
  (void)full;
}

void picture_settle(struct picture *picture) {
  picture->changed = false;
}

void picture_destroy(struct picture *picture) {
  *picture = (struct picture){ 0 };
}

bool capture_update(struct capture *capture) {
  capture->picture.changed = capture->picture.changed || (capture->dirty && !fake_video.same);
  capture->dirty = false;
  return !fake_video.refused;
}

const struct picture *capture_picture(const struct capture *capture) {
  return &capture->picture;
}

void capture_settle(struct capture *capture) {
  capture->picture.changed = false;
}

bool patch_send(const struct capture *capture, uint32_t frame, size_t most) {
  (void)capture;
  if (fake_video.simple) note("patch on %u, %zu bytes at most", frame, most);
  return fake_video.simple;
}

void capture_close(struct capture *capture) {
  free(capture);
}

struct encoder *encoder_open(const struct encoding *encoding) {
  struct encoder *encoder = calloc(1, sizeof *encoder);
  encoder->number = ++fake_video.encoders;
  note("encoder %d opens %dx%d fps %d kbps %u", encoder->number, encoding->width, encoding->height, encoding->fps,
       encoding->kbps);
  return encoder;
}

void encoder_set_rate(struct encoder *encoder, uint32_t kbps) {
  note("encoder %d kbps %u", encoder->number, kbps);
}

bool encoder_encode(struct encoder *encoder, const struct picture *picture, bool key, enum occasion occasion,
                    int periods, struct frame *frame) {
  (void)picture;
  fake_video.periods = periods;
  fake_video.occasion = occasion;
  note("encoder %d%s%s", encoder->number, key ? " key" : "", occasion == REFINEMENT ? " refinement" : "");
  *frame = (struct frame){ .key = key, .coarse = fake_video.coarse };
  return true;
}

void encoder_close(struct encoder *encoder) {
  free(encoder);
}

bool screen_resize(struct screen *screen, int width, int height) {
  bool resized = width != screen->width || height != screen->height;
  screen->width = width;
  screen->height = height;
  return resized;
}

bool out_pending(void) {
  return fake_video.pending;
}

bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  char text[2 * 64 + 1] = "";
  (void)body;
  for (size_t i = 0; i < head_size && i < 64; i++) {
    text[2 * i] = "0123456789abcdef"[head[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[head[i] & 15];
  }
  note("send %s and %zu", text, body_size);
  return true;
}

void log_line(const char *format, ...) {
  note("log %s", format);
}

void windows_resized(void) {
  note("windows resized");
}
