#include "encode/quality.h"

#include <stddef.h>
#include <unistd.h>
#include <x264.h>

enum { KBPS_MIN = 100, KBPS_MAX = 100000, BLOCKY_KBPS_MAX = 1200, THREADS_MAX = 4, LEVEL_FPS = 60 };

/* Quantizers for moving and still pictures; lower is better. */
static const struct {
  float moving, still;
} quantizers[] = {
  [QUALITY_SHARP] = { 20, 10 },
  [QUALITY_SMOOTH] = { 27, 12 },
  [QUALITY_BLOCKY] = { 33, 26 },
};

static int block_count(int width, int height) {
  return ((width + 15) / 16) * ((height + 15) / 16);
}

/* The lowest level that supports the size at full frame rate (H.264 table A-1), so that it depends on nothing else. */
static int level(int width, int height) {
  static const struct {
    int idc, frame_blocks, blocks_per_second;
  } levels[] = {
    { 31, 3600, 108000 },    { 32, 5120, 216000 },     { 40, 8192, 245760 },   { 42, 8704, 522240 },
    { 50, 22080, 589824 },   { 51, 36864, 983040 },    { 52, 36864, 2073600 }, { 60, 139264, 4177920 },
    { 61, 139264, 8355840 }, { 62, 139264, 16711680 },
  };
  int blocks = block_count(width, height);
  size_t last = sizeof levels / sizeof *levels - 1;
  for (size_t i = 0; i < last; i++) {
    if (blocks <= levels[i].frame_blocks && blocks * LEVEL_FPS <= levels[i].blocks_per_second) return levels[i].idc;
  }
  return levels[last].idc;
}

static int thread_count(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors < 1) return 1;
  return processors > THREADS_MAX ? THREADS_MAX : (int)processors;
}

uint32_t quality_kbps(const struct encoding *encoding) {
  uint32_t kbps = encoding->kbps < KBPS_MIN ? KBPS_MIN : encoding->kbps > KBPS_MAX ? KBPS_MAX : encoding->kbps;
  return encoding->quality == QUALITY_BLOCKY && kbps > BLOCKY_KBPS_MAX ? BLOCKY_KBPS_MAX : kbps;
}

void quality_rate(struct x264_param_t *params, const struct encoding *encoding, enum occasion occasion, int periods) {
  int kbps = (int)quality_kbps(encoding);
  /* x264 counts frames, not time: after each it fills its buffer by what one period carries at this rate. */
  params->rc.i_vbv_max_bitrate = kbps * periods;
  /* A quarter of a second: enough for a key frame, and short enough to follow rate changes quickly. */
  params->rc.i_vbv_buffer_size = kbps / 4;
  params->rc.f_rf_constant =
      occasion == REFINEMENT ? quantizers[encoding->quality].still : quantizers[encoding->quality].moving;
  params->b_deblocking_filter = occasion != AFTER_PAUSE;
}

void quality_params(struct x264_param_t *params, const struct encoding *encoding) {
  x264_param_default_preset(params, "ultrafast", "zerolatency");
  params->i_log_level = X264_LOG_ERROR;
  params->i_width = encoding->width;
  params->i_height = encoding->height;
  params->i_csp = encoding->chroma444 ? X264_CSP_I444 : X264_CSP_I420;
  params->i_fps_num = (uint32_t)encoding->fps;
  params->i_fps_den = 1;
  params->b_vfr_input = 0;
  params->i_level_idc = level(encoding->width, encoding->height);
  params->i_keyint_max = X264_KEYINT_MAX_INFINITE;
  params->i_keyint_min = 1;
  params->i_scenecut_threshold = 0;
  params->i_bframe = 0;
  params->b_repeat_headers = 1;
  params->b_annexb = 1;
  params->b_sliced_threads = 1;
  params->i_threads = thread_count();
  params->i_slice_count = 0;
  /*
   * More than one, which is what they are if left alone: one would share the state of a thread that still filters the
   * last frame, which then is not the one that decoders have.
   */
  params->i_lookahead_threads = X264_THREADS_AUTO;
  params->b_cabac = 1;
  params->analyse.i_subpel_refine = 1;
  params->analyse.b_mb_info = 1;
  params->rc.i_rc_method = X264_RC_CRF;
  /* This way the quantizer depends on the setting alone, not on the complexity of earlier frames. */
  params->rc.f_qcompress = 1;
  /* libyuv converts with BT.601; the rest describes a screen. */
  params->vui.b_fullrange = 0;
  params->vui.i_colorprim = 1;
  params->vui.i_transfer = 1;
  params->vui.i_colmatrix = 6;
  quality_rate(params, encoding, MOVING, 1);
  x264_param_apply_profile(params, encoding->chroma444 ? "high444" : "main");
}
