#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "capture/capture.h"

/**
 * A patch is what has changed in the picture, pixel for pixel, ahead of the frame that has it: nothing has to encode or
 * decode video first. Only simple pictures make one, such as a letter, a button or an empty page.
 */

/**
 * Sends what changed since the last frame, which has this number, if it takes at most `most` bytes, PATCH_MAX_BYTES or
 * less. False: it was not sent.
 */
bool patch_send(const struct capture *capture, uint32_t frame, size_t most);
