#include "rdp.h"

static struct color rgba16(unsigned value) {
  int r = value >> 11 & 31, g = value >> 6 & 31, b = value >> 1 & 31;
  return (struct color){ r << 3 | r >> 2, g << 3 | g >> 2, b << 3 | b >> 2, value & 1 ? 255 : 0 };
}

static struct color gray(int intensity, int alpha) { return (struct color){ intensity, intensity, intensity, alpha }; }

static struct color ia16(unsigned value) { return gray((int)(value >> 8), (int)(value & 255)); }

static unsigned byte_at(const struct rdp *rdp, unsigned address) {
  unsigned half = rdp->tmem[address >> 1 & (TMEM_HALVES - 1)];
  return address & 1 ? half & 255 : half >> 8;
}

/* What lies at a texel, as wide as texels of the tile are; those of 32 bits, and of luma and chroma, in two halves. */
static uint32_t raw(const struct rdp *rdp, const struct tile *tile, unsigned s, unsigned t) {
  unsigned line = tile->base + tile->line * t, odd = t & 1;
  switch (tile->size) {
    case BITS_4: {
      unsigned byte = byte_at(rdp, (line * 8 + s / 2) ^ (odd << 2));
      return s & 1 ? byte & 15 : byte >> 4;
    }
    case BITS_8: return byte_at(rdp, (line * 8 + s) ^ (odd << 2));
    case BITS_16:
      if (tile->format == FORMAT_YUV) {
        unsigned at = ((line * 4 + s / 2) % TMEM_UPPER) ^ (odd << 1);
        return rdp->tmem[at];
      }
      return rdp->tmem[((line * 4 + s) ^ (odd << 1)) % TMEM_HALVES];
    default: {
      unsigned at = ((line * 4 + s) % TMEM_UPPER) ^ (odd << 1);
      return (uint32_t)rdp->tmem[at] << 16 | rdp->tmem[at | TMEM_UPPER];
    }
  }
}

static struct color of_palette(const struct rdp *rdp, unsigned index) {
  unsigned value = rdp->tmem[(TMEM_UPPER + index * 4) % TMEM_HALVES];
  return rdp->modes.tlut_ia ? ia16(value) : rgba16(value);
}

static unsigned palette_index(const struct tile *tile, uint32_t value) {
  switch (tile->size) {
    case BITS_4: return tile->palette << 4 | value;
    case BITS_8: return value;
    case BITS_16: return value >> 8;
    default: return value >> 24;
  }
}

/* Luma and chroma as they are: the combiner makes colours of them. */
static struct color yuv(const struct rdp *rdp, const struct tile *tile, unsigned s, unsigned t) {
  unsigned line = tile->base + tile->line * t, odd = (t & 1) << 1;
  unsigned luma = rdp->tmem[(((line * 4 + s / 2) % TMEM_UPPER) ^ odd) | TMEM_UPPER];
  unsigned chroma = rdp->tmem[((line * 4 + s / 2) % TMEM_UPPER) ^ odd];
  int y = (int)(s & 1 ? luma & 255 : luma >> 8), u = (int)(chroma >> 8) - 128, v = (int)(chroma & 255) - 128;
  const int *k = rdp->k;
  int r = y + ((k[0] * v + 128) >> 8), b = y + ((k[3] * u + 128) >> 8);
  int g = y + ((k[1] * u + k[2] * v + 128) >> 8);
#define CLAMP(value) ((value) < 0 ? 0 : (value) > 255 ? 255 : (value))
  return (struct color){ CLAMP(r), CLAMP(g), CLAMP(b), y };
}

static struct color texel(const struct rdp *rdp, const struct tile *tile, unsigned s, unsigned t) {
  if (tile->format == FORMAT_YUV) return yuv(rdp, tile, s, t);
  uint32_t value = raw(rdp, tile, s, t);
  if (rdp->modes.tlut) return of_palette(rdp, palette_index(tile, value));
  switch (tile->size) {
    case BITS_4:
      if (tile->format == FORMAT_IA) {
        int intensity = (int)(value >> 1);
        return gray(intensity << 5 | intensity << 2 | intensity >> 1, value & 1 ? 255 : 0);
      }
      return gray((int)value * 17, (int)value * 17);
    case BITS_8:
      if (tile->format == FORMAT_IA) return gray((int)(value >> 4) * 17, (int)(value & 15) * 17);
      return gray((int)value, (int)value);
    case BITS_16: return tile->format == FORMAT_RGBA ? rgba16(value) : ia16(value);
    default:
      return (struct color){ (int)(value >> 24), (int)(value >> 16 & 255), (int)(value >> 8 & 255),
                             (int)(value & 255) };
  }
}

/* A coordinate within a tile: texels and their 32nds. */
struct place {
  int texel, fraction, next;
};

static int wrapped(const struct axis *axis, int texel) {
  if (axis->mask == 0) return texel;
  unsigned mask = axis->mask > 10 ? 10 : axis->mask;
  if (axis->mirror && (texel >> mask & 1)) texel = ~texel;
  return texel & ((1 << mask) - 1);
}

static int shifted(const struct axis *axis, int coordinate) {
  if (axis->shift < 11) return coordinate >> axis->shift;
  return (int16_t)((unsigned)coordinate << (16 - axis->shift));
}

static struct place place_of(const struct axis *axis, int coordinate) {
  int place = shifted(axis, coordinate) - (axis->low << 3);
  int texel = place >> 5, fraction = place & 31, next = texel + 1;
  if (axis->clamp || axis->mask == 0) {
    int last = (axis->high >> 2) - (axis->low >> 2);
    if (place < 0) texel = fraction = next = 0;
    else if (texel >= last) {
      texel = next = last;
      fraction = 0;
    }
  }
  return (struct place){ wrapped(axis, texel), fraction, wrapped(axis, next) };
}

static int mix(int near, int along_s, int along_t, int s, int t) {
  return near + ((s * (along_s - near) + t * (along_t - near) + 16) >> 5);
}

static struct color mixed(struct color near, struct color along_s, struct color along_t, int s, int t) {
  return (struct color){
    mix(near.r, along_s.r, along_t.r, s, t),
    mix(near.g, along_s.g, along_t.g, s, t),
    mix(near.b, along_s.b, along_t.b, s, t),
    mix(near.a, along_s.a, along_t.a, s, t),
  };
}

struct color texture_color(const struct rdp *rdp, const struct tile *tile, int s, int t) {
  struct place at_s = place_of(&tile->s, s), at_t = place_of(&tile->t, t);
#define TEXEL(s, t) texel(rdp, tile, (unsigned)(s), (unsigned)(t))
  if (!rdp->modes.bilinear || (at_s.fraction == 0 && at_t.fraction == 0)) return TEXEL(at_s.texel, at_t.texel);
  struct color along_s = TEXEL(at_s.next, at_t.texel), along_t = TEXEL(at_s.texel, at_t.next);
  /* Three of the four texels: those of the triangle that the place is in. */
  if (at_s.fraction + at_t.fraction < 32) {
    return mixed(TEXEL(at_s.texel, at_t.texel), along_s, along_t, at_s.fraction, at_t.fraction);
  }
  return mixed(TEXEL(at_s.next, at_t.next), along_t, along_s, 32 - at_s.fraction, 32 - at_t.fraction);
}

uint16_t texture_copy(const struct rdp *rdp, const struct tile *tile, int s, int t) {
  struct place at_s = place_of(&tile->s, s), at_t = place_of(&tile->t, t);
  uint32_t value = raw(rdp, tile, (unsigned)at_s.texel, (unsigned)at_t.texel);
  if (rdp->modes.tlut) return rdp->tmem[(TMEM_UPPER + palette_index(tile, value) * 4) % TMEM_HALVES];
  if (tile->size == BITS_8) return (uint16_t)(value << 8 | value);
  return (uint16_t)(tile->size == BITS_32 ? value >> 16 : value);
}
