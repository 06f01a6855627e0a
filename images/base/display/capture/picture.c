#include "capture/picture.h"

#include <libyuv/convert_from_argb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, PLANES = 3 };

static int shift(const struct picture *picture, int plane) {
  return plane > 0 && !picture->chroma444 ? 1 : 0;
}

static size_t plane_size(const struct picture *picture, int plane, int height) {
  return (size_t)picture->strides[plane] * (size_t)(height >> shift(picture, plane));
}

static uint8_t *allocate(size_t size) {
  return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
}

bool picture_create(struct picture *picture, int width, int height, bool chroma444) {
  int luma = (width + 2 * ALIGNMENT - 1) & ~(2 * ALIGNMENT - 1);
  int chroma = chroma444 ? luma : luma / 2;
  *picture = (struct picture){
    .width = width,
    .height = height,
    .chroma444 = chroma444,
    .strides = { luma, chroma, chroma },
    .columns = (width + BLOCK_SIDE - 1) / BLOCK_SIDE,
    .rows = (height + BLOCK_SIDE - 1) / BLOCK_SIDE,
    .changed = true,
  };
  if (width <= 0 || height <= 0) return false;
  picture->blocks = calloc((size_t)picture->columns, (size_t)picture->rows);
  bool allocated = picture->blocks != NULL;
  for (int plane = 0; plane < PLANES; plane++) {
    picture->data[plane] = allocate(plane_size(picture, plane, height));
    picture->band[plane] = allocate(plane_size(picture, plane, BLOCK_SIDE));
    allocated = allocated && picture->data[plane] && picture->band[plane];
  }
  if (!allocated) {
    picture_destroy(picture);
    return false;
  }
  for (int plane = 0; plane < PLANES; plane++) {
    memset(picture->data[plane], plane == 0 ? 16 : 128, plane_size(picture, plane, height));
  }
  return true;
}

/* Converts a part of a row of macroblocks into the band, where it stands as far right as in the picture. */
static void convert(struct picture *picture, const uint8_t *pixels, size_t stride, const struct box *box) {
  const int *strides = picture->strides;
  int width = box->right - box->left, height = box->bottom - box->top;
  uint8_t *to[PLANES];
  for (int plane = 0; plane < PLANES; plane++) to[plane] = picture->band[plane] + (box->left >> shift(picture, plane));
  if (picture->chroma444) {
    ARGBToI444(pixels, (int)stride, to[0], strides[0], to[1], strides[1], to[2], strides[2], width, height);
  } else {
    ARGBToI420(pixels, (int)stride, to[0], strides[0], to[1], strides[1], to[2], strides[2], width, height);
  }
}

static bool differs(const uint8_t *a, const uint8_t *b, size_t count) {
  /* With a constant size the compiler inlines it. */
  return (count == BLOCK_SIDE ? memcmp(a, b, BLOCK_SIDE) : memcmp(a, b, count)) != 0;
}

/* Whether the band differs from the picture within a rectangle. */
static bool block_differs(const struct picture *picture, const struct box *box) {
  for (int plane = 0; plane < PLANES; plane++) {
    int by = shift(picture, plane), stride = picture->strides[plane];
    int left = box->left >> by, rows = (box->bottom - box->top + by) >> by;
    size_t count = (size_t)((box->right - box->left + by) >> by);
    const uint8_t *before = picture->data[plane] + (ptrdiff_t)(box->top >> by) * stride + left;
    const uint8_t *now = picture->band[plane] + left;
    for (int y = 0; y < rows; y++, before += stride, now += stride) {
      if (differs(before, now, count)) return true;
    }
  }
  return false;
}

static void copy_band(struct picture *picture, const struct box *box) {
  for (int plane = 0; plane < PLANES; plane++) {
    int by = shift(picture, plane), stride = picture->strides[plane];
    int left = box->left >> by, rows = (box->bottom - box->top + by) >> by;
    size_t count = (size_t)((box->right - box->left + by) >> by);
    uint8_t *to = picture->data[plane] + (ptrdiff_t)(box->top >> by) * stride + left;
    const uint8_t *from = picture->band[plane] + left;
    for (int y = 0; y < rows; y++, to += stride, from += stride) memcpy(to, from, count);
  }
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* Compares what the band has of one row of macroblocks, and takes it over if it differs. */
static void apply_band(struct picture *picture, const struct box *box) {
  uint8_t *blocks = picture->blocks + (ptrdiff_t)(box->top / BLOCK_SIDE) * picture->columns;
  bool changed = false;
  for (int left = box->left; left < box->right;) {
    int column = left / BLOCK_SIDE, right = smaller((column + 1) * BLOCK_SIDE, box->right);
    if (block_differs(picture, &(struct box){ left, box->top, right, box->bottom })) {
      blocks[column] = 0;
      changed = true;
    }
    left = right;
  }
  if (!changed) return;
  copy_band(picture, box);
  picture->changed = true;
}

void picture_update(struct picture *picture, const uint8_t *pixels, size_t stride, const struct box *box) {
  for (int top = box->top; top < box->bottom;) {
    int bottom = smaller((top / BLOCK_SIDE + 1) * BLOCK_SIDE, box->bottom);
    struct box band = { box->left, top, box->right, bottom };
    convert(picture, pixels + (size_t)(top - box->top) * stride, stride, &band);
    apply_band(picture, &band);
    top = bottom;
  }
}

struct box picture_changed_box(const struct picture *picture) {
  struct box box = { picture->width, picture->height, 0, 0 };
  for (int row = 0; row < picture->rows; row++) {
    for (int column = 0; column < picture->columns; column++) {
      if (picture->blocks[row * picture->columns + column] & BLOCK_UNCHANGED) continue;
      int left = column * BLOCK_SIDE, top = row * BLOCK_SIDE;
      box.left = smaller(box.left, left);
      box.top = smaller(box.top, top);
      box.right = larger(box.right, smaller(left + BLOCK_SIDE, picture->width));
      box.bottom = larger(box.bottom, smaller(top + BLOCK_SIDE, picture->height));
    }
  }
  return box;
}

void picture_settle(struct picture *picture) {
  memset(picture->blocks, BLOCK_UNCHANGED, (size_t)picture->columns * (size_t)picture->rows);
  picture->changed = false;
}

void picture_destroy(struct picture *picture) {
  free(picture->blocks);
  for (int plane = 0; plane < PLANES; plane++) {
    free(picture->data[plane]);
    free(picture->band[plane]);
  }
  memset(picture, 0, sizeof *picture);
}
