#include "vi.h"

enum { TYPE_16 = 2, TYPE_32 = 3, PAL_LINES = 550 };
enum {
  NTSC_LEFT = 108,
  PAL_LEFT = 128,
  DOTS = 640,
  NTSC_TOP = 37,
  PAL_TOP = 95,
  LINES = 474,
  PAL_FULL_TOP = 47,
  PAL_FULL_LINES = 572
};

static uint32_t rgba(unsigned r, unsigned g, unsigned b) { return r | g << 8 | b << 16 | 0xff000000; }

static uint32_t of_16(unsigned value) {
  unsigned r = value >> 11 & 31, g = value >> 6 & 31, b = value >> 1 & 31;
  return rgba(r << 3 | r >> 2, g << 3 | g >> 2, b << 3 | b >> 2);
}

static float within(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

static void place(struct vi_picture *picture, const struct vi_registers *registers) {
  int left = registers->h_start >> 16 & 0x3ff, right = registers->h_start & 0x3ff;
  int top = registers->v_start >> 16 & 0x3ff, bottom = registers->v_start & 0x3ff;
  bool is_pal = (registers->v_sync & 0x3ff) > PAL_LINES;
  bool is_full = is_pal && (top < PAL_TOP || bottom > PAL_TOP + LINES);
  int first_dot = is_pal ? PAL_LEFT : NTSC_LEFT, first_line = is_full ? PAL_FULL_TOP : is_pal ? PAL_TOP : NTSC_TOP;
  float lines = is_full ? PAL_FULL_LINES : LINES;
  picture->left = within((float)(left - first_dot) / DOTS);
  picture->right = within((float)(right - first_dot) / DOTS);
  picture->top = within((float)(top - first_line) / lines);
  picture->bottom = within((float)(bottom - first_line) / lines);
}

/* How many pixels are shown of so many dots or lines. */
static int scaled(int length, uint32_t scale, int largest) {
  int pixels = (length * (int)(scale & 0xfff) + 0x200) >> 10;
  return pixels > largest ? largest : pixels;
}

bool vi_fetch(const struct memory *memory, const struct vi_registers *registers, struct vi_picture *picture) {
  unsigned type = registers->status & 3, stride = registers->width & 0xfff;
  int dots = (int)(registers->h_start & 0x3ff) - (int)(registers->h_start >> 16 & 0x3ff);
  int lines = ((int)(registers->v_start & 0x3ff) - (int)(registers->v_start >> 16 & 0x3ff)) / 2;
  if (type < TYPE_16 || stride == 0 || dots <= 0 || lines <= 0) return false;
  picture->width = scaled(dots, registers->x_scale, VI_MAX_WIDTH);
  picture->height = scaled(lines, registers->y_scale, VI_MAX_HEIGHT);
  if (picture->width <= 0 || picture->height <= 0) return false;
  place(picture, registers);
  unsigned bytes = type == TYPE_32 ? 4 : 2;
  uint32_t *pixel = picture->pixels;
  for (int y = 0; y < picture->height; y++) {
    uint32_t address = registers->origin + (uint32_t)y * stride * bytes;
    for (int x = 0; x < picture->width; x++, address += bytes) {
      if (type == TYPE_16) {
        *pixel++ = of_16(memory_read16(memory, address));
      } else {
        uint32_t value = memory_read32(memory, address);
        *pixel++ = rgba(value >> 24, value >> 16 & 255, value >> 8 & 255);
      }
    }
  }
  return true;
}
