#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "capture/picture.h"
#include "encode/encoder.h"
#include "encode/quality.h"

/**
 * Why a frame is encoded: something was drawn; what was drawn has been sent as a patch, so there is no hurry; or
 * nothing was drawn, as for a refinement.
 */
enum cause { DRAWN, PATCHED, STILL };

/**
 * One encoding of the screen: when its frames are due, which of them are key frames, and when it is refined. At most
 * one frame per period of its frame rate; a picture that has been still for a while is refined, which delays no
 * change. Times are microseconds of now_us.
 */
struct layer {
  struct encoding encoding;
  struct encoder *encoder;
  bool key_wanted;
  int64_t key_allowed_at;
  int64_t frame_allowed_at;
  int64_t encoded_at;
  int64_t refine_at;
  int refinements_left;
  /** Whether viewers have the whole picture at the quality of a refinement. */
  bool sharp;
  /** Whether a patch has been sent since the last frame. */
  bool patched;
};

/** Opens an encoder for `encoding` in place of the previous one; it starts with a key frame. False: it failed. */
bool layer_open(struct layer *layer);

/** Starts with a key frame, regardless of the time since the last one. */
void layer_restart(struct layer *layer);

/** Sets the maximum bit rate in kbit/s. */
void layer_set_rate(struct layer *layer, uint32_t kbps);

/** When the next frame is due; NEVER if none is. `changed`: something may have changed since the last one. */
int64_t layer_deadline(const struct layer *layer, bool changed);

/** Called when a frame of something drawn is encoded or found to be unnecessary: the next one is due a period later. */
void layer_begin(struct layer *layer, int64_t now);

/** Whether what is drawn now may be sent as a patch first: once, after a pause, and not before a key frame. */
bool layer_takes_patch(const struct layer *layer, int64_t now);

/** A patch was sent: its frame is delayed a little, so that encoding does not compete with the patch. */
void layer_patched(struct layer *layer, int64_t now);

/** Encodes the picture as the frame begun at `now`. False: there is no frame. */
bool layer_encode(struct layer *layer, const struct picture *picture, enum cause cause, int64_t now,
                  struct frame *frame, bool *refinement);

/** Called when the frame begun at `now` failed: it is tried again after a pause, if something changes. */
void layer_failed(struct layer *layer, int64_t now);

/** Closes the encoder. */
void layer_close(struct layer *layer);
