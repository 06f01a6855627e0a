#include "rdp.h"

enum { CLAMP, WRAP, FULL, SAVE };

static uint32_t place(const struct rdp *rdp, int x, int y) {
  const struct image *image = &rdp->color_image;
  return image->address + ((((uint32_t)y * image->width + (uint32_t)x) << image->size) >> 1);
}

/* What is there, with its coverage, 0 to 7, in place of alpha. */
static struct color read_pixel(const struct rdp *rdp, uint32_t address) {
  if (rdp->color_image.size == BITS_32) {
    uint32_t value = memory_read32(&rdp->memory, address);
    return (struct color){ (int)(value >> 24), (int)(value >> 16 & 255), (int)(value >> 8 & 255),
                           (int)(value >> 5 & 7) };
  }
  if (rdp->color_image.size == BITS_16) {
    unsigned value = memory_read16(&rdp->memory, address);
    return (struct color){ (int)(value >> 11 & 31) << 3, (int)(value >> 6 & 31) << 3, (int)(value >> 1 & 31) << 3,
                           value & 1 ? 7 : 0 };
  }
  int value = memory_read8(&rdp->memory, address);
  return (struct color){ value, value, value, 7 };
}

static void write_pixel(struct rdp *rdp, uint32_t address, struct color color, int coverage) {
  if (rdp->color_image.size == BITS_32) {
    uint32_t value = (uint32_t)color.r << 24 | (uint32_t)color.g << 16 | (uint32_t)color.b << 8;
    memory_write32(&rdp->memory, address, value | (uint32_t)coverage << 5);
  } else if (rdp->color_image.size == BITS_16) {
    unsigned value = (unsigned)(color.r >> 3) << 11 | (unsigned)(color.g >> 3) << 6 | (unsigned)(color.b >> 3) << 1;
    memory_write16(&rdp->memory, address, (uint16_t)(value | (unsigned)coverage >> 2));
  } else {
    memory_write8(&rdp->memory, address, (uint8_t)color.r);
  }
}

static struct color blender_color(const struct rdp *rdp, unsigned which, struct color pixel, struct color there) {
  switch (which) {
    case 0: return pixel;
    case 1: return there;
    case 2: return rdp->blend_color;
    default: return rdp->fog;
  }
}

/* One cycle of the blender. `alpha`: the pixel's, `coverage`: what is there. */
static struct color blended(const struct rdp *rdp, const struct blend *blend, struct color pixel, struct color there,
                            int alpha, int shade_alpha) {
  int weights[4] = { alpha, rdp->fog.a, shade_alpha, 0 };
  int a = weights[blend->a] >> 3;
  int others[4] = { (255 - weights[blend->a]) >> 3, there.a << 2, 31, 0 };
  int b = others[blend->b] + 1;
  struct color p = blender_color(rdp, blend->p, pixel, there), m = blender_color(rdp, blend->m, pixel, there);
  if (rdp->modes.force_blend) {
#define FORCED(c) ((p.c * a + m.c * b) >> 5 > 255 ? 255 : (p.c * a + m.c * b) >> 5)
    return (struct color){ FORCED(r), FORCED(g), FORCED(b), pixel.a };
  }
#define SHARED(c) ((p.c * a + m.c * b) / (a + b))
  return (struct color){ SHARED(r), SHARED(g), SHARED(b), pixel.a };
}

static int new_coverage(const struct modes *modes, int coverage, int there, bool is_blended) {
  switch (modes->coverage_mode) {
    case CLAMP: {
      int sum = is_blended ? coverage + there : coverage - 1;
      return sum > 7 ? 7 : sum < 0 ? 0 : sum;
    }
    case WRAP: return (coverage + there) & 7;
    case FULL: return 7;
    default: return there;
  }
}

void pixel_draw(struct rdp *rdp, const struct pixel *pixel, struct color color) {
  const struct modes *modes = &rdp->modes;
  int coverage = pixel->coverage;
  if (modes->coverage_times_alpha) coverage = (color.a * coverage + 4) >> 8;
  int alpha = color.a;
  if (modes->coverage_is_alpha) alpha = modes->coverage_times_alpha ? coverage << 5 : pixel->coverage << 5;
  if (alpha > 255) alpha = 255;
  if (modes->antialias ? coverage == 0 : !pixel->has_corner) return;
  if (modes->alpha_compare) {
    int threshold = modes->alpha_dither ? (int)(rdp->noise >> 8 & 255) : rdp->blend_color.a;
    if (alpha < threshold) return;
  }
  if (modes->z_compare && !depth_test(rdp, pixel)) return;
  uint32_t address = place(rdp, pixel->x, pixel->y);
  struct color there = read_pixel(rdp, address);
  if (!modes->image_read) there.a = 7;
  bool overflows = coverage + there.a >= FULL_COVERAGE;
  bool is_blended = modes->force_blend || (modes->antialias && !overflows);
  const struct blend *last = &modes->blend[modes->cycle == CYCLE_TWO];
  if (modes->cycle == CYCLE_TWO) {
    color = blended(rdp, &modes->blend[0], color, there, alpha, pixel->shade_alpha);
  }
  if (!modes->color_on_coverage || overflows) {
    color = is_blended ? blended(rdp, last, color, there, alpha, pixel->shade_alpha)
                       : blender_color(rdp, last->p, color, there);
  } else {
    color = blender_color(rdp, last->m, color, there);
  }
  write_pixel(rdp, address, color, new_coverage(modes, coverage, there.a, is_blended));
  if (modes->z_update) depth_write(rdp, pixel);
}

void pixel_fill(struct rdp *rdp, int x, int y) {
  uint32_t address = place(rdp, x, y);
  switch (rdp->color_image.size) {
    case BITS_32: memory_write32(&rdp->memory, address, rdp->fill); break;
    case BITS_16: memory_write16(&rdp->memory, address, (uint16_t)(rdp->fill >> (address & 2 ? 0 : 16))); break;
    default: memory_write8(&rdp->memory, address, (uint8_t)(rdp->fill >> (24 - (address & 3) * 8)));
  }
}

void pixel_copy(struct rdp *rdp, int x, int y, uint16_t value) {
  if (rdp->modes.alpha_compare && !(value & 1) && rdp->color_image.size == BITS_16) return;
  uint32_t address = place(rdp, x, y);
  if (rdp->color_image.size == BITS_16) memory_write16(&rdp->memory, address, value);
  else if (rdp->color_image.size == BITS_8) memory_write8(&rdp->memory, address, (uint8_t)(value >> 8));
}
