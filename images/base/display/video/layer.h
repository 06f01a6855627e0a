#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "capture/picture.h"
#include "encode/encoder.h"
#include "encode/quality.h"

/**
 * Why a frame is made: something was drawn; what was drawn is on its way as a patch, so that there is no hurry; or nothing
 * was, as for a refinement.
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
  /** Whether viewers have all of the picture as a refinement makes it. */
  bool sharp;
  /** Whether a patch has been sent since the last frame. */
  bool patched;
};

/** Opens an encoder of `encoding`, in place of the previous one, which starts with a key frame. False: not possible. */
bool layer_open(struct layer *layer);

/** Starts with a key frame, regardless of the time since the last one. */
void layer_restart(struct layer *layer);

/** Sets the maximum bit rate in kbit/s. */
void layer_set_rate(struct layer *layer, uint32_t kbps);

/** When the next frame is due; `changed`: something may have changed since the last one. NEVER: there is none. */
int64_t layer_deadline(const struct layer *layer, bool changed);

/** A frame of something drawn is made now, or found to be needless: the next one is a period away. */
void layer_begin(struct layer *layer, int64_t now);

/** Whether what is drawn now may be sent as a patch first: after a pause, once, and on no key frame. */
bool layer_takes_patch(const struct layer *layer, int64_t now);

/** A patch was sent: its frame is made a little later, since that would take the processors from what passes it on. */
void layer_patched(struct layer *layer, int64_t now);

/**
 * Encodes the picture as the frame begun at `now`. False: there is no frame.
 */
bool layer_encode(struct layer *layer, const struct picture *picture, enum cause cause, int64_t now, struct frame *frame,
                  bool *refinement);

/** The frame begun at `now` could not be made: it is tried again after a pause, if something changes. */
void layer_failed(struct layer *layer, int64_t now);

/** Closes the encoder. */
void layer_close(struct layer *layer);
