#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Messages to stdout, from any thread, without ever waiting for the reader: what the pipe does not accept immediately
 * is buffered and written when it becomes writable.
 */

/**
 * Initializes stdout. `wake_fd`, an eventfd, is signalled when a thread other than the main one left data in the
 * backlog.
 */
void out_start(int wake_fd);

/** Whether the backlog contains data. */
bool out_pending(void);

/**
 * Sends one message, for all viewers, made of a head (at most 64 bytes) and a body. False: the backlog is full
 * and it was dropped.
 */
bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size);

/** The same for data that is worthless later: dropped if the backlog exceeds one large frame. */
bool out_send_unless_late(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size);

/** Writes as much of the backlog as the pipe takes. False: the reader is gone. */
bool out_flush(void);
