#include "capture/shared-image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

bool shared_image_create(Display *display, struct shared_image *image, int width, int height) {
  memset(image, 0, sizeof *image);
  image->segment.shmid = shmget(IPC_PRIVATE, (size_t)width * (size_t)height * 4, IPC_CREAT | 0600);
  if (image->segment.shmid < 0) return false;
  image->segment.shmaddr = shmat(image->segment.shmid, NULL, 0);
  if (image->segment.shmaddr != (void *)-1) {
    image->attached = XShmAttach(display, &image->segment);
    XSync(display, False);
    if (!image->attached) shmdt(image->segment.shmaddr);
  }
  /* The segment lives as long as it is attached, and is freed with the last process, however that ends. */
  shmctl(image->segment.shmid, IPC_RMID, NULL);
  return image->attached;
}

bool shared_image_get(Display *display, Window window, struct shared_image *image, int x, int y, int width,
                      int height) {
  if (!image->attached) return false;
  int screen = DefaultScreen(display);
  XImage *picture = XShmCreateImage(display, DefaultVisual(display, screen), 24, ZPixmap, image->segment.shmaddr,
                                    &image->segment, (unsigned)width, (unsigned)height);
  if (!picture) return false;
  bool copied = XShmGetImage(display, window, picture, x, y, AllPlanes);
  picture->data = NULL;
  XDestroyImage(picture);
  return copied;
}

const uint8_t *shared_image_pixels(const struct shared_image *image) {
  return (const uint8_t *)image->segment.shmaddr;
}

void shared_image_destroy(Display *display, struct shared_image *image) {
  if (!image->attached) return;
  XShmDetach(display, &image->segment);
  XSync(display, False);
  shmdt(image->segment.shmaddr);
  memset(image, 0, sizeof *image);
}
