#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/picture.h"
#include "encode/quality.h"

struct encoder;

/** An encoded frame, valid until the next one. `coarse`: the rate limit kept it below the requested quality. */
struct frame {
  const uint8_t *data;
  size_t size;
  bool key;
  bool coarse;
};

/** Opens an encoder; NULL if the parameters are invalid. */
struct encoder *encoder_open(const struct encoding *encoding);

/** Sets a new rate, effective with the next frame. */
void encoder_set_rate(struct encoder *encoder, uint32_t kbps);

/**
 * Encodes a picture of the encoder's size, whose unchanged macroblocks are those of the last frame. `periods`: how many
 * frame periods ago that was, one or more. False: no output.
 */
bool encoder_encode(struct encoder *encoder, const struct picture *picture, bool key, enum occasion occasion,
                    int periods, struct frame *frame);

void encoder_close(struct encoder *encoder);
