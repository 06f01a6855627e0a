#include "rdp.h"

enum { ONE = 256 };

/* 9 bits with a sign as colours have them: up to half beyond the end, then the rest is below zero. */
static int clamped(int value) {
  value &= 0x1ff;
  return value < 256 ? value : value < 384 ? 255 : 0;
}

struct sources {
  struct color combined, texel[2], primitive, shade, environment;
};

static const struct color *plain(const struct sources *sources, unsigned which) {
  switch (which) {
    case 0: return &sources->combined;
    case 1: return &sources->texel[0];
    case 2: return &sources->texel[1];
    case 3: return &sources->primitive;
    case 4: return &sources->shade;
    default: return &sources->environment;
  }
}

static struct color same(int value) { return (struct color){ value, value, value, value }; }

static struct color rgb_a(const struct rdp *rdp, const struct sources *sources, unsigned which) {
  if (which < 6) return *plain(sources, which);
  if (which == 6) return same(ONE);
  return same(which == 7 ? (int)(rdp->noise >> 16 & 7) << 6 | 0x20 : 0);
}

static struct color rgb_b(const struct rdp *rdp, const struct sources *sources, unsigned which) {
  if (which < 6) return *plain(sources, which);
  if (which == 6) return rdp->key_center;
  return same(which == 7 ? rdp->k[4] : 0);
}

static struct color rgb_c(const struct rdp *rdp, const struct sources *sources, unsigned which) {
  if (which < 6) return *plain(sources, which);
  if (which == 6) return rdp->key_scale;
  if (which < 13) return same(plain(sources, which - 7)->a);
  if (which == 13) return same(255);
  return same(which == 14 ? rdp->lod_fraction : which == 15 ? rdp->k[5] : 0);
}

static struct color rgb_d(const struct sources *sources, unsigned which) {
  return which < 6 ? *plain(sources, which) : same(which == 6 ? ONE : 0);
}

static int alpha_abd(const struct sources *sources, unsigned which) {
  return which < 6 ? plain(sources, which)->a : which == 6 ? ONE : 0;
}

static int alpha_c(const struct rdp *rdp, const struct sources *sources, unsigned which) {
  if (which == 0) return 255;
  return which < 6 ? plain(sources, which)->a : which == 6 ? rdp->lod_fraction : 0;
}

/* Results and inputs beyond 9 bits are taken for negative ones. */
static int with_sign(int value) {
  value &= 0x1ff;
  return value & 0x180 && (value & 0x180) == 0x180 ? value - 0x200 : value;
}

static int equation(int a, int b, int c, int d) {
  c = c & 0x100 ? (c & 0x1ff) - 0x200 : c & 0x1ff;
  return ((with_sign(a) - with_sign(b)) * c + (with_sign(d) * 256) + 128) >> 8;
}

static struct color cycle(const struct rdp *rdp, const struct combine *combine, const struct sources *sources) {
  struct color a = rgb_a(rdp, sources, combine->rgb_a), b = rgb_b(rdp, sources, combine->rgb_b);
  struct color c = rgb_c(rdp, sources, combine->rgb_c), d = rgb_d(sources, combine->rgb_d);
  return (struct color){
    equation(a.r, b.r, c.r, d.r),
    equation(a.g, b.g, c.g, d.g),
    equation(a.b, b.b, c.b, d.b),
    equation(alpha_abd(sources, combine->alpha_a), alpha_abd(sources, combine->alpha_b),
             alpha_c(rdp, sources, combine->alpha_c), alpha_abd(sources, combine->alpha_d)),
  };
}

struct color combine_pixel(struct rdp *rdp, const struct texels *texels) {
  struct sources sources = {
    rdp->combined, { texels->texel[0], texels->texel[1] }, rdp->primitive, texels->shade, rdp->environment,
  };
  if (rdp->modes.cycle == CYCLE_TWO) {
    sources.combined = cycle(rdp, &rdp->combine[0], &sources);
    /* The second cycle has the second texel for the first, and the other way round. */
    sources.texel[0] = texels->texel[1];
    sources.texel[1] = texels->texel[0];
  }
  struct color result = cycle(rdp, &rdp->combine[1], &sources);
  rdp->combined = result;
  return (struct color){ clamped(result.r), clamped(result.g), clamped(result.b), clamped(result.a) };
}
