#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What viewers were promised of a stream: size in pixels, level times ten. The profile is always Main. */
struct h264_stream {
  int width, height, level;
};

/**
 * Checks an access unit of an encoder that is not ours: Annex B, SPS and PPS before a key frame, profile, level and
 * size as promised, and no frame that a decoder must hold back. Returns what is wrong, the end of a sentence that
 * begins with the encoder's name; NULL: nothing. Sets `key`.
 */
const char *h264_problem(const uint8_t *data, size_t size, const struct h264_stream *stream, bool *key);
