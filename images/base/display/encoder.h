#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture.h"
#include "quality.h"

struct encoder;

/** An encoded frame, valid until the next one. `coarse`: the rate's ceiling kept it below the wanted quality. */
struct frame {
  const uint8_t *data;
  size_t size;
  bool key;
  bool coarse;
};

/** Opens an encoder; NULL where the parameters are impossible. */
struct encoder *encoder_open(const struct encoding *encoding);

/** Takes a new rate in force with the next frame. */
void encoder_set_rate(struct encoder *encoder, uint32_t kbps);

/** Encodes a picture of the encoder's size. False: nothing came out. */
bool encoder_encode(struct encoder *encoder, const struct planes *planes, bool key, bool refinement,
                    struct frame *frame);

void encoder_close(struct encoder *encoder);
