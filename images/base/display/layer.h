#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "encoder.h"
#include "picture.h"
#include "quality.h"

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

/**
 * Encodes the picture as the frame begun at `now`; `still`: nothing was drawn since the last one. False: there is no
 * frame.
 */
bool layer_encode(struct layer *layer, const struct picture *picture, bool still, int64_t now, struct frame *frame,
                  bool *refinement);

/** The frame begun at `now` could not be made: it is tried again after a pause, if something changes. */
void layer_failed(struct layer *layer, int64_t now);

/** Closes the encoder. */
void layer_close(struct layer *layer);
