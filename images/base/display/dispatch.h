#pragma once
#include <stddef.h>
#include <stdint.h>

struct video;

/** Handles a message from stdin. A message with an unknown type, wrong size or invalid value is ignored. */
void dispatch(struct video *video, uint32_t user, const uint8_t *message, size_t size);
