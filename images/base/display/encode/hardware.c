#include "encode/hardware.h"

#include <libyuv/planar_functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "encode/encoder-process.h"
#include "wire/from-helper.h"
#include "wire/out.h"

enum { MILLISECOND = 1000, TEST_TIME = 3000 * MILLISECOND, FRAME_TIME = 500 * MILLISECOND };

/* A driver may take long for its first frame, of each size. */
enum { FIRST_FRAME_TIME = 2000 * MILLISECOND };

enum { TEST_WIDTH = 1280, TEST_HEIGHT = 720, TEST_LEVEL = 32, TEST_FPS = 60 };

struct hardware {
  struct encoder_process process;
  struct h264_stream stream;
  int fps;
  bool begun;
  /** Quantizer of the first frame, which is never a refinement. */
  uint32_t usual;
  uint8_t *data;
  size_t capacity;
};

static struct {
  char *const *command;
  /** The process of a stream that has ended, kept for the next one. */
  struct encoder_process spare;
  char name[ENCODER_WORDS];
  bool usable;
} state = { .spare = { .pid = -1, .socket = -1, .memory_fd = -1 } };

static void tell(bool hardware, const char *words) {
  uint8_t head[ENCODER_BYTES];
  put_encoder(head, (struct encoder_message){ .hardware = hardware });
  out_send(head, sizeof head, (const uint8_t *)words, strlen(words));
}

void hardware_refuse(const char *reason) {
  state.usable = false;
  log_line("encoding in software: %s", reason);
  tell(false, reason);
}

/* Gives up on the card; `words` complete a sentence that begins with the encoder's name. */
static bool fail(const char *words) {
  char reason[2 * ENCODER_WORDS];
  const char *name = state.name[0] ? state.name : "berth-encoder";
  snprintf(reason, sizeof reason, "The graphics card's encoder, %s, %s.", name, words);
  if (state.usable) hardware_refuse(reason);
  return false;
}

struct hardware *hardware_open(const struct h264_stream *stream, int fps) {
  if (!state.usable) return NULL;
  struct hardware *hardware = calloc(1, sizeof *hardware);
  if (!hardware) return NULL;
  hardware->stream = *stream;
  hardware->fps = fps;
  hardware->process = state.spare;
  bool is_there = state.spare.pid > 0;
  state.spare.pid = -1;
  if (!is_there && !encoder_process_start(&hardware->process, state.command)) {
    fail("cannot be started");
    free(hardware);
    return NULL;
  }
  if (encoder_process_reserve(&hardware->process,
                              encoder_picture_bytes((uint32_t)stream->width, (uint32_t)stream->height))) {
    return hardware;
  }
  fail("has no memory for pictures");
  hardware_close(hardware);
  return NULL;
}

static bool row_changed(const struct picture *picture, int row) {
  const uint8_t *blocks = picture->blocks + (ptrdiff_t)row * picture->columns;
  for (int i = 0; i < picture->columns; i++) {
    if (blocks[i] != BLOCK_UNCHANGED) return true;
  }
  return false;
}

/* Copies the rows of macroblocks that have changed; all of them for a stream's first frame. */
static void copy_picture(struct hardware *hardware, const struct picture *picture) {
  int stride = (int)encoder_stride((uint32_t)picture->width), height = hardware->stream.height;
  uint8_t *luma = hardware->process.memory, *chroma = luma + (ptrdiff_t)stride * height;
  for (int row = 0; row < picture->rows; row++) {
    if (hardware->begun && !row_changed(picture, row)) continue;
    int top = row * BLOCK_SIDE, half = top / 2;
    int count = height - top < BLOCK_SIDE ? height - top : BLOCK_SIDE;
    CopyPlane(picture->data[0] + (ptrdiff_t)top * picture->strides[0], picture->strides[0],
              luma + (ptrdiff_t)top * stride, stride, picture->width, count);
    MergeUVPlane(picture->data[1] + (ptrdiff_t)half * picture->strides[1], picture->strides[1],
                 picture->data[2] + (ptrdiff_t)half * picture->strides[2], picture->strides[2],
                 chroma + (ptrdiff_t)half * stride, stride, picture->width / 2, count / 2);
  }
}

/* They go into logs. */
static void clean(char words[ENCODER_WORDS]) {
  words[ENCODER_WORDS - 1] = 0;
  for (char *at = words; *at; at++) {
    if (*at < ' ' || *at > '~') *at = '?';
  }
}

static bool receive_frame(struct hardware *hardware, int64_t deadline, struct encoder_reply *reply) {
  if (!encoder_process_receive(&hardware->process, reply, sizeof *reply, deadline)) {
    return fail(hardware->process.late ? "did not answer in time" : "ended");
  }
  clean(reply->words);
  if (reply->size == 0) return fail(reply->words);
  memcpy(state.name, reply->words, sizeof state.name);
  if (reply->size > ENCODER_FRAME_MAX) return fail("writes frames that are too large");
  if (reply->size > hardware->capacity) {
    uint8_t *larger = realloc(hardware->data, reply->size);
    if (!larger) return fail("has no memory for frames");
    hardware->data = larger;
    hardware->capacity = reply->size;
  }
  return encoder_process_receive(&hardware->process, hardware->data, reply->size, deadline) ||
         fail("stopped within a frame");
}

static bool encode(struct hardware *hardware, const struct picture *picture, bool key, const struct hardware_rate *rate,
                   int64_t deadline, struct frame *frame) {
  if (!state.usable) return false;
  copy_picture(hardware, picture);
  if (!hardware->begun) hardware->usual = rate->quantizer;
  struct encoder_request request = {
    .width = (uint32_t)hardware->stream.width,
    .height = (uint32_t)hardware->stream.height,
    .fps = (uint32_t)hardware->fps,
    .level = (uint32_t)hardware->stream.level,
    .kbps = rate->kbps,
    .quantizer = rate->quantizer,
    .usual = hardware->usual,
    .key = key || !hardware->begun,
  };
  if (!encoder_process_send(&hardware->process, &request, sizeof request, deadline)) {
    return fail(hardware->process.late ? "did not answer in time" : "ended");
  }
  struct encoder_reply reply;
  if (!receive_frame(hardware, deadline, &reply)) return false;
  *frame = (struct frame){
    .data = hardware->data,
    .size = reply.size,
    .coarse = reply.quantizer == 0 || reply.quantizer > rate->quantizer + 1,
  };
  const char *problem = h264_problem(frame->data, frame->size, &hardware->stream, &frame->key);
  if (problem) return fail(problem);
  if (request.key && !frame->key) return fail("makes no key frame when one is asked for");
  hardware->begun = true;
  return true;
}

bool hardware_encode(struct hardware *hardware, const struct picture *picture, bool key,
                     const struct hardware_rate *rate, struct frame *frame) {
  int64_t time = hardware->begun ? FRAME_TIME : FIRST_FRAME_TIME;
  return encode(hardware, picture, key, rate, now_us() + time, frame);
}

void hardware_close(struct hardware *hardware) {
  if (!hardware) return;
  /* A program that did not answer once might do so later. */
  if (state.usable && state.spare.pid < 0) state.spare = hardware->process;
  else encoder_process_end(&hardware->process);
  free(hardware->data);
  free(hardware);
}

/* Luma that no encoder can leave out. */
static void draw(struct picture *picture, int step) {
  for (int y = 0; y < picture->height; y++) {
    uint8_t *row = picture->data[0] + (ptrdiff_t)y * picture->strides[0];
    for (int x = 0; x < picture->width; x++) row[x] = (uint8_t)(16 + (x * (step + 1) + y) % 220);
  }
  memset(picture->blocks, 0, (size_t)picture->columns * (size_t)picture->rows);
}

void hardware_start(char *const *command) {
  static const struct {
    bool key;
    struct hardware_rate rate;
  } frames[] = { { true, { 8000, 27 } }, { false, { 8000, 27 } }, { true, { 2000, 27 } } };
  struct h264_stream stream = { TEST_WIDTH, TEST_HEIGHT, TEST_LEVEL };
  struct picture picture;
  int64_t deadline = now_us() + TEST_TIME;
  state.command = command;
  state.name[0] = 0;
  if (!picture_create(&picture, stream.width, stream.height, false)) return;
  state.usable = true;
  struct hardware *hardware = hardware_open(&stream, TEST_FPS);
  bool works = hardware != NULL;
  for (size_t i = 0; works && i < sizeof frames / sizeof *frames; i++) {
    struct frame frame;
    draw(&picture, (int)i);
    works = encode(hardware, &picture, frames[i].key, &frames[i].rate, deadline, &frame);
  }
  hardware_close(hardware);
  picture_destroy(&picture);
  if (!works) return;
  log_line("encoding with %s", state.name);
  tell(true, state.name);
}

void hardware_stop(void) {
  if (state.spare.pid > 0) encoder_process_end(&state.spare);
}
