#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "encode/encoder-wire.h"

/** The running program berth-encoder, and the memory shared with it. */
struct encoder_process {
  pid_t pid;
  int socket, memory_fd;
  uint8_t *memory;
  size_t memory_size;
  /** Whether it did not answer in time. */
  bool late;
};

/** Starts it by its command line. False: it cannot be started. */
bool encoder_process_start(struct encoder_process *process, char *const *command);

/** Makes sure that the shared memory has at least this many bytes. */
bool encoder_process_reserve(struct encoder_process *process, size_t size);

/** Sends or receives all of these bytes until a time of now_us(). False: it ended, or the time has passed. */
bool encoder_process_send(struct encoder_process *process, const void *bytes, size_t size, int64_t deadline);
bool encoder_process_receive(struct encoder_process *process, void *bytes, size_t size, int64_t deadline);

/** Kills it, without waiting: a process may hang in its driver. */
void encoder_process_end(struct encoder_process *process);
