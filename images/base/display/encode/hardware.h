#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "encode/encoder.h"
#include "encode/h264.h"

/**
 * Encoding on a graphics card, by the program berth-encoder: a driver that hangs or crashes must not take
 * the helper with it. After a failure the card is not tried again: from then on everything is encoded in software.
 */

/** Of one stream. */
struct hardware;

/** What may differ from frame to frame: the maximum rate, and the quantizer, 0 to 51. */
struct hardware_rate {
  uint32_t kbps, quantizer;
};

/**
 * Tries whether the program, by its command line, encodes: a key frame, another frame, and a key frame on request at
 * another rate, within 3 seconds in all. Reports to the agent the encoder's name, or why there is none.
 */
void hardware_start(char *const *command);

/** Reports that there is a card but no way to use it. `reason`: a sentence. */
void hardware_refuse(const char *reason);

/** Begins a stream of pictures of even size, at `fps` frames per second. NULL: encode it in software. */
struct hardware *hardware_open(const struct h264_stream *stream, int fps);

/**
 * Encodes a picture, whose unchanged macroblocks are those of the stream's last frame. False: the encoder has failed
 * for good, or did not answer within half a second.
 */
bool hardware_encode(struct hardware *hardware, const struct picture *picture, bool key,
                     const struct hardware_rate *rate, struct frame *frame);

void hardware_close(struct hardware *hardware);

/** Ends the program. */
void hardware_stop(void);
