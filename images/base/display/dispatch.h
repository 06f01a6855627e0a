#pragma once
#include <stddef.h>
#include <stdint.h>

struct video;

/** Does what a message from stdin asks for. One of unknown type, wrong size or value is ignored. */
void dispatch(struct video *video, uint32_t user, const uint8_t *message, size_t size);
