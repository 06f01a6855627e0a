#include <libyuv/scale.h>
#include <stddef.h>

#include "capture/picture.h"

enum { PLANES = 3 };

/* An even size, so a few last columns and rows of the full picture may be missing. */
static int half_of(int side) {
  return side / 2 & ~1;
}

bool picture_create_half(struct picture *half, const struct picture *full) {
  return picture_create(half, half_of(full->width), half_of(full->height), full->chroma444);
}

void picture_mark_half(struct picture *half, const struct picture *full) {
  for (int row = 0; row < full->rows && row / 2 < half->rows; row++) {
    const uint8_t *from = full->blocks + (ptrdiff_t)row * full->columns;
    uint8_t *to = half->blocks + (ptrdiff_t)(row / 2) * half->columns;
    for (int column = 0; column < full->columns && column / 2 < half->columns; column++) {
      if (from[column] == BLOCK_UNCHANGED) continue;
      to[column / 2] = 0;
      half->changed = true;
    }
  }
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static void scale(struct picture *half, const struct picture *full, const struct box *box) {
  for (int plane = 0; plane < PLANES; plane++) {
    int by = plane > 0 && !half->chroma444 ? 1 : 0;
    int left = box->left >> by, top = box->top >> by;
    int width = (box->right - box->left) >> by, height = (box->bottom - box->top) >> by;
    ScalePlane(full->data[plane] + (ptrdiff_t)(2 * top) * full->strides[plane] + 2 * left, full->strides[plane],
               2 * width, 2 * height, half->data[plane] + (ptrdiff_t)top * half->strides[plane] + left,
               half->strides[plane], width, height, kFilterBox);
  }
}

void picture_scale_half(struct picture *half, const struct picture *full) {
  for (int row = 0; row < half->rows; row++) {
    const uint8_t *blocks = half->blocks + (ptrdiff_t)row * half->columns;
    for (int first = 0, end; first < half->columns; first = end) {
      end = first + 1;
      if (blocks[first] == BLOCK_UNCHANGED) continue;
      while (end < half->columns && blocks[end] != BLOCK_UNCHANGED) end++;
      struct box box = {
        .left = first * BLOCK_SIDE,
        .top = row * BLOCK_SIDE,
        .right = smaller(end * BLOCK_SIDE, half->width),
        .bottom = smaller((row + 1) * BLOCK_SIDE, half->height),
      };
      scale(half, full, &box);
    }
  }
}
