/* The depth image: 18 bits are packed as 3 of an exponent and 11 of a mantissa. */
#include "rdp.h"

enum { OPAQUE, INTERPENETRATING, TRANSPARENT, DECAL };
enum { EXPONENTS = 8 };
static const uint32_t bases[EXPONENTS] = { 0, 0x20000, 0x30000, 0x38000, 0x3c000, 0x3e000, 0x3f000, 0x3f800 };
static const unsigned shifts[EXPONENTS] = { 6, 5, 4, 3, 2, 1, 0, 0 };

uint16_t depth_pack(uint32_t z) {
  unsigned exponent = EXPONENTS - 1;
  z &= 0x3ffff;
  while (z < bases[exponent]) exponent--;
  return (uint16_t)(exponent << 13 | ((z - bases[exponent]) >> shifts[exponent] & 0x7ff) << 2);
}

uint32_t depth_unpack(uint16_t packed) {
  unsigned exponent = packed >> 13;
  return bases[exponent] + ((uint32_t)(packed >> 2 & 0x7ff) << shifts[exponent]);
}

static uint32_t address_of(const struct rdp *rdp, const struct pixel *pixel) {
  return rdp->z_image + ((uint32_t)pixel->y * rdp->color_image.width + (uint32_t)pixel->x) * 2;
}

bool depth_test(struct rdp *rdp, const struct pixel *pixel) {
  uint16_t packed = memory_read16(&rdp->memory, address_of(rdp, pixel));
  int there = (int)depth_unpack(packed), z = (int)pixel->z;
  /* How far apart two depths are that count as one, the larger one of the two surfaces' slopes. */
  int slope_there = 1 << ((packed & 3) << 2), slope = pixel->dz > slope_there ? pixel->dz : slope_there;
  bool is_farthest = there >= 0x3ffff - 0x7f;
  switch (rdp->modes.z_mode) {
    case DECAL: return !is_farthest && z - slope <= there && z + slope >= there;
    case TRANSPARENT: return is_farthest || z < there;
    default: return is_farthest || z - slope <= there;
  }
}

void depth_write(struct rdp *rdp, const struct pixel *pixel) {
  unsigned exponent = 0;
  for (int dz = pixel->dz; dz > 1; dz >>= 1) exponent++;
  memory_write16(&rdp->memory, address_of(rdp, pixel), (uint16_t)(depth_pack(pixel->z) | exponent >> 2));
}
