/* The video interface, which converts the picture in memory to what is shown. */
#ifndef VI_H
#define VI_H

#include "rdp.h"

enum { VI_MAX_WIDTH = 1024, VI_MAX_HEIGHT = 1024 };

/* The registers that matter. */
struct vi_registers {
  uint32_t status, origin, width, v_sync, h_start, v_start, x_scale, y_scale;
};

/* A picture, and where it lies on the screen, whose sides are 1. */
struct vi_picture {
  int width, height;
  float left, top, right, bottom;
  /* Bytes of red, green, blue and 255. */
  uint32_t pixels[VI_MAX_WIDTH * VI_MAX_HEIGHT];
};

/* Fetches the picture; false if there is none to show. */
bool vi_fetch(const struct memory *memory, const struct vi_registers *registers, struct vi_picture *picture);

#endif
