#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "encode/encoder.h"
#include "encode/h264.h"

/**
 * Encoding on a graphics card, by the program berth-encoder: drivers that hang or crash take the helper along
 * otherwise. Whatever fails is not tried again: from then on encoders are software.
 */

/** Of one stream. */
struct hardware;

/** What may differ from frame to frame: the maximum rate, and the quantizer, 0 to 51. */
struct hardware_rate {
  uint32_t kbps, quantizer;
};

/**
 * Tries whether the program, by its command line, encodes: a key frame, another frame, and a key frame on request at
 * another rate, in 3 seconds in all. Tells the agent the encoder's name, or why there is none.
 */
void hardware_start(char *const *command);

/** Notes that there is a card but no way to use it, for a reason, which is a sentence. */
void hardware_refuse(const char *reason);

/** Begins a stream with a picture of even size, at so many frames a second; NULL: it is to be encoded in software. */
struct hardware *hardware_open(const struct h264_stream *stream, int fps);

/**
 * Encodes a picture, of which macroblocks that have not changed are those of the stream's last frame. False: it has
 * failed for good, or within half a second did not answer.
 */
bool hardware_encode(struct hardware *hardware, const struct picture *picture, bool key,
                     const struct hardware_rate *rate, struct frame *frame);

void hardware_close(struct hardware *hardware);

/** Ends the program. */
void hardware_stop(void);
