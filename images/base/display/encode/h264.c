#include "encode/h264.h"

#include "encode/bits.h"

enum { NAL_SLICE = 1, NAL_IDR = 5, NAL_SPS = 7, NAL_PPS = 8 };
enum { PROFILE_MAIN = 77, EXTENDED_SAR = 255, SPS_MAX_BYTES = 256, MACROBLOCK = 16 };

struct unit {
  const uint8_t *data;
  size_t size;
};

/* Finds the next start code at or after `at`; `size` if there is none. */
static size_t start_code(const uint8_t *data, size_t size, size_t at) {
  for (; at + 3 <= size; at++) {
    if (data[at] == 0 && data[at + 1] == 0 && data[at + 2] == 1) return at;
  }
  return size;
}

/* Takes the next NAL unit, and moves `at` behind it. False: there is none. */
static bool next_unit(const uint8_t *data, size_t size, size_t *at, struct unit *unit) {
  size_t start = start_code(data, size, *at);
  if (start == size) return false;
  size_t end = start_code(data, size, start + 3);
  *unit = (struct unit){ .data = data + start + 3, .size = end - start - 3 };
  *at = end;
  return unit->size > 0;
}

static void skip_hrd(struct bits *bits) {
  uint32_t count = bits_golomb(bits) + 1;
  bits_read(bits, 8);
  for (uint32_t i = 0; i < count && !bits->ended; i++) {
    bits_golomb(bits);
    bits_golomb(bits);
    bits_read(bits, 1);
  }
  bits_read(bits, 20);
}

/* Whether the VUI says that no frame is reordered. */
static bool vui_has_order(struct bits *bits) {
  if (bits_read(bits, 1) && bits_read(bits, 8) == EXTENDED_SAR) bits_read(bits, 32);
  if (bits_read(bits, 1)) bits_read(bits, 1);
  if (bits_read(bits, 1)) {
    bits_read(bits, 4);
    if (bits_read(bits, 1)) bits_read(bits, 24);
  }
  if (bits_read(bits, 1)) {
    bits_golomb(bits);
    bits_golomb(bits);
  }
  if (bits_read(bits, 1)) {
    bits_read(bits, 32);
    bits_read(bits, 32);
    bits_read(bits, 1);
  }
  bool nal = bits_read(bits, 1);
  if (nal) skip_hrd(bits);
  bool vcl = bits_read(bits, 1);
  if (vcl) skip_hrd(bits);
  if (nal || vcl) bits_read(bits, 1);
  bits_read(bits, 1);
  if (!bits_read(bits, 1)) return false;
  bits_read(bits, 1);
  for (int i = 0; i < 4; i++) bits_golomb(bits);
  return bits_golomb(bits) == 0;
}

static const char *sps_problem(const struct unit *unit, const struct h264_stream *stream) {
  uint8_t bytes[SPS_MAX_BYTES];
  struct bits bits = bits_of(bytes, sizeof bytes, unit->data + 1, unit->size - 1);
  if (bits_read(&bits, 8) != PROFILE_MAIN) return "writes another profile than Main";
  bits_read(&bits, 8);
  if (bits_read(&bits, 8) != (uint32_t)stream->level) return "writes another level than it was told";
  bits_golomb(&bits);
  bits_golomb(&bits);
  uint32_t order = bits_golomb(&bits);
  if (order == 0) bits_golomb(&bits);
  if (order == 1) return "counts pictures in a way that is not supported";
  bits_golomb(&bits);
  bits_read(&bits, 1);
  uint32_t width = (bits_golomb(&bits) + 1) * MACROBLOCK, height = (bits_golomb(&bits) + 1) * MACROBLOCK;
  bool frames_only = bits_read(&bits, 1);
  if (!frames_only && !bits.ended) return "writes interlaced pictures";
  bits_read(&bits, 1);
  if (bits_read(&bits, 1)) {
    for (int i = 0; i < 2; i++) width -= 2 * bits_golomb(&bits);
    for (int i = 0; i < 2; i++) height -= 2 * bits_golomb(&bits);
  }
  bool ordered = order == 2 || (bits_read(&bits, 1) && vui_has_order(&bits));
  if (bits.ended) return "writes an SPS that cannot be read";
  if (width != (uint32_t)stream->width || height != (uint32_t)stream->height) return "writes another size";
  return ordered ? NULL : "does not promise to keep frames in order";
}

const char *h264_problem(const uint8_t *data, size_t size, const struct h264_stream *stream, bool *key) {
  bool sps = false, pps = false, slice = false;
  struct unit unit;
  *key = false;
  if (size < 4 || start_code(data, size, 0) > 1) return "writes no start code";
  for (size_t at = 0; next_unit(data, size, &at, &unit);) {
    int type = unit.data[0] & 31;
    if (type == NAL_SPS) {
      const char *problem = sps_problem(&unit, stream);
      if (problem) return problem;
      sps = true;
    }
    if (type == NAL_PPS) pps = true;
    if (type == NAL_IDR) {
      if (!sps || !pps) return "writes key frames without SPS and PPS";
      *key = true;
    }
    if (type == NAL_SLICE || type == NAL_IDR) slice = true;
  }
  return slice ? NULL : "writes no picture";
}
