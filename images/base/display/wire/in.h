#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Receives one message: type byte and what follows, never empty. */
typedef void message_handler(uint32_t user, const uint8_t *message, size_t size);

/** Makes stdin non-blocking. */
void in_start(void);

/** Reads stdin and passes on each complete message. Oversized messages are skipped. False: stdin is closed. */
bool in_read(message_handler *handler);
