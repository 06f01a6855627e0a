#include "codec.h"

#include <libavutil/hwcontext.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>
#include <stdlib.h>

/* Libraries count as many frames as fit; viewers ask for key frames where they need one. */
enum { KEY_FRAMES_APART = 65535, SURFACES = 4, QUANTIZERS = 51 };

/* What a still picture is refined by in the middle of both quantizers. */
enum { HALF_REFINEMENT = 4 };

struct codec {
  const struct candidate *candidate;
  AVCodecContext *context;
  AVBufferRef *frames;
  AVPacket *packet;
  struct encoder_request request;
  int64_t count;
};

static int open_frames(struct codec *codec, AVBufferRef *device) {
  codec->frames = av_hwframe_ctx_alloc(device);
  if (!codec->frames) return AVERROR(ENOMEM);
  AVHWFramesContext *frames = (AVHWFramesContext *)codec->frames->data;
  frames->format = AV_PIX_FMT_VAAPI;
  frames->sw_format = AV_PIX_FMT_NV12;
  frames->width = (int)codec->request.width;
  frames->height = (int)codec->request.height;
  frames->initial_pool_size = SURFACES;
  int error = av_hwframe_ctx_init(codec->frames);
  if (error < 0) return error;
  codec->context->hw_frames_ctx = av_buffer_ref(codec->frames);
  return codec->context->hw_frames_ctx ? 0 : AVERROR(ENOMEM);
}

/* As the software encoder limits it: a buffer of a quarter of a second. */
static void set_rate(AVCodecContext *context, uint32_t kbps) {
  int64_t rate = (int64_t)kbps * 1000;
  context->rc_max_rate = rate;
  context->rc_buffer_size = (int)(rate / 4);
  context->bit_rate = rate / 5 * 4;
}

static void describe(AVCodecContext *context, const struct candidate *candidate,
                     const struct encoder_request *request) {
  context->width = (int)request->width;
  context->height = (int)request->height;
  context->pix_fmt = candidate->uploads ? AV_PIX_FMT_VAAPI : AV_PIX_FMT_NV12;
  context->time_base = (AVRational){ 1, (int)request->fps };
  context->framerate = (AVRational){ (int)request->fps, 1 };
  context->profile = AV_PROFILE_H264_MAIN;
  context->level = (int)request->level;
  context->gop_size = KEY_FRAMES_APART;
  context->max_b_frames = 0;
  /* As the software encoder describes its pictures. */
  context->color_range = AVCOL_RANGE_MPEG;
  context->color_primaries = AVCOL_PRI_BT709;
  context->color_trc = AVCOL_TRC_BT709;
  context->colorspace = AVCOL_SPC_SMPTE170M;
  set_rate(context, request->kbps);
}

static int open_context(struct codec *codec, AVBufferRef *device) {
  const struct candidate *candidate = codec->candidate;
  const AVCodec *description = avcodec_find_encoder_by_name(candidate->name);
  if (!description) return AVERROR_ENCODER_NOT_FOUND;
  codec->context = avcodec_alloc_context3(description);
  codec->packet = av_packet_alloc();
  if (!codec->context || !codec->packet) return AVERROR(ENOMEM);
  describe(codec->context, candidate, &codec->request);
  int error = candidate->uploads ? open_frames(codec, device) : 0;
  AVDictionary *options = NULL;
  if (error >= 0) error = av_dict_parse_string(&options, candidate->options, "=", ":", 0);
  uint32_t quantizer = codec->request.usual;
  if (candidate->constant && quantizer > HALF_REFINEMENT) quantizer -= HALF_REFINEMENT;
  if (candidate->uploads) {
    codec->context->global_quality = (int)quantizer;
  } else if (error >= 0) {
    error = av_dict_set_int(&options, candidate->constant ? "cq" : "crf", quantizer, 0);
  }
  if (error >= 0) error = avcodec_open2(codec->context, description, &options);
  av_dict_free(&options);
  return error;
}

struct codec *codec_open(const struct candidate *candidate, AVBufferRef *device, const struct encoder_request *request,
                         int *error) {
  struct codec *codec = calloc(1, sizeof *codec);
  if (!codec) {
    *error = AVERROR(ENOMEM);
    return NULL;
  }
  codec->candidate = candidate;
  codec->request = *request;
  *error = open_context(codec, device);
  if (*error >= 0) return codec;
  codec_close(codec);
  return NULL;
}

/* Opening it again costs a key frame: small changes of the rate are not worth one, least of all upwards. */
static bool is_close(uint32_t kbps, uint32_t wanted) {
  return (uint64_t)wanted * 10 >= (uint64_t)kbps * 9 && (uint64_t)wanted * 2 <= (uint64_t)kbps * 3;
}

bool codec_suits(const struct codec *codec, const struct encoder_request *request) {
  const struct encoder_request *own = &codec->request;
  bool same = own->width == request->width && own->height == request->height && own->fps == request->fps &&
              own->level == request->level;
  return same && (codec->candidate->live || is_close(own->kbps, request->kbps));
}

static void keep(void *opaque, uint8_t *data) {
  (void)opaque;
  (void)data;
}

/* The picture as a frame of libavcodec, without a copy. */
static AVFrame *frame_of(const struct codec *codec, uint8_t *picture) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  uint32_t stride = encoder_stride(codec->request.width);
  frame->format = AV_PIX_FMT_NV12;
  frame->width = (int)codec->request.width;
  frame->height = (int)codec->request.height;
  frame->linesize[0] = frame->linesize[1] = (int)stride;
  frame->data[0] = picture;
  frame->data[1] = picture + (size_t)stride * codec->request.height;
  size_t size = encoder_picture_bytes(codec->request.width, codec->request.height);
  frame->buf[0] = av_buffer_create(picture, size, keep, NULL, AV_BUFFER_FLAG_READONLY);
  if (!frame->buf[0]) av_frame_free(&frame);
  return frame;
}

static int upload(const struct codec *codec, AVFrame **frame) {
  AVFrame *uploaded = av_frame_alloc();
  if (!uploaded) return AVERROR(ENOMEM);
  int error = av_hwframe_get_buffer(codec->frames, uploaded, 0);
  if (error >= 0) error = av_hwframe_transfer_data(uploaded, *frame, 0);
  if (error < 0) {
    av_frame_free(&uploaded);
    return error;
  }
  av_frame_free(frame);
  *frame = uploaded;
  return 0;
}

/* Asks for another quantizer than the stream's usual one, of the whole picture. Encoders may do without. */
static int sharpen(const struct codec *codec, const struct encoder_request *request, AVFrame *frame) {
  int offset = (int)request->quantizer - (int)request->usual;
  if (offset == 0 || codec->candidate->constant) return 0;
  AVFrameSideData *side = av_frame_new_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, sizeof(AVRegionOfInterest));
  if (!side) return AVERROR(ENOMEM);
  *(AVRegionOfInterest *)side->data = (AVRegionOfInterest){
    .self_size = sizeof(AVRegionOfInterest),
    .bottom = (int)request->height,
    .right = (int)request->width,
    .qoffset = { offset, QUANTIZERS },
  };
  return 0;
}

static int encode(struct codec *codec, AVFrame *frame) {
  int error = avcodec_send_frame(codec->context, frame);
  if (error < 0) return error;
  return avcodec_receive_packet(codec->context, codec->packet);
}

int codec_encode(struct codec *codec, uint8_t *picture, const struct encoder_request *request, const AVPacket **frame,
                 uint32_t *quantizer) {
  if (codec->candidate->live) set_rate(codec->context, request->kbps);
  av_packet_unref(codec->packet);
  AVFrame *taken = frame_of(codec, picture);
  if (!taken) return AVERROR(ENOMEM);
  int error = codec->candidate->uploads ? upload(codec, &taken) : 0;
  taken->pts = codec->count++;
  taken->pict_type = request->key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  if (error >= 0) error = sharpen(codec, request, taken);
  if (error >= 0) error = encode(codec, taken);
  av_frame_free(&taken);
  if (error < 0) return error;
  size_t size = 0;
  const uint8_t *stats = av_packet_get_side_data(codec->packet, AV_PKT_DATA_QUALITY_STATS, &size);
  *quantizer = stats && size >= sizeof(uint32_t) ? AV_RL32(stats) / FF_QP2LAMBDA : 0;
  *frame = codec->packet;
  return 0;
}

void codec_close(struct codec *codec) {
  if (!codec) return;
  avcodec_free_context(&codec->context);
  av_packet_free(&codec->packet);
  av_buffer_unref(&codec->frames);
  free(codec);
}
