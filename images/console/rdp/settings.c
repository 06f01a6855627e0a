#include "rdp.h"

enum {
  SET_KEY_GB = 0x2a,
  SET_KEY_R,
  SET_CONVERT,
  SET_SCISSOR,
  SET_PRIMITIVE_DEPTH,
  SET_OTHER_MODES,
  SET_TILE_SIZE = 0x32,
  SET_TILE = 0x35,
  SET_FILL_COLOR = 0x37,
  SET_FOG_COLOR,
  SET_BLEND_COLOR,
  SET_PRIMITIVE_COLOR,
  SET_ENVIRONMENT_COLOR,
  SET_COMBINE,
  SET_TEXTURE_IMAGE,
  SET_Z_IMAGE,
  SET_COLOR_IMAGE,
};

/* `width` bits of a word from bit `at` on. */
static unsigned bits(uint32_t word, unsigned at, unsigned width) { return word >> at & ((1u << width) - 1); }

static struct color color_of(uint32_t word) {
  return (struct color){ (int)bits(word, 24, 8), (int)bits(word, 16, 8), (int)bits(word, 8, 8), (int)bits(word, 0, 8) };
}

static struct image image_of(uint32_t high, uint32_t low) {
  return (struct image){ bits(high, 21, 3), bits(high, 19, 2), bits(high, 0, 10) + 1, bits(low, 0, 24) };
}

/* The lower `width` bits as a number with a sign. */
static int with_sign(uint32_t word, unsigned width) {
  int value = (int)bits(word, 0, width);
  return value >> (width - 1) ? value - (1 << width) : value;
}

static void set_modes(struct modes *modes, uint32_t high, uint32_t low) {
  *modes = (struct modes){
    .cycle = bits(high, 20, 2), .perspective = bits(high, 19, 1), .tlut = bits(high, 15, 1),
    .tlut_ia = bits(high, 14, 1), .bilinear = bits(high, 13, 1), .mid_texel = bits(high, 12, 1),
    .convert_0 = !bits(high, 11, 1), .key = bits(high, 8, 1), .rgb_dither = bits(high, 6, 2),
    .force_blend = bits(low, 14, 1), .coverage_is_alpha = bits(low, 13, 1),
    .coverage_times_alpha = bits(low, 12, 1), .z_mode = bits(low, 10, 2), .coverage_mode = bits(low, 8, 2),
    .color_on_coverage = bits(low, 7, 1), .image_read = bits(low, 6, 1), .z_update = bits(low, 5, 1),
    .z_compare = bits(low, 4, 1), .antialias = bits(low, 3, 1), .z_of_primitive = bits(low, 2, 1),
    .alpha_dither = bits(low, 1, 1), .alpha_compare = bits(low, 0, 1),
    .blend = {
      { bits(low, 30, 2), bits(low, 26, 2), bits(low, 22, 2), bits(low, 18, 2) },
      { bits(low, 28, 2), bits(low, 24, 2), bits(low, 20, 2), bits(low, 16, 2) },
    },
  };
}

static void set_combine(struct combine combine[2], uint32_t high, uint32_t low) {
  combine[0] = (struct combine){
    bits(high, 20, 4), bits(low, 28, 4), bits(high, 15, 5), bits(low, 15, 3),
    bits(high, 12, 3), bits(low, 12, 3), bits(high, 9, 3),  bits(low, 9, 3),
  };
  combine[1] = (struct combine){
    bits(high, 5, 4), bits(low, 24, 4), bits(high, 0, 5), bits(low, 6, 3),
    bits(low, 21, 3), bits(low, 3, 3),  bits(low, 18, 3), bits(low, 0, 3),
  };
}

static void set_tile(struct tile *tile, uint32_t high, uint32_t low) {
  tile->format = bits(high, 21, 3);
  tile->size = bits(high, 19, 2);
  tile->line = bits(high, 9, 9);
  tile->base = bits(high, 0, 9);
  tile->palette = bits(low, 20, 4);
  tile->t.clamp = bits(low, 19, 1);
  tile->t.mirror = bits(low, 18, 1);
  tile->t.mask = bits(low, 14, 4);
  tile->t.shift = bits(low, 10, 4);
  tile->s.clamp = bits(low, 9, 1);
  tile->s.mirror = bits(low, 8, 1);
  tile->s.mask = bits(low, 4, 4);
  tile->s.shift = bits(low, 0, 4);
}

static void set_tile_size(struct tile *tile, uint32_t high, uint32_t low) {
  tile->s.low = (int)bits(high, 12, 12);
  tile->t.low = (int)bits(high, 0, 12);
  tile->s.high = (int)bits(low, 12, 12);
  tile->t.high = (int)bits(low, 0, 12);
}

static void set_key(struct rdp *rdp, unsigned command, uint32_t high, uint32_t low) {
  (void)high;
  if (command == SET_KEY_R) {
    rdp->key_center.r = (int)bits(low, 8, 8);
    rdp->key_scale.r = (int)bits(low, 0, 8);
    return;
  }
  rdp->key_center.g = (int)bits(low, 24, 8);
  rdp->key_scale.g = (int)bits(low, 16, 8);
  rdp->key_center.b = (int)bits(low, 8, 8);
  rdp->key_scale.b = (int)bits(low, 0, 8);
}

static void set_convert(struct rdp *rdp, uint32_t high, uint32_t low) {
  uint64_t both = (uint64_t)high << 32 | low;
  for (int i = 0; i < 6; i++) rdp->k[i] = with_sign((uint32_t)(both >> (45 - 9 * i)), 9);
}

static void set_scissor(struct rdp *rdp, uint32_t high, uint32_t low) {
  rdp->left = (int)bits(high, 12, 12);
  rdp->top = (int)bits(high, 0, 12);
  rdp->right = (int)bits(low, 12, 12);
  rdp->bottom = (int)bits(low, 0, 12);
}

bool settings_command(struct rdp *rdp, unsigned command, uint32_t high, uint32_t low) {
  switch (command) {
    case SET_KEY_GB:
    case SET_KEY_R: set_key(rdp, command, high, low); return true;
    case SET_CONVERT: set_convert(rdp, high, low); return true;
    case SET_SCISSOR: set_scissor(rdp, high, low); return true;
    case SET_PRIMITIVE_DEPTH:
      rdp->primitive_z = (int)bits(low, 16, 16);
      rdp->primitive_dz = (int)bits(low, 0, 16);
      return true;
    case SET_OTHER_MODES: set_modes(&rdp->modes, high, low); return true;
    case SET_TILE_SIZE: set_tile_size(&rdp->tiles[bits(low, 24, 3)], high, low); return true;
    case SET_TILE: set_tile(&rdp->tiles[bits(low, 24, 3)], high, low); return true;
    case SET_FILL_COLOR: rdp->fill = low; return true;
    case SET_FOG_COLOR: rdp->fog = color_of(low); return true;
    case SET_BLEND_COLOR: rdp->blend_color = color_of(low); return true;
    case SET_PRIMITIVE_COLOR:
      rdp->primitive = color_of(low);
      rdp->lod_fraction = (int)bits(high, 0, 8);
      return true;
    case SET_ENVIRONMENT_COLOR: rdp->environment = color_of(low); return true;
    case SET_COMBINE: set_combine(rdp->combine, high, low); return true;
    case SET_TEXTURE_IMAGE: rdp->texture_image = image_of(high, low); return true;
    case SET_Z_IMAGE: rdp->z_image = bits(low, 0, 24); return true;
    case SET_COLOR_IMAGE: rdp->color_image = image_of(high, low); return true;
    default: return false;
  }
}
