#include "rdp.h"

/* 9 bits of a colour that may be slightly out of range. */
static int shade(int32_t value) {
  int color = value >> 16;
  return color < 0 ? 0 : color > 255 ? 255 : color;
}

static int32_t added(int32_t start, int32_t step, int times) {
  return (int32_t)((uint32_t)start + (uint32_t)step * (uint32_t)times);
}

/* How many of the pixel's eight samples lie within its edges; two on each quarter of a line. */
static int coverage_of(const struct span *span, int x, bool *has_corner) {
  int count = 0;
  *has_corner = false;
  for (int quarter = 0; quarter < 4; quarter++) {
    if (!span->is_there[quarter]) continue;
    int first = x * 4 + (quarter & 1);
    bool is_first = span->left[quarter] <= first && first < span->right[quarter];
    count += is_first + (span->left[quarter] <= first + 2 && first + 2 < span->right[quarter]);
    if (quarter == 0) *has_corner = is_first;
  }
  return count;
}

static int limited(int64_t coordinate) {
  return coordinate > 0xffff ? 0xffff : coordinate < -0x10000 ? -0x10000 : (int)coordinate;
}

/* Texture coordinates, s10.5. */
static void coordinates(const struct rdp *rdp, const int32_t *value, int *s, int *t) {
  *s = value[S] >> 16;
  *t = value[T] >> 16;
  if (!rdp->modes.perspective) return;
  int w = value[W] >> 16;
  if (w <= 0) w = 1;
  *s = limited((int64_t)*s * 0x8000 / w);
  *t = limited((int64_t)*t * 0x8000 / w);
}

/* The depth's change from one pixel to the next, as a power of two. */
static int slope_of(const struct gradients *gradients) {
  int64_t x = gradients->dx[Z] >> 16, y = gradients->dy[Z] >> 16;
  int64_t sum = (x < 0 ? -x : x) + (y < 0 ? -y : y);
  int slope = 1;
  while (slope < sum && slope < 0x8000) slope <<= 1;
  return slope;
}

static void draw(struct rdp *rdp, const struct primitive *primitive, const struct span *span) {
  const struct modes *modes = &rdp->modes;
  const struct gradients *gradients = primitive->gradients;
  int slope = modes->z_of_primitive ? rdp->primitive_dz : slope_of(gradients);
  for (int x = span->first; x <= span->last; x++) {
    int32_t value[ATTRIBUTES];
    for (int i = 0; i < ATTRIBUTES; i++) value[i] = added(span->value[i], gradients->dx[i], x - span->origin);
    struct pixel pixel = { .x = x, .y = span->y, .dz = slope };
    pixel.coverage = coverage_of(span, x, &pixel.has_corner);
    if (pixel.coverage == 0) continue;
    rdp->noise = rdp->noise * 1664525u + 1013904223u;
    int z = value[Z] >> 13;
    pixel.z = modes->z_of_primitive ? (uint32_t)(rdp->primitive_z & 0x7fff) << 3 : z < 0 ? 0 : (uint32_t)z;
    if (pixel.z > 0x3ffff) pixel.z = 0x3ffff;
    struct texels texels = { 0 };
    if (primitive->has_shade) {
      texels.shade = (struct color){ shade(value[RED]), shade(value[GREEN]), shade(value[BLUE]), shade(value[ALPHA]) };
    }
    pixel.shade_alpha = texels.shade.a;
    if (primitive->has_texture) {
      int s, t;
      coordinates(rdp, value, &s, &t);
      texels.texel[0] = texture_color(rdp, primitive->tiles[0], s, t);
      texels.texel[1] = modes->cycle == CYCLE_TWO ? texture_color(rdp, primitive->tiles[1], s, t) : texels.texel[0];
    }
    pixel_draw(rdp, &pixel, combine_pixel(rdp, &texels));
  }
}

void span_draw(struct rdp *rdp, const struct primitive *primitive, const struct span *span) {
  const struct gradients *gradients = primitive->gradients;
  if (rdp->modes.cycle == CYCLE_FILL) {
    for (int x = span->first; x <= span->last; x++) pixel_fill(rdp, x, span->y);
  } else if (rdp->modes.cycle == CYCLE_COPY) {
    for (int x = span->first; x <= span->last; x++) {
      int32_t s = added(span->value[S], gradients->dx[S] / 4, x - span->origin);
      int32_t t = added(span->value[T], gradients->dx[T] / 4, x - span->origin);
      pixel_copy(rdp, x, span->y, texture_copy(rdp, primitive->tiles[0], s >> 16, t >> 16));
    }
  } else {
    draw(rdp, primitive, span);
  }
}
