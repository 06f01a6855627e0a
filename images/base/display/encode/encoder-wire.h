#pragma once
#include <stdint.h>

/**
 * What the helper and the program berth-encoder say to each other, through a socket that is the program's standard
 * input. The picture is in memory that both share, which is the program's descriptor ENCODER_MEMORY. Both are built
 * from the same sources, for the same machine.
 */

enum { ENCODER_MEMORY = 3, ENCODER_ALIGNMENT = 64, ENCODER_WORDS = 240 };

/** The largest frame that is accepted, in bytes. */
enum { ENCODER_FRAME_MAX = 16 << 20 };

/**
 * Encode the picture that is in the memory: rows of luma, then rows of both chroma planes interleaved (NV12), with
 * encoder_stride bytes each. Another size, frame rate or level begins a new stream.
 */
struct encoder_request {
  /** Even, in pixels. */
  uint32_t width, height;
  uint32_t fps;
  /** Of H.264, times ten. */
  uint32_t level;
  /** Maximum bit rate in kbit/s, effective as soon as the encoder allows. */
  uint32_t kbps;
  /** The wanted quantizer, 0 to 51, and that of most frames of the stream. */
  uint32_t quantizer, usual;
  /** Not 0: a key frame. */
  uint32_t key;
};

/** The answer, followed by `size` bytes, an access unit. */
struct encoder_reply {
  /** 0: it could not be encoded. */
  uint32_t size;
  /** Mean quantizer of the frame; 0: unknown. */
  uint32_t quantizer;
  /** Name of the encoder, or why the frame could not be encoded: ends with a 0. */
  char words[ENCODER_WORDS];
};

/** Bytes between the beginnings of two rows. */
static inline uint32_t encoder_stride(uint32_t width) {
  return (width + ENCODER_ALIGNMENT - 1) & ~(uint32_t)(ENCODER_ALIGNMENT - 1);
}

/** Bytes of a picture. */
static inline uint64_t encoder_picture_bytes(uint32_t width, uint32_t height) {
  return (uint64_t)encoder_stride(width) * height / 2 * 3;
}
