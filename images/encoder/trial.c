#include "trial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, FPS = 60, LEVEL = 32, KBPS = 20000, QUANTIZER = 22, GOOD_DB = 30 };

/* A gradient with an edge every 64 pixels, and grey. */
static uint8_t *draw(void) {
  uint8_t *picture = malloc(encoder_picture_bytes(WIDTH, HEIGHT));
  if (!picture) return NULL;
  size_t stride = encoder_stride(WIDTH);
  for (size_t y = 0; y < HEIGHT; y++) {
    for (size_t x = 0; x < WIDTH; x++) picture[y * stride + x] = (uint8_t)(32 + x / 64 * 9 + y / 8);
  }
  memset(picture + stride * HEIGHT, 128, stride * HEIGHT / 2);
  return picture;
}

/* How alike the luma of both is, in dB. */
static double psnr(const uint8_t *picture, const AVFrame *decoded) {
  double sum = 0;
  size_t stride = encoder_stride(WIDTH);
  for (int y = 0; y < HEIGHT; y++) {
    const uint8_t *row = decoded->data[0] + (ptrdiff_t)y * decoded->linesize[0];
    for (int x = 0; x < WIDTH; x++) {
      int difference = row[x] - picture[(size_t)y * stride + (size_t)x];
      sum += difference * difference;
    }
  }
  return sum == 0 ? 99 : 10 * log10(255.0 * 255 * WIDTH * HEIGHT / sum);
}

static int decode_with(AVCodecContext *context, const AVPacket *packet, AVFrame *frame) {
  int error = avcodec_open2(context, NULL, NULL);
  if (error >= 0) error = avcodec_send_packet(context, packet);
  if (error >= 0) error = avcodec_send_packet(context, NULL);
  return error >= 0 ? avcodec_receive_frame(context, frame) : error;
}

static bool decode(const AVPacket *packet, const uint8_t *picture, FILE *out) {
  const AVCodec *decoder = avcodec_find_decoder(AV_CODEC_ID_H264);
  AVCodecContext *context = decoder ? avcodec_alloc_context3(decoder) : NULL;
  AVFrame *frame = av_frame_alloc();
  int error = context && frame ? decode_with(context, packet, frame) : AVERROR(ENOMEM);
  bool same_size = error >= 0 && frame->width == WIDTH && frame->height == HEIGHT;
  double likeness = same_size ? psnr(picture, frame) : 0;
  avcodec_free_context(&context);
  if (error < 0) fprintf(out, "not decoded: %s\n", av_err2str(error));
  else fprintf(out, "decoded: %.1f dB\n", likeness);
  av_frame_free(&frame);
  return likeness >= GOOD_DB;
}

bool trial(const struct candidate *candidates, size_t count, const char *name, const char *device, FILE *out) {
  struct choice choice = { .device = device };
  for (size_t i = count; i-- > 0;) {
    if (strcmp(candidates[i].name, name) != 0) continue;
    choice.candidates = &candidates[i];
    choice.count++;
  }
  struct encoder_request request = {
    .width = WIDTH,
    .height = HEIGHT,
    .fps = FPS,
    .level = LEVEL,
    .kbps = KBPS,
    .quantizer = QUANTIZER,
    .usual = QUANTIZER,
    .key = 1,
  };
  struct encoder_reply reply;
  uint8_t *picture = draw();
  const AVPacket *packet = picture ? choice_encode(&choice, picture, &request, &reply) : NULL;
  bool works = false;
  if (packet) {
    fprintf(out, "encoded: %d bytes\n", packet->size);
    works = decode(packet, picture, out);
  } else {
    fprintf(out, "not encoded: %s %s\n", name, picture ? reply.words : "has no memory");
  }
  choice_close(&choice);
  free(picture);
  return works;
}
