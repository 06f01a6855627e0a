#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

struct x264_param_t;

/** What decides the encoder's parameters. `kbps` is the ceiling of the rate. */
struct encoding {
  int width, height, fps;
  enum quality quality;
  bool chroma444;
  uint32_t kbps;
};

/** Parameters of an encoder: no frame is held back or reordered, any frame can be decoded on arrival. */
void quality_params(struct x264_param_t *params, const struct encoding *encoding);

/** Changes in `params` what a running encoder can change: rate and quality, better for a refinement. */
void quality_rate(struct x264_param_t *params, const struct encoding *encoding, bool refinement);
