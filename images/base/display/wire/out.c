#include "wire/out.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "wire/messages.h"
#include "wire/wire.h"

/* Only clipboard texts and cursors can queue up behind a frame. */
enum { BACKLOG_MAX_BYTES = 16 << 20, LATE_BYTES = 512 << 10 };
enum { ENVELOPE_BYTES = LENGTH_BYTES + USER_BYTES, HEAD_MAX_BYTES = 64 };

static struct {
  pthread_mutex_t lock;
  pthread_t main_thread;
  int wake_fd;
  uint8_t *rest;
  size_t start, end, capacity;
  bool gone;
} out = { .lock = PTHREAD_MUTEX_INITIALIZER };

void out_start(int wake_fd) {
  out.main_thread = pthread_self();
  out.wake_fd = wake_fd;
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
}

bool out_pending(void) {
  pthread_mutex_lock(&out.lock);
  bool pending = out.end > out.start;
  pthread_mutex_unlock(&out.lock);
  return pending;
}

static bool keep(const uint8_t *bytes, size_t size) {
  size_t held = out.end - out.start;
  if (out.start > 0) memmove(out.rest, out.rest + out.start, held);
  out.start = 0;
  out.end = held;
  if (held + size > out.capacity) {
    uint8_t *larger = realloc(out.rest, held + size);
    if (!larger) return false;
    out.rest = larger;
    out.capacity = held + size;
  }
  memcpy(out.rest + out.end, bytes, size);
  out.end += size;
  return true;
}

/* How much the pipe took; everything once the reader is gone, so that nothing accumulates. */
static size_t write_now(struct iovec *parts, int count, size_t total) {
  ssize_t written;
  do written = writev(STDOUT_FILENO, parts, count);
  while (written < 0 && errno == EINTR);
  if (written >= 0) return (size_t)written;
  if (errno == EAGAIN) return 0;
  out.gone = true;
  return total;
}

static bool keep_rest(const struct iovec *parts, int count, size_t written) {
  for (int i = 0; i < count; i++) {
    size_t skip = written < parts[i].iov_len ? written : parts[i].iov_len;
    written -= skip;
    size_t left = parts[i].iov_len - skip;
    if (left > 0 && !keep((const uint8_t *)parts[i].iov_base + skip, left)) return false;
  }
  if (!pthread_equal(pthread_self(), out.main_thread)) {
    uint64_t one = 1;
    if (write(out.wake_fd, &one, sizeof one) < 0) return errno == EAGAIN;
  }
  return true;
}

static bool send_within(size_t backlog, const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  uint8_t front[ENVELOPE_BYTES + HEAD_MAX_BYTES];
  if (head_size > HEAD_MAX_BYTES) return false;
  size_t total = ENVELOPE_BYTES + head_size + body_size;
  put_u32(front, (uint32_t)(USER_BYTES + head_size + body_size));
  put_u32(front + LENGTH_BYTES, 0);
  memcpy(front + ENVELOPE_BYTES, head, head_size);
  struct iovec parts[] = {
    { .iov_base = front, .iov_len = ENVELOPE_BYTES + head_size },
    { .iov_base = (void *)(uintptr_t)body, .iov_len = body_size },
  };

  pthread_mutex_lock(&out.lock);
  bool sent = out.end - out.start + total <= backlog;
  if (sent) {
    size_t written = out.end > out.start ? 0 : write_now(parts, 2, total);
    if (written < total) sent = keep_rest(parts, 2, written);
  }
  pthread_mutex_unlock(&out.lock);
  return sent;
}

bool out_send(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  return send_within(BACKLOG_MAX_BYTES, head, head_size, body, body_size);
}

bool out_send_unless_late(const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
  return send_within(LATE_BYTES, head, head_size, body, body_size);
}

bool out_flush(void) {
  pthread_mutex_lock(&out.lock);
  while (out.end > out.start && !out.gone) {
    struct iovec rest = { .iov_base = out.rest + out.start, .iov_len = out.end - out.start };
    size_t written = write_now(&rest, 1, rest.iov_len);
    if (written == 0) break;
    out.start += written;
  }
  bool open = !out.gone;
  pthread_mutex_unlock(&out.lock);
  return open;
}
