#include "audio/opus-stream.h"

#include <opus/opus.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "wire/from-helper.h"
#include "wire/out.h"

enum {
  FRAME_VALUES = OPUS_FRAME_SAMPLES * OPUS_CHANNELS,
  BITS_PER_SECOND = 96000,
  PACKET_MAX_BYTES = 1275,
  /* Below -80 dB nothing is audible. */
  QUIET = 3,
  QUIET_FRAMES_MAX = 20,
};

struct opus_stream {
  OpusEncoder *encoder;
  int16_t frame[FRAME_VALUES];
  size_t filled;
  int quiet_frames;
  uint32_t sequence;
};

struct opus_stream *opus_stream_open(void) {
  struct opus_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  int error;
  stream->encoder = opus_encoder_create(OPUS_RATE, OPUS_CHANNELS, OPUS_APPLICATION_RESTRICTED_LOWDELAY, &error);
  if (error != OPUS_OK) {
    log_line("opus: %s", opus_strerror(error));
    free(stream);
    return NULL;
  }
  opus_encoder_ctl(stream->encoder, OPUS_SET_BITRATE(BITS_PER_SECOND));
  opus_encoder_ctl(stream->encoder, OPUS_SET_INBAND_FEC(0));
  opus_encoder_ctl(stream->encoder, OPUS_SET_COMPLEXITY(5));
  /* Nothing was audible so far: a stream that starts with silence sends nothing. */
  stream->quiet_frames = QUIET_FRAMES_MAX;
  return stream;
}

static bool is_quiet(const int16_t *frame) {
  for (size_t i = 0; i < FRAME_VALUES; i++) {
    if (frame[i] > QUIET || frame[i] < -QUIET) return false;
  }
  return true;
}

static void send_frame(struct opus_stream *stream) {
  stream->quiet_frames = is_quiet(stream->frame) ? stream->quiet_frames + 1 : 0;
  if (stream->quiet_frames >= QUIET_FRAMES_MAX) {
    stream->quiet_frames = QUIET_FRAMES_MAX;
    return;
  }
  uint8_t packet[PACKET_MAX_BYTES];
  int size = opus_encode(stream->encoder, stream->frame, OPUS_FRAME_SAMPLES, packet, sizeof packet);
  if (size <= 0) return;
  uint8_t head[AUDIO_BYTES];
  put_audio(head, (struct audio_message){ .sequence = ++stream->sequence, .time = (uint64_t)now_us() });
  out_send_unless_late(head, sizeof head, packet, (size_t)size);
}

void opus_stream_feed(struct opus_stream *stream, const int16_t *samples, size_t size) {
  size_t values = size / sizeof *samples;
  while (values > 0) {
    size_t room = FRAME_VALUES - stream->filled;
    size_t taken = values < room ? values : room;
    memcpy(stream->frame + stream->filled, samples, taken * sizeof *samples);
    stream->filled += taken;
    samples += taken;
    values -= taken;
    if (stream->filled < FRAME_VALUES) return;
    stream->filled = 0;
    send_frame(stream);
  }
}

void opus_stream_close(struct opus_stream *stream) {
  if (!stream) return;
  opus_encoder_destroy(stream->encoder);
  free(stream);
}
