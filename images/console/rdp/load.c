/* The texture memory: 4 KiB, halves of 16 bits. In odd lines the two words of each pair are exchanged, and texels of
 * 32 bits have red and green in its lower half, blue and alpha in its upper. */
#include "rdp.h"

static struct tile *tile_of(struct rdp *rdp, uint32_t low) { return &rdp->tiles[low >> 24 & 7]; }

static void set_bounds(struct tile *tile, uint32_t high, uint32_t low) {
  tile->s.low = high >> 12 & 0xfff;
  tile->t.low = high & 0xfff;
  tile->s.high = low >> 12 & 0xfff;
  tile->t.high = low & 0xfff;
}

/* Loads 8 bytes from the machine's memory into the pair `pair` of a tile. */
static void take_pair(struct rdp *rdp, const struct tile *tile, unsigned pair, bool is_odd, uint32_t from) {
  unsigned swap = is_odd ? 2 : 0;
  bool is_split = tile->size == BITS_32 || tile->format == FORMAT_YUV;
  for (unsigned half = 0; half < 4; half++) {
    uint16_t value = memory_read16(&rdp->memory, from + half * 2);
    if (!is_split) {
      rdp->tmem[(pair * 4 + (half ^ swap)) % TMEM_HALVES] = value;
    } else if (tile->format == FORMAT_YUV) {
      /* Chroma in the lower half, luma in the upper, a byte each. */
      unsigned at = (pair * 2 + (half >> 1)) % TMEM_UPPER, shift = half & 1 ? 0 : 8;
      at ^= swap;
      uint16_t keep = (uint16_t)(0xff << (8 - shift));
      rdp->tmem[at] = (uint16_t)((rdp->tmem[at] & keep) | (value >> 8) << shift);
      rdp->tmem[at | TMEM_UPPER] = (uint16_t)((rdp->tmem[at | TMEM_UPPER] & keep) | (value & 0xff) << shift);
    } else {
      unsigned at = ((pair * 2 + (half >> 1)) % TMEM_UPPER) ^ swap;
      rdp->tmem[at | (half & 1 ? TMEM_UPPER : 0)] = value;
    }
  }
}

void load_block(struct rdp *rdp, uint32_t high, uint32_t low) {
  struct tile *tile = tile_of(rdp, low);
  set_bounds(tile, high, low);
  const struct image *image = &rdp->texture_image;
  unsigned first = high >> 12 & 0xfff, line = high & 0xfff, last = low >> 12 & 0xfff, step = low & 0xfff;
  if (last < first) return;
  unsigned bytes = ((last - first + 1) << tile->size) >> 1;
  uint32_t from = image->address + (((line * image->width + first) << image->size) >> 1);
  bool is_split = tile->size == BITS_32 || tile->format == FORMAT_YUV;
  unsigned lines = 0, base = is_split ? tile->base * 2 : tile->base;
  for (unsigned pair = 0; pair < (bytes + 7) / 8; pair++, lines += step) {
    unsigned row = lines >> 11;
    unsigned at = base + pair + row * (is_split ? tile->line * 2 : tile->line);
    take_pair(rdp, tile, at, row & 1, from + pair * 8);
  }
}

void load_tile(struct rdp *rdp, uint32_t high, uint32_t low) {
  struct tile *tile = tile_of(rdp, low);
  set_bounds(tile, high, low);
  const struct image *image = &rdp->texture_image;
  int first = tile->s.low >> 2, last = tile->s.high >> 2, top = tile->t.low >> 2, bottom = tile->t.high >> 2;
  if (last < first) return;
  unsigned bytes = ((unsigned)(last - first + 1) << tile->size) >> 1;
  bool is_split = tile->size == BITS_32 || tile->format == FORMAT_YUV;
  for (int line = top; line <= bottom; line++) {
    unsigned row = (unsigned)(line - top);
    uint32_t from = image->address + ((((unsigned)line * image->width + (unsigned)first) << image->size) >> 1);
    unsigned at = (tile->base + row * tile->line) * (is_split ? 2 : 1);
    for (unsigned pair = 0; pair < (bytes + 7) / 8; pair++) take_pair(rdp, tile, at + pair, row & 1, from + pair * 8);
  }
}

/* Each palette entry is stored four times. */
void load_tlut(struct rdp *rdp, uint32_t high, uint32_t low) {
  struct tile *tile = tile_of(rdp, low);
  set_bounds(tile, high, low);
  const struct image *image = &rdp->texture_image;
  int first = tile->s.low >> 2, last = tile->s.high >> 2;
  uint32_t from =
      image->address + (((unsigned)(tile->t.low >> 2) * image->width + (unsigned)first) << image->size >> 1);
  for (int entry = 0; entry <= last - first; entry++) {
    uint16_t value = memory_read16(&rdp->memory, from + (uint32_t)entry * 2);
    for (unsigned copy = 0; copy < 4; copy++) {
      rdp->tmem[(tile->base * 4 + (unsigned)entry * 4 + copy) % TMEM_HALVES] = value;
    }
  }
}
