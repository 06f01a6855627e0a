#pragma once
#include <stdint.h>

#include "desktop/screen.h"

/**
 * Pictures of the screen as it is, without the cursor, sent in pieces between the frames of the stream: a piece
 * goes only when nothing else waits for the reader.
 */

void shot_start(struct screen *screen);

/** Takes a screenshot scaled to `width` pixels; unscaled if 0 or wider than the screen. Replaces one in progress. */
void shot_take(int width);

/** When the next piece can be sent, in microseconds; NEVER if there is none. */
int64_t shot_deadline(void);

/** Sends the next piece if there is one and it is due. */
void shot_run(void);

void shot_stop(void);
