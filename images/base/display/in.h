#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Receives one message: type byte and what follows, never empty. */
typedef void message_handler(uint32_t user, const uint8_t *message, size_t size);

/** Makes stdin non-blocking. */
void in_start(void);

/**
 * Reads what stdin has and hands over each whole message. A message above the largest valid size is skipped.
 * False: stdin is closed.
 */
bool in_read(message_handler *handler);
