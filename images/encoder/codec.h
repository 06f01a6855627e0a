#pragma once
#include <libavcodec/avcodec.h>
#include <stdbool.h>
#include <stdint.h>

#include "encode/encoder-wire.h"

/** An encoder of libavcodec with options that not all encoders share. */
struct candidate {
  const char *name;
  /** As av_dict_parse_string reads them, with `:` between them. */
  const char *options;
  /** Whether pictures are brought into the memory of a card first. */
  bool uploads;
  /** Whether a running encoder takes another rate; otherwise it is opened again. */
  bool live;
  /** Whether it sharpens still pictures by itself, so that it gets a quantizer between the two. */
  bool constant;
};

/** An open encoder of one stream. */
struct codec;

/** Opens one for the streams of a request; `device`: the card, if the candidate uploads. NULL: gives an error. */
struct codec *codec_open(const struct candidate *candidate, AVBufferRef *device, const struct encoder_request *request,
                         int *error);

/**
 * Encodes the picture that is in memory. Gives the frame, valid until the next one, and its mean quantizer, 0 if that
 * is not known. Returns 0, or libavcodec's error; AVERROR(EAGAIN): it holds frames back.
 */
int codec_encode(struct codec *codec, uint8_t *picture, const struct encoder_request *request, const AVPacket **frame,
                 uint32_t *quantizer);

/** Whether its stream can go on with a request, perhaps at another rate. */
bool codec_suits(const struct codec *codec, const struct encoder_request *request);

void codec_close(struct codec *codec);
