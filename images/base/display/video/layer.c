#include "video/layer.h"

#include <stddef.h>

#include "common/clock.h"

enum {
  SECOND = 1000000,
  PAUSE_MAX = SECOND / 20,
  LONG_PAUSE = SECOND / 10,
  PATCH_PAUSE = SECOND / 20,
  PATCH_LEAD = SECOND / 500,
  KEY_INTERVAL = SECOND / 4,
  FAULT_PAUSE = SECOND / 5,
  STILL_PERIODS = 15,
  REFINEMENTS_MAX = 60,
};

bool layer_open(struct layer *layer) {
  layer_close(layer);
  layer->encoder = encoder_open(&layer->encoding);
  layer_restart(layer);
  layer->refine_at = NEVER;
  return layer->encoder != NULL;
}

void layer_restart(struct layer *layer) {
  layer->key_wanted = true;
  layer->key_allowed_at = 0;
  layer->sharp = false;
  layer->patched = false;
}

void layer_set_rate(struct layer *layer, uint32_t kbps) {
  layer->encoding.kbps = kbps;
  if (layer->encoder) encoder_set_rate(layer->encoder, kbps);
}

static int64_t later(int64_t a, int64_t b) {
  return a > b ? a : b;
}

int64_t layer_deadline(const struct layer *layer, bool changed) {
  if (!layer->encoder) return NEVER;
  int64_t deadline = layer->refine_at;
  if (layer->key_wanted) {
    int64_t key_at = later(layer->key_allowed_at, layer->frame_allowed_at);
    if (key_at < deadline) deadline = key_at;
  }
  if ((changed || layer->patched) && layer->frame_allowed_at < deadline) deadline = layer->frame_allowed_at;
  return deadline;
}

/* Tolerates jitter, so that every frame of a program that draws at the frame rate is captured. */
void layer_begin(struct layer *layer, int64_t now) {
  int64_t period = SECOND / layer->encoding.fps;
  layer->frame_allowed_at = later(layer->frame_allowed_at + period, now + period * 3 / 4);
}

bool layer_takes_patch(const struct layer *layer, int64_t now) {
  return !layer->patched && !layer->key_wanted && now - layer->encoded_at >= PATCH_PAUSE;
}

void layer_patched(struct layer *layer, int64_t now) {
  layer->patched = true;
  layer->frame_allowed_at = now + PATCH_LEAD;
}

/*
 * For how many frame periods the last frame was shown. Capped at PAUSE_MAX, which refills an eighth of the encoder's
 * buffer, so that a frame is already on its way when the next change follows it.
 */
static int periods_since(const struct layer *layer, int64_t now) {
  int64_t period = SECOND / layer->encoding.fps;
  int64_t periods = (now - layer->encoded_at + period / 2) / period, most = PAUSE_MAX / period;
  if (periods > most) periods = most;
  return periods > 1 ? (int)periods : 1;
}

static void schedule_refinement(struct layer *layer, bool refined, bool coarse, int64_t now) {
  bool wanted = !refined || (coarse && --layer->refinements_left > 0);
  int64_t still = (int64_t)STILL_PERIODS * SECOND / layer->encoding.fps;
  /* The next refinement waits until this one has been sent at the given rate, and for at least one frame period. */
  int64_t again = later(PAUSE_MAX, SECOND / layer->encoding.fps);
  layer->refine_at = !wanted ? NEVER : now + (refined ? again : still);
}

/*
 * Viewers see a patch pixel for pixel, so its frame is as sharp, provided that the rest of the picture already is.
 * Otherwise the frame would refine the rest as well, which takes longer and has to wait until nothing changes.
 */
static enum occasion occasion(const struct layer *layer, enum cause cause, bool refinement, bool key, int64_t now) {
  if (refinement || (cause == PATCHED && layer->sharp && !key)) return REFINEMENT;
  return cause == PATCHED || now - layer->encoded_at < LONG_PAUSE ? MOVING : AFTER_PAUSE;
}

bool layer_encode(struct layer *layer, const struct picture *picture, enum cause cause, int64_t now,
                  struct frame *frame, bool *refinement) {
  layer->patched = false;
  *refinement = cause == STILL && now >= layer->refine_at;
  bool key = layer->key_wanted && now >= layer->key_allowed_at;
  if (!picture->changed && !key && !*refinement) return false;
  enum occasion why = occasion(layer, cause, *refinement, key, now);
  if (!encoder_encode(layer->encoder, picture, key, why, periods_since(layer, now), frame)) {
    layer_failed(layer, now);
    return false;
  }
  layer->encoded_at = now;
  if (frame->key) {
    layer->key_wanted = false;
    layer->key_allowed_at = now + KEY_INTERVAL;
  }
  layer->sharp = why == REFINEMENT && !frame->coarse;
  if (!*refinement) layer->refinements_left = REFINEMENTS_MAX;
  schedule_refinement(layer, why == REFINEMENT, frame->coarse, now);
  return true;
}

void layer_failed(struct layer *layer, int64_t now) {
  layer->frame_allowed_at = now + FAULT_PAUSE;
  layer->patched = false;
  layer->refine_at = NEVER;
}

void layer_close(struct layer *layer) {
  encoder_close(layer->encoder);
  layer->encoder = NULL;
}
