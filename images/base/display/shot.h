#pragma once
#include <stdint.h>

#include "screen.h"

/**
 * Pictures of the screen as it is, without the cursor, sent in pieces between the frames of the stream: a piece
 * goes only when nothing else waits for the reader.
 */

void shot_start(struct screen *screen);

/** Takes a picture scaled to `width` pixels; 0, or more than the screen has: as it is. It replaces one under way. */
void shot_take(int width);

/** When the next piece can go, in microseconds; NEVER while nothing is to do. */
int64_t shot_deadline(void);

/** Sends a piece if there is one and it can go. */
void shot_run(void);

void shot_stop(void);
