#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Turns sound into Opus packets of 10 ms and sends them, but no silence. */

enum { OPUS_RATE = 48000, OPUS_CHANNELS = 2, OPUS_FRAME_SAMPLES = OPUS_RATE / 100 };

struct opus_stream;

/** NULL: Opus refuses. */
struct opus_stream *opus_stream_open(void);

/** Takes samples of both channels in turn, any number of them; `size` in bytes. */
void opus_stream_feed(struct opus_stream *stream, const int16_t *samples, size_t size);

void opus_stream_close(struct opus_stream *stream);
