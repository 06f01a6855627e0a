#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "wire/messages.h"

struct x264_param_t;

/** The inputs of the encoder's parameters. `kbps` is the maximum bit rate. */
struct encoding {
  int width, height, fps;
  enum quality quality;
  bool chroma444;
  uint32_t kbps;
};

/** When a frame is encoded: among others in motion, again while nothing changes, or as the first in a while. */
enum occasion { MOVING, REFINEMENT, AFTER_PAUSE };

/** Encoder parameters: no frame is delayed or reordered, every frame can be decoded on arrival. */
void quality_params(struct x264_param_t *params, const struct encoding *encoding);

/** The maximum bit rate that is used, kbit/s. */
uint32_t quality_kbps(const struct encoding *encoding);

/**
 * Changes what can be changed in a running encoder's `params`: rate and quality, which is higher for a refinement. The
 * first frame after a pause is encoded and decoded without the deblocking filter, and so arrives sooner. `periods`: for
 * how many frame periods the last frame was shown, one or more.
 */
void quality_rate(struct x264_param_t *params, const struct encoding *encoding, enum occasion occasion, int periods);
