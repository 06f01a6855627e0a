#pragma once
#include "codec.h"

/** Has libraries say what fails in replies instead of on stderr. */
void choice_listen(void);

/** Which of the candidates encodes here: the first that makes a frame, from then on. */
struct choice {
  const struct candidate *candidates;
  size_t count;
  /** The render node; NULL: there is none. */
  const char *device;
  /** NULL: none has made a frame. */
  const struct candidate *chosen;
  struct codec *codec;
  /** The open render node. */
  AVBufferRef *card;
};

/**
 * Encodes the picture that is in memory, of which the stream's first frame decides. Fills in the reply; NULL: it could
 * not be encoded, and the reply says why.
 */
const AVPacket *choice_encode(struct choice *choice, uint8_t *picture, const struct encoder_request *request,
                              struct encoder_reply *reply);

void choice_close(struct choice *choice);
