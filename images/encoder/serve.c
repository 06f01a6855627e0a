#include "serve.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE_MAX = 16384, FPS_MAX = 240 };

struct shared {
  int descriptor;
  uint8_t *bytes;
  size_t size;
};

static bool send_all(int socket, const void *bytes, size_t size) {
  for (const uint8_t *at = bytes; size > 0;) {
    ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

/* Maps as much as the helper has reserved by now. */
static bool map(struct shared *memory, size_t size) {
  if (memory->size >= size) return true;
  struct stat now;
  if (fstat(memory->descriptor, &now) < 0 || (size_t)now.st_size < size) return false;
  uint8_t *bytes = mmap(NULL, (size_t)now.st_size, PROT_READ, MAP_SHARED, memory->descriptor, 0);
  if (bytes == MAP_FAILED) return false;
  if (memory->bytes) munmap(memory->bytes, memory->size);
  memory->bytes = bytes;
  memory->size = (size_t)now.st_size;
  return true;
}

static bool is_valid(const struct encoder_request *request) {
  return request->width > 0 && request->width <= SIDE_MAX && request->width % 2 == 0 && request->height > 0 &&
         request->height <= SIDE_MAX && request->height % 2 == 0 && request->fps > 0 && request->fps <= FPS_MAX;
}

void serve(struct choice *choice, int socket, int memory_descriptor) {
  struct shared memory = { .descriptor = memory_descriptor };
  struct encoder_request request;
  while (recv(socket, &request, sizeof request, MSG_WAITALL) == sizeof request) {
    if (!is_valid(&request) || !map(&memory, encoder_picture_bytes(request.width, request.height))) break;
    struct encoder_reply reply;
    const AVPacket *frame = choice_encode(choice, memory.bytes, &request, &reply);
    if (!send_all(socket, &reply, sizeof reply)) break;
    if (frame && !send_all(socket, frame->data, (size_t)frame->size)) break;
  }
  choice_close(choice);
  if (memory.bytes) munmap(memory.bytes, memory.size);
}
