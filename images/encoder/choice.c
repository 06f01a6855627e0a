#include "choice.h"

#include <errno.h>
#include <libavutil/hwcontext.h>
#include <libavutil/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEARD_MAX = 100 };

/* The first error of this thread: what libraries return says less. */
static _Thread_local char heard[HEARD_MAX];

static void hear(void *source, int level, const char *format, va_list arguments) {
  (void)source;
  if (level > AV_LOG_ERROR || heard[0]) return;
  vsnprintf(heard, sizeof heard, format, arguments);
  size_t length = strlen(heard);
  while (length > 0 && strchr(".\n ", heard[length - 1])) heard[--length] = 0;
}

void choice_listen(void) {
  av_log_set_callback(hear);
}

static void add(char *words, const char *name, int error) {
  char text[HEARD_MAX];
  if (heard[0]) snprintf(text, sizeof text, "%s", heard);
  else if (error == AVERROR(EAGAIN)) snprintf(text, sizeof text, "it holds frames back");
  else av_strerror(error, text, sizeof text);
  size_t used = strlen(words);
  /* Variants of one encoder mostly fail alike. */
  char part[HEARD_MAX + 32];
  snprintf(part, sizeof part, "%s: %s", name, text);
  if (strstr(words, part)) return;
  snprintf(words + used, ENCODER_WORDS - used, "%s%s", used > 0 ? "; " : "", part);
}

static int open_card(struct choice *choice) {
  if (choice->card) return 0;
  if (!choice->device) return AVERROR(ENODEV);
  return av_hwdevice_ctx_create(&choice->card, AV_HWDEVICE_TYPE_VAAPI, choice->device, NULL, 0);
}

/* The frame of one candidate; NULL with the error in words. */
static const AVPacket *try_one(struct choice *choice, const struct candidate *candidate, uint8_t *picture,
                               const struct encoder_request *request, struct encoder_reply *reply) {
  const AVPacket *frame = NULL;
  int error = 0;
  heard[0] = 0;
  if (candidate->uploads) error = open_card(choice);
  if (error == 0 && !choice->codec) choice->codec = codec_open(candidate, choice->card, request, &error);
  if (choice->codec) error = codec_encode(choice->codec, picture, request, &frame, &reply->quantizer);
  if (error < 0) {
    add(reply->words, candidate->name, error);
    codec_close(choice->codec);
    choice->codec = NULL;
    return NULL;
  }
  snprintf(reply->words, sizeof reply->words, "%s", candidate->name);
  reply->size = (uint32_t)frame->size;
  return frame;
}

const AVPacket *choice_encode(struct choice *choice, uint8_t *picture, const struct encoder_request *request,
                              struct encoder_reply *reply) {
  *reply = (struct encoder_reply){ .size = 0 };
  if (choice->codec && !codec_suits(choice->codec, request)) {
    codec_close(choice->codec);
    choice->codec = NULL;
  }
  const AVPacket *frame = NULL;
  if (choice->chosen) frame = try_one(choice, choice->chosen, picture, request, reply);
  for (size_t i = 0; !choice->chosen && i < choice->count; i++) {
    frame = try_one(choice, &choice->candidates[i], picture, request, reply);
    if (frame) choice->chosen = &choice->candidates[i];
  }
  if (frame) return frame;
  /* Ends a sentence whose subject is the encoder. */
  char why[ENCODER_WORDS];
  memcpy(why, reply->words, sizeof why);
  snprintf(reply->words, sizeof reply->words, "makes no frame (%.*s)", ENCODER_WORDS - 20, why);
  return NULL;
}

void choice_close(struct choice *choice) {
  codec_close(choice->codec);
  choice->codec = NULL;
  av_buffer_unref(&choice->card);
}
