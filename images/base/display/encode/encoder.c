#include "encode/encoder.h"

#include <stdlib.h>
#include <x264.h>

#include "common/log.h"
#include "encode/hardware.h"

_Static_assert(BLOCK_UNCHANGED == X264_MBINFO_CONSTANT, "x264 takes the flags of the picture as they are");

struct encoder {
  struct encoding encoding;
  x264_param_t params;
  /** NULL while `hardware` is used. */
  x264_t *x264;
  struct hardware *hardware;
  enum occasion occasion;
  int periods;
  bool changed;
  int64_t count;
};

/* Cards encode full chroma seldom, and in a profile of their own. */
static bool open_hardware(struct encoder *encoder) {
  const struct encoding *encoding = &encoder->encoding;
  if (encoding->chroma444) return false;
  struct h264_stream stream = { encoding->width, encoding->height, encoder->params.i_level_idc };
  encoder->hardware = hardware_open(&stream, encoding->fps);
  return encoder->hardware != NULL;
}

static bool open_software(struct encoder *encoder) {
  encoder->x264 = x264_encoder_open(&encoder->params);
  if (!encoder->x264) {
    log_line("x264 refuses %dx%d", encoder->encoding.width, encoder->encoding.height);
    return false;
  }
  x264_encoder_parameters(encoder->x264, &encoder->params);
  return true;
}

struct encoder *encoder_open(const struct encoding *encoding) {
  struct encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->encoding = *encoding;
  encoder->periods = 1;
  quality_params(&encoder->params, encoding);
  if (open_hardware(encoder) || open_software(encoder)) return encoder;
  free(encoder);
  return NULL;
}

void encoder_set_rate(struct encoder *encoder, uint32_t kbps) {
  if (encoder->encoding.kbps == kbps) return;
  encoder->encoding.kbps = kbps;
  encoder->changed = true;
}

/* Whether rate, quality or filter are others than of the last frame. */
static bool reconfigure(struct encoder *encoder, enum occasion occasion, int periods) {
  if (occasion == encoder->occasion && periods == encoder->periods && !encoder->changed) return false;
  encoder->occasion = occasion;
  encoder->periods = periods;
  encoder->changed = false;
  quality_rate(&encoder->params, &encoder->encoding, occasion, periods);
  return true;
}

static bool encode_in_software(struct encoder *encoder, const struct picture *picture, bool key, struct frame *frame) {
  x264_picture_t in, out;
  x264_picture_init(&in);
  in.i_type = key ? X264_TYPE_IDR : X264_TYPE_P;
  in.i_pts = encoder->count++;
  in.img.i_csp = picture->chroma444 ? X264_CSP_I444 : X264_CSP_I420;
  in.img.i_plane = 3;
  for (int i = 0; i < 3; i++) {
    in.img.plane[i] = picture->data[i];
    in.img.i_stride[i] = picture->strides[i];
  }
  in.prop.mb_info = picture->blocks;
  x264_nal_t *units;
  int count = 0;
  int size = x264_encoder_encode(encoder->x264, &units, &count, &in, &out);
  if (size <= 0 || count == 0) return false;
  *frame = (struct frame){
    .data = units[0].p_payload,
    .size = (size_t)size,
    .key = out.b_keyframe,
    .coarse = out.prop.f_crf_avg > encoder->params.rc.f_rf_constant + 1,
  };
  return true;
}

bool encoder_encode(struct encoder *encoder, const struct picture *picture, bool key, enum occasion occasion,
                    int periods, struct frame *frame) {
  bool is_new = reconfigure(encoder, occasion, periods);
  if (encoder->hardware) {
    struct hardware_rate rate = {
      .kbps = quality_kbps(&encoder->encoding),
      .quantizer = (uint32_t)encoder->params.rc.f_rf_constant,
    };
    if (hardware_encode(encoder->hardware, picture, key, &rate, frame)) return true;
    hardware_close(encoder->hardware);
    encoder->hardware = NULL;
    /* The first frame of the new encoder is a key frame. */
    if (!open_software(encoder)) return false;
  } else if (!encoder->x264) {
    return false;
  } else if (is_new && x264_encoder_reconfig(encoder->x264, &encoder->params) < 0) {
    log_line("x264 refuses the new rate");
  }
  return encode_in_software(encoder, picture, key, frame);
}

void encoder_close(struct encoder *encoder) {
  if (!encoder) return;
  hardware_close(encoder->hardware);
  if (encoder->x264) x264_encoder_close(encoder->x264);
  free(encoder);
}
