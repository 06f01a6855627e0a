#include "stand-in-encoder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <x264.h>

#include "encode/encoder-wire.h"

#define NAME "stand-in"

struct stream {
  struct encoder_request request;
  x264_param_t params;
  x264_t *x264;
  int count;
};

static void set_rate(struct stream *stream) {
  x264_param_t *params = &stream->params;
  params->rc.i_rc_method = X264_RC_CRF;
  params->rc.f_rf_constant = (float)stream->request.quantizer;
  params->rc.i_vbv_max_bitrate = (int)stream->request.kbps;
  params->rc.i_vbv_buffer_size = (int)stream->request.kbps / 4;
}

static void begin(struct stream *stream, const char *fault) {
  const struct encoder_request *request = &stream->request;
  x264_param_t *params = &stream->params;
  if (stream->x264) x264_encoder_close(stream->x264);
  x264_param_default_preset(params, "ultrafast", "zerolatency");
  params->i_log_level = X264_LOG_ERROR;
  params->i_width = (int)request->width - (strcmp(fault, "size") == 0 ? 16 : 0);
  params->i_height = (int)request->height;
  params->i_csp = X264_CSP_NV12;
  params->i_level_idc = strcmp(fault, "level") == 0 ? 62 : (int)request->level;
  params->i_keyint_max = X264_KEYINT_MAX_INFINITE;
  params->b_repeat_headers = strcmp(fault, "no-headers") != 0;
  params->b_annexb = 1;
  params->b_cabac = 1;
  params->i_bframe = strcmp(fault, "reorders") == 0 ? 1 : 0;
  params->analyse.b_transform_8x8 = strcmp(fault, "high") == 0;
  set_rate(stream);
  x264_param_apply_profile(params, strcmp(fault, "high") == 0 ? "high" : "main");
  stream->x264 = x264_encoder_open(params);
}

static int encode(struct stream *stream, const uint8_t *memory, bool key, x264_nal_t **units) {
  const struct encoder_request *request = &stream->request;
  x264_picture_t in, out;
  x264_picture_init(&in);
  int stride = (int)encoder_stride(request->width), count;
  uint8_t *luma = (uint8_t *)(uintptr_t)memory;
  in.i_type = key ? X264_TYPE_IDR : X264_TYPE_AUTO;
  in.i_pts = stream->count;
  in.img.i_csp = X264_CSP_NV12;
  in.img.i_plane = 2;
  in.img.plane[0] = luma;
  in.img.plane[1] = luma + (size_t)stride * request->height;
  in.img.i_stride[0] = in.img.i_stride[1] = stride;
  int size = x264_encoder_encode(stream->x264, units, &count, &in, &out);
  /* The reordering one holds its first frame back. */
  while (size == 0) size = x264_encoder_encode(stream->x264, units, &count, NULL, &out);
  return size;
}

static void answer(struct stream *stream, const uint8_t *memory, const char *fault) {
  struct encoder_reply reply = { .words = NAME };
  if (strcmp(fault, "ends") == 0) exit(EXIT_SUCCESS);
  if (strcmp(fault, "hangs") == 0) pause();
  static uint8_t frame[ENCODER_FRAME_MAX];
  if (strcmp(fault, "refuses") == 0) {
    snprintf(reply.words, sizeof reply.words, "makes no frame (the\ncard is busy)");
  } else if (strcmp(fault, "huge") == 0) {
    reply.size = ENCODER_FRAME_MAX + 1;
  } else if (strcmp(fault, "noise") == 0) {
    reply.size = 1000;
    for (size_t i = 0; i < reply.size; i++) frame[i] = (uint8_t)(i * 7 + 1);
  } else {
    x264_nal_t *units;
    bool key = stream->request.key && strcmp(fault, "no-key") != 0;
    reply.size = (uint32_t)encode(stream, memory, key, &units);
    memcpy(frame, units[0].p_payload, reply.size);
  }
  send(STDIN_FILENO, &reply, sizeof reply, MSG_NOSIGNAL);
  if (reply.size <= ENCODER_FRAME_MAX) send(STDIN_FILENO, frame, reply.size, MSG_NOSIGNAL);
}

static bool is_other_stream(const struct encoder_request *a, const struct encoder_request *b) {
  return a->width != b->width || a->height != b->height || a->fps != b->fps || a->level != b->level;
}

static void run(const char *fault, int from) {
  struct stream stream = { .x264 = NULL };
  struct encoder_request request;
  struct stat memory;
  bool faulty = false, goes_on = strcmp(fault, "no-key") == 0;
  for (int count = 0; recv(STDIN_FILENO, &request, sizeof request, MSG_WAITALL) == sizeof request; count++) {
    fstat(ENCODER_MEMORY, &memory);
    const uint8_t *bytes = mmap(NULL, (size_t)memory.st_size, PROT_READ, MAP_SHARED, ENCODER_MEMORY, 0);
    bool begins = !stream.x264 || is_other_stream(&request, &stream.request) || (count >= from && !faulty && !goes_on);
    faulty = count >= from;
    stream.request = request;
    set_rate(&stream);
    if (begins) begin(&stream, faulty ? fault : "");
    else x264_encoder_reconfig(stream.x264, &stream.params);
    answer(&stream, bytes, faulty ? fault : "");
    stream.count++;
    munmap((void *)(uintptr_t)bytes, (size_t)memory.st_size);
  }
  if (stream.x264) x264_encoder_close(stream.x264);
  _exit(EXIT_SUCCESS);
}

char *const *stand_in_encoder(const char *fault, int from) {
  static char number[16], name[32], path[4096];
  static char *command[] = { path, "stand-in-encoder", name, number, NULL };
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  snprintf(name, sizeof name, "%s", fault ? fault : "");
  snprintf(number, sizeof number, "%d", from);
  return command;
}

/* Before the suite's own main. */
__attribute__((constructor)) static void be_stand_in(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "stand-in-encoder") == 0) run(argv[2], atoi(argv[3]));
}
