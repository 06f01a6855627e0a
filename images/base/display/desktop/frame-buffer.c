#include "desktop/frame-buffer.h"

#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER_MAX = 64 << 10 };

/* The first segment of the process with at least this size; -1 if there is none. */
static int segment_of(pid_t creator, size_t bytes, size_t *found_bytes) {
  struct shm_info info;
  int last = shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
  for (int i = 0; i <= last; i++) {
    struct shmid_ds segment;
    int id = shmctl(i, SHM_STAT, &segment);
    if (id < 0 || segment.shm_cpid != creator || segment.shm_segsz < bytes) continue;
    *found_bytes = segment.shm_segsz;
    return id;
  }
  return -1;
}

static pid_t server_of(Display *display) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  int known = getsockopt(ConnectionNumber(display), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return known == 0 ? peer.pid : -1;
}

static void drop(uint8_t *from, uint8_t *to) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = ((uintptr_t)from + page - 1) / page * page;
  uintptr_t end = (uintptr_t)to / page * page;
  if (first < end) madvise((void *)first, end - first, MADV_REMOVE);
}

struct frame_buffer frame_buffer_attach(Display *display, int max_width, int max_height) {
  struct frame_buffer none = { .pixels = NULL };
  size_t stride = (size_t)max_width * PIXEL_BYTES, size = stride * (size_t)max_height;
  size_t bytes;
  int id = segment_of(server_of(display), size, &bytes);
  /* The pixels follow a header and a table of colours. */
  if (id < 0 || bytes - size > HEADER_MAX) return none;
  uint8_t *segment = shmat(id, NULL, 0);
  if (segment == (void *)-1) return none;
  /* From now on the segment is freed with its last process, even if the server is killed. */
  shmctl(id, IPC_RMID, NULL);
  return (struct frame_buffer){ .pixels = segment + (bytes - size), .end = segment + bytes, .stride = stride };
}

void frame_buffer_trim(const struct frame_buffer *buffer, int width, int height) {
  uint8_t *row = buffer->pixels;
  if (!row) return;
  for (int y = 0; y < height; y++, row += buffer->stride) {
    drop(row + (size_t)width * PIXEL_BYTES, row + buffer->stride);
  }
  drop(row, buffer->end);
}
