#include "encode/quality.h"

#include <x264.h>

#include "expect.h"

static x264_param_t params_of(struct encoding encoding) {
  x264_param_t params;
  quality_params(&params, &encoding);
  return params;
}

TEST(no_frame_is_held_back_or_reordered) {
  x264_param_t params = params_of((struct encoding){ 1280, 720, 60, QUALITY_SMOOTH, false, 8000 });
  EXPECT_EQUAL(params.i_bframe, 0);
  EXPECT_EQUAL(params.rc.i_lookahead, 0);
  EXPECT_EQUAL(params.i_sync_lookahead, 0);
  EXPECT_EQUAL(params.i_keyint_max, X264_KEYINT_MAX_INFINITE);
  EXPECT_EQUAL(params.b_repeat_headers, 1);
  EXPECT_EQUAL(params.b_sliced_threads, 1);
}

/* A single one would share the state of a thread that still filters the last frame: decoders would drift apart. */
TEST(the_estimate_of_a_frame_has_threads_of_its_own) {
  static const int sizes[][2] = { { 64, 64 }, { 320, 240 }, { 640, 360 }, { 1280, 720 }, { 4096, 4096 } };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    x264_param_t params = params_of((struct encoding){ sizes[i][0], sizes[i][1], 60, QUALITY_SMOOTH, false, 8000 });
    params.i_threads = 4;
    x264_t *x264 = x264_encoder_open(&params);
    EXPECT(x264 != NULL);
    x264_encoder_parameters(x264, &params);
    EXPECT(params.i_threads == 1 || params.i_lookahead_threads > 1);
    x264_encoder_close(x264);
  }
}

TEST(the_profile_is_one_that_every_decoder_knows) {
  x264_param_t params = params_of((struct encoding){ 1280, 720, 60, QUALITY_SMOOTH, false, 8000 });
  EXPECT_EQUAL(params.b_cabac, 1);
  EXPECT_EQUAL(params.b_deblocking_filter, 1);
  EXPECT_EQUAL(params.analyse.b_transform_8x8, 0);
  EXPECT_EQUAL(params.analyse.b_mb_info, 1);
}

TEST(the_level_holds_the_size_at_60_frames) {
  static const struct {
    int width, height, level;
  } sizes[] = {
    { 320, 240, 31 },   { 1280, 720, 32 },  { 1920, 1080, 42 },   { 2560, 1440, 51 },
    { 3840, 2160, 52 }, { 4096, 4096, 60 }, { 16384, 16384, 62 },
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int fps = 1; fps <= 60; fps += 59) {
      struct encoding encoding = { sizes[i].width, sizes[i].height, fps, QUALITY_SHARP, false, 8000 };
      EXPECT_EQUAL(params_of(encoding).i_level_idc, sizes[i].level);
    }
  }
}

TEST(the_rate_stays_within_its_bounds) {
  struct encoding encoding = { 1280, 720, 60, QUALITY_SMOOTH, false, 0 };
  EXPECT_EQUAL(params_of(encoding).rc.i_vbv_max_bitrate, 100);
  encoding.kbps = UINT32_MAX;
  EXPECT_EQUAL(params_of(encoding).rc.i_vbv_max_bitrate, 100000);
  encoding.kbps = 8000;
  EXPECT_EQUAL(params_of(encoding).rc.i_vbv_max_bitrate, 8000);
  EXPECT_EQUAL(params_of(encoding).rc.i_vbv_buffer_size, 2000);
  encoding.quality = QUALITY_BLOCKY;
  EXPECT_EQUAL(params_of(encoding).rc.i_vbv_max_bitrate, 1200);
}

TEST(a_frame_that_was_there_for_longer_leaves_more_of_the_rate) {
  struct encoding encoding = { 1280, 720, 60, QUALITY_SMOOTH, false, 8000 };
  x264_param_t params = params_of(encoding);
  quality_rate(&params, &encoding, MOVING, 3);
  EXPECT_EQUAL(params.rc.i_vbv_max_bitrate, 24000);
  EXPECT_EQUAL(params.rc.i_vbv_buffer_size, 2000);
  EXPECT_EQUAL(quality_kbps(&encoding), 8000);
}

TEST(only_the_first_frame_after_a_pause_is_not_deblocked) {
  struct encoding encoding = { 1280, 720, 60, QUALITY_SMOOTH, false, 8000 };
  x264_param_t params = params_of(encoding);
  quality_rate(&params, &encoding, AFTER_PAUSE, 3);
  EXPECT(!params.b_deblocking_filter);
  quality_rate(&params, &encoding, MOVING, 1);
  EXPECT(params.b_deblocking_filter);
  quality_rate(&params, &encoding, REFINEMENT, 3);
  EXPECT(params.b_deblocking_filter);
}

TEST(a_still_picture_is_refined_in_every_quality) {
  for (enum quality quality = QUALITY_SHARP; quality <= QUALITY_BLOCKY; quality++) {
    struct encoding encoding = { 1280, 720, 60, quality, false, 8000 };
    x264_param_t params = params_of(encoding);
    float moving = params.rc.f_rf_constant;
    quality_rate(&params, &encoding, REFINEMENT, 1);
    EXPECT(params.rc.f_rf_constant < moving);
  }
}

TEST(a_still_text_shows_no_trace_of_encoding) {
  static const float most[] = { [QUALITY_SHARP] = 10, [QUALITY_SMOOTH] = 12 };
  for (enum quality quality = QUALITY_SHARP; quality <= QUALITY_SMOOTH; quality++) {
    struct encoding encoding = { 1280, 720, 60, quality, false, 8000 };
    x264_param_t params = params_of(encoding);
    quality_rate(&params, &encoding, REFINEMENT, 1);
    EXPECT(params.rc.f_rf_constant <= most[quality]);
  }
}

TEST(full_chroma_is_a_format_of_its_own) {
  struct encoding encoding = { 1280, 720, 60, QUALITY_SHARP, true, 8000 };
  EXPECT_EQUAL(params_of(encoding).i_csp, X264_CSP_I444);
  encoding.chroma444 = false;
  EXPECT_EQUAL(params_of(encoding).i_csp, X264_CSP_I420);
}
