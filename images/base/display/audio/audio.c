#include "audio/audio.h"

#include <pulse/pulseaudio.h>
#include <stdint.h>

#include "audio/opus-stream.h"
#include "common/log.h"

enum { RETRY_US = 500000 };

static struct {
  pa_threaded_mainloop *loop;
  pa_context *context;
  pa_stream *stream;
  pa_time_event *retry;
  struct opus_stream *opus;
} audio;

static void connect_context(void);

static void drop_stream(void) {
  if (audio.stream) {
    pa_stream_set_read_callback(audio.stream, NULL, NULL);
    pa_stream_set_state_callback(audio.stream, NULL, NULL);
    pa_stream_disconnect(audio.stream);
    pa_stream_unref(audio.stream);
    audio.stream = NULL;
  }
  opus_stream_close(audio.opus);
  audio.opus = NULL;
}

static void drop_context(void) {
  drop_stream();
  if (!audio.context) return;
  pa_context_set_state_callback(audio.context, NULL, NULL);
  pa_context_disconnect(audio.context);
  pa_context_unref(audio.context);
  audio.context = NULL;
}

static void on_retry(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *data) {
  (void)time;
  (void)data;
  api->time_free(event);
  audio.retry = NULL;
  drop_context();
  connect_context();
}

/* Objects must not be freed in their own callbacks, hence always through the timer. */
static void retry_later(void) {
  if (audio.retry) return;
  struct timeval at;
  pa_timeval_add(pa_gettimeofday(&at), RETRY_US);
  pa_mainloop_api *api = pa_threaded_mainloop_get_api(audio.loop);
  audio.retry = api->time_new(api, &at, on_retry, NULL);
}

static void on_read(pa_stream *stream, size_t available, void *data) {
  (void)available;
  (void)data;
  const void *samples;
  size_t size;
  while (pa_stream_readable_size(stream) > 0) {
    if (pa_stream_peek(stream, &samples, &size) < 0 || size == 0) return;
    /* No samples: a hole in the recording. */
    if (samples && audio.opus) opus_stream_feed(audio.opus, samples, size);
    pa_stream_drop(stream);
  }
}

static void on_stream_state(pa_stream *stream, void *data) {
  (void)data;
  pa_stream_state_t state = pa_stream_get_state(stream);
  if (state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED) retry_later();
}

static void record(void) {
  static const pa_sample_spec spec = { .format = PA_SAMPLE_S16LE, .rate = OPUS_RATE, .channels = OPUS_CHANNELS };
  uint32_t frame_bytes = OPUS_FRAME_SAMPLES * OPUS_CHANNELS * sizeof(int16_t);
  pa_buffer_attr buffer = {
    .maxlength = frame_bytes * 50,
    .tlength = (uint32_t)-1,
    .prebuf = (uint32_t)-1,
    .minreq = (uint32_t)-1,
    .fragsize = frame_bytes,
  };
  audio.opus = opus_stream_open();
  audio.stream = pa_stream_new(audio.context, "berth", &spec, NULL);
  if (!audio.opus || !audio.stream) {
    retry_later();
    return;
  }
  pa_stream_set_read_callback(audio.stream, on_read, NULL);
  pa_stream_set_state_callback(audio.stream, on_stream_state, NULL);
  /* The sink suspends while nothing plays, although it is being recorded. */
  pa_stream_flags_t flags = PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_INHIBIT_AUTO_SUSPEND;
  if (pa_stream_connect_record(audio.stream, "@DEFAULT_MONITOR@", &buffer, flags) < 0) retry_later();
}

static void on_context_state(pa_context *context, void *data) {
  (void)data;
  pa_context_state_t state = pa_context_get_state(context);
  if (state == PA_CONTEXT_READY) record();
  if (state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED) retry_later();
}

static void connect_context(void) {
  audio.context = pa_context_new(pa_threaded_mainloop_get_api(audio.loop), "berth-display");
  if (!audio.context) {
    retry_later();
    return;
  }
  pa_context_set_state_callback(audio.context, on_context_state, NULL);
  if (pa_context_connect(audio.context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0) retry_later();
}

static void start(void) {
  audio.loop = pa_threaded_mainloop_new();
  if (!audio.loop) return;
  connect_context();
  if (pa_threaded_mainloop_start(audio.loop) < 0) audio_stop();
}

void audio_stream(bool on) {
  if (on == (audio.loop != NULL)) return;
  if (on) start();
  else audio_stop();
}

void audio_stop(void) {
  if (!audio.loop) return;
  pa_threaded_mainloop_stop(audio.loop);
  if (audio.retry) pa_threaded_mainloop_get_api(audio.loop)->time_free(audio.retry);
  audio.retry = NULL;
  drop_context();
  pa_threaded_mainloop_free(audio.loop);
  audio.loop = NULL;
}
