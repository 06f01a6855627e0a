#include "wire/in.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "wire/messages.h"
#include "wire/wire.h"

enum { BODY_MAX_BYTES = USER_BYTES + CONTENT_BYTES + CONTENT_MAX_BYTES };

static uint8_t buffer[LENGTH_BYTES + BODY_MAX_BYTES];
static size_t filled;
static size_t to_skip;

void in_start(void) {
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

/* Consumes one message at `at`, or starts skipping an oversized one; 0 if more bytes are needed. */
static size_t take(const uint8_t *at, size_t size, message_handler *handler) {
  if (size < LENGTH_BYTES) return 0;
  size_t length = get_u32(at);
  if (length > BODY_MAX_BYTES) {
    to_skip = length;
    return LENGTH_BYTES;
  }
  if (size < LENGTH_BYTES + length) return 0;
  if (length > USER_BYTES) handler(get_u32(at + LENGTH_BYTES), at + LENGTH_BYTES + USER_BYTES, length - USER_BYTES);
  return LENGTH_BYTES + length;
}

static void take_all(message_handler *handler) {
  size_t start = 0;
  for (;;) {
    size_t skipped = to_skip < filled - start ? to_skip : filled - start;
    start += skipped;
    to_skip -= skipped;
    if (to_skip > 0) break;
    size_t taken = take(buffer + start, filled - start, handler);
    if (taken == 0) break;
    start += taken;
  }
  filled -= start;
  /* While a large message arrives, nothing of it is moved. */
  if (start > 0) memmove(buffer, buffer + start, filled);
}

bool in_read(message_handler *handler) {
  ssize_t received = read(STDIN_FILENO, buffer + filled, sizeof buffer - filled);
  if (received < 0) return errno == EAGAIN || errno == EINTR;
  if (received == 0) return false;
  filled += (size_t)received;
  take_all(handler);
  return true;
}
