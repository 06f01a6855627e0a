#include "encode/h264.h"

#include <stdint.h>
#include <string.h>
#include <x264.h>

#include "expect.h"
#include "fakes.h"

enum { UNIT_MAX = 4096 };

static const struct h264_stream stream = { 1278, 718, 32 };

/* An access unit that begins with the headers of x264. */
struct unit {
  uint8_t bytes[UNIT_MAX];
  size_t size;
};

static void add(struct unit *unit, const void *bytes, size_t size) {
  EXPECT(unit->size + size <= UNIT_MAX);
  memcpy(unit->bytes + unit->size, bytes, size);
  unit->size += size;
}

static void default_params(x264_param_t *params) {
  x264_param_default_preset(params, "ultrafast", "zerolatency");
  params->i_log_level = X264_LOG_ERROR;
  params->i_width = stream.width;
  params->i_height = stream.height;
  params->i_level_idc = stream.level;
  params->b_cabac = 1;
}

static struct unit key_frame(x264_param_t *params, const char *profile) {
  static const uint8_t slice[] = { 0, 0, 1, 0x65, 0x88, 0x84 };
  struct unit unit = { .size = 0 };
  x264_nal_t *units;
  int count;
  x264_param_apply_profile(params, profile);
  x264_t *x264 = x264_encoder_open(params);
  EXPECT(x264_encoder_headers(x264, &units, &count) > 0);
  for (int i = 0; i < count; i++) add(&unit, units[i].p_payload, (size_t)units[i].i_payload);
  x264_encoder_close(x264);
  add(&unit, slice, sizeof slice);
  return unit;
}

static const char *problem(const struct unit *unit) {
  bool key;
  const char *words = h264_problem(unit->bytes, unit->size, &stream, &key);
  return words ? words : key ? "none, key" : "none";
}

TEST(a_stream_as_promised_has_no_problem) {
  x264_param_t params;
  default_params(&params);
  struct unit unit = key_frame(&params, "main");
  EXPECT_TEXT(problem(&unit), "none, key");
  default_params(&params);
  params.vui.i_sar_width = 1279;
  params.vui.i_sar_height = 1278;
  params.vui.i_vidformat = 2;
  params.vui.i_colorprim = 1;
  params.vui.i_chroma_loc = 1;
  params.b_vfr_input = 0;
  params.i_nal_hrd = X264_NAL_HRD_VBR;
  params.rc.i_vbv_max_bitrate = params.rc.i_vbv_buffer_size = 1000;
  unit = key_frame(&params, "main");
  EXPECT_TEXT(problem(&unit), "none, key");
  struct unit later = { .size = 0 };
  add(&later, "\0\0\0\1\x41\x9a", 6);
  EXPECT_TEXT(problem(&later), "none");
}

TEST(what_decoders_depend_on_must_be_as_promised) {
  x264_param_t params;
  default_params(&params);
  struct unit unit = key_frame(&params, "baseline");
  EXPECT_TEXT(problem(&unit), "writes another profile than Main");
  default_params(&params);
  params.i_level_idc = 40;
  unit = key_frame(&params, "main");
  EXPECT_TEXT(problem(&unit), "writes another level than it was told");
  default_params(&params);
  params.i_width = 1276;
  unit = key_frame(&params, "main");
  EXPECT_TEXT(problem(&unit), "writes another size");
  default_params(&params);
  params.i_bframe = 2;
  unit = key_frame(&params, "main");
  EXPECT_TEXT(problem(&unit), "does not promise to keep frames in order");
}

TEST(a_key_frame_needs_its_headers_and_every_frame_a_picture) {
  struct unit unit = { .size = 0 };
  EXPECT_TEXT(problem(&unit), "writes no start code");
  add(&unit, "\0\0\1\x65\x88", 5);
  EXPECT_TEXT(problem(&unit), "writes key frames without SPS and PPS");
  unit.size = 0;
  add(&unit, "\0\0\1\x09\x10", 5);
  EXPECT_TEXT(problem(&unit), "writes no picture");
  unit.size = 0;
  add(&unit, "\0\0\1\x67\x4d\x40\x20", 7);
  EXPECT_TEXT(problem(&unit), "writes an SPS that cannot be read");
  unit.size = 0;
  /* One macroblock, of which there may be fields. */
  add(&unit, "\0\0\1\x67\x4d\x40\x20\xda\x60\x80", 10);
  EXPECT_TEXT(problem(&unit), "writes interlaced pictures");
  unit.size = 0;
  add(&unit, "\0\0\1\x67", 4);
  EXPECT_TEXT(problem(&unit), "writes another profile than Main");
}

TEST(nothing_that_is_written_leads_out_of_it) {
  x264_param_t params;
  default_params(&params);
  struct unit whole = key_frame(&params, "main");
  for (int round = 0; round < 20000; round++) {
    struct unit unit = whole;
    for (int i = 0; i < 4; i++) unit.bytes[random_below((uint32_t)unit.size)] = (uint8_t)random_below(256);
    unit.size = random_below((uint32_t)whole.size + 1);
    problem(&unit);
  }
}
