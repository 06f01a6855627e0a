#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Encodes audio as Opus packets of 10 ms and sends them, except for silence. */

enum { OPUS_RATE = 48000, OPUS_CHANNELS = 2, OPUS_FRAME_SAMPLES = OPUS_RATE / 100 };

struct opus_stream;

/** NULL: Opus failed. */
struct opus_stream *opus_stream_open(void);

/** Consumes any number of interleaved stereo samples; `size` in bytes. */
void opus_stream_feed(struct opus_stream *stream, const int16_t *samples, size_t size);

void opus_stream_close(struct opus_stream *stream);
