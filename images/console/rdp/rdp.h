/* A rasteriser of the n64's display processor (RDP) in software: it carries out lists of commands on the machine's
 * memory, so that what is drawn by the RDP and what is drawn by the processor come together where the video interface
 * reads them. Numbers are those of the hardware: see docs/explanation/emulators.md for what is left out. */
#ifndef RDP_H
#define RDP_H

#include <stdbool.h>
#include <stdint.h>

/* The machine's memory: words of 32 bits in the host's byte order. */
struct memory {
  uint8_t *bytes;
  uint32_t size;
};

enum { CYCLE_ONE, CYCLE_TWO, CYCLE_COPY, CYCLE_FILL };
enum { FORMAT_RGBA, FORMAT_YUV, FORMAT_CI, FORMAT_IA, FORMAT_I };
enum { BITS_4, BITS_8, BITS_16, BITS_32 };
enum { TILES = 8, TMEM_HALVES = 2048, TMEM_UPPER = 1024, FULL_COVERAGE = 8 };

struct image {
  unsigned format, size, width;
  uint32_t address;
};

/* How a coordinate of a tile is wrapped. */
struct axis {
  unsigned clamp, mirror, mask, shift;
  /* Bounds, 10.2. */
  int low, high;
};

struct tile {
  unsigned format, size, line, base, palette;
  struct axis s, t;
};

struct color {
  int r, g, b, a;
};

/* Inputs of one cycle of the colour combiner, (a - b) * c + d. */
struct combine {
  unsigned rgb_a, rgb_b, rgb_c, rgb_d, alpha_a, alpha_b, alpha_c, alpha_d;
};

/* Inputs of one cycle of the blender, p * a + m * b. */
struct blend {
  unsigned p, a, m, b;
};

struct modes {
  unsigned cycle, tlut_ia, rgb_dither, z_mode, coverage_mode;
  bool perspective, tlut, bilinear, mid_texel, convert_0, key;
  bool force_blend, coverage_is_alpha, coverage_times_alpha, color_on_coverage, image_read, z_update, z_compare;
  bool antialias, z_of_primitive, alpha_dither, alpha_compare;
  struct blend blend[2];
};

/* The initial attributes of a primitive's pixels and their increments: 16.16. */
enum { RED, GREEN, BLUE, ALPHA, S, T, W, Z, ATTRIBUTES };
struct gradients {
  int32_t start[ATTRIBUTES], dx[ATTRIBUTES], de[ATTRIBUTES], dy[ATTRIBUTES];
};

/* Pixels of one line. Edges are in quarters of a pixel, rounded up, of each quarter of the line. */
struct span {
  int y, left[4], right[4];
  bool is_there[4];
  /* The first and the last pixel. */
  int first, last;
  /* Attributes at the pixel `origin`. */
  int origin;
  int32_t value[ATTRIBUTES];
};

struct rdp {
  struct memory memory;
  uint16_t tmem[TMEM_HALVES];
  struct tile tiles[TILES];
  struct image color_image, texture_image;
  uint32_t z_image;
  struct modes modes;
  struct combine combine[2];
  struct color fog, blend_color, primitive, environment, key_center, key_scale;
  uint32_t fill;
  int k[6];
  int lod_fraction, primitive_z, primitive_dz;
  /* Scissors, 10.2. */
  int left, top, right, bottom;
  /* The last result of the combiner. */
  struct color combined;
  uint32_t noise;
  /* An incomplete command. */
  uint32_t pending[44];
  unsigned pending_words;
  /* A list has ended (Sync Full). */
  bool is_done;
};

/* The texture and attributes of a primitive. */
struct primitive {
  const struct gradients *gradients;
  const struct tile *tiles[2];
  bool has_shade, has_texture, has_z;
  /* Texture coordinates are exchanged (flipped). */
  bool is_flipped;
};

/* memory.c */
uint8_t memory_read8(const struct memory *memory, uint32_t address);
uint16_t memory_read16(const struct memory *memory, uint32_t address);
uint32_t memory_read32(const struct memory *memory, uint32_t address);
void memory_write8(struct memory *memory, uint32_t address, uint8_t value);
void memory_write16(struct memory *memory, uint32_t address, uint16_t value);
void memory_write32(struct memory *memory, uint32_t address, uint32_t value);

/* list.c: receives the words of a list. */
void rdp_words(struct rdp *rdp, const uint32_t *words, unsigned count);

/* settings.c: executes a command that sets something; returns whether it is one. */
bool settings_command(struct rdp *rdp, unsigned command, uint32_t high, uint32_t low);

/* load.c: fills the texture memory. */
void load_block(struct rdp *rdp, uint32_t high, uint32_t low);
void load_tile(struct rdp *rdp, uint32_t high, uint32_t low);
void load_tlut(struct rdp *rdp, uint32_t high, uint32_t low);

/* texture.c: the colour at a place of a tile; coordinates are s10.5. */
struct color texture_color(const struct rdp *rdp, const struct tile *tile, int s, int t);
/* The 16 bits that copy mode takes from there. */
uint16_t texture_copy(const struct rdp *rdp, const struct tile *tile, int s, int t);

/* combiner.c */
struct texels {
  struct color texel[2], shade;
};
struct color combine_pixel(struct rdp *rdp, const struct texels *texels);

/* pixel.c: puts a pixel into the colour image, through depth test and blender. `shade_alpha` is the primitive's. */
struct pixel {
  int x, y, coverage, shade_alpha;
  uint32_t z;
  int dz;
  bool has_corner;
};
void pixel_draw(struct rdp *rdp, const struct pixel *pixel, struct color color);
void pixel_fill(struct rdp *rdp, int x, int y);
void pixel_copy(struct rdp *rdp, int x, int y, uint16_t value);

/* depth.c: whether a pixel is visible; if so, writes its depth. */
bool depth_test(struct rdp *rdp, const struct pixel *pixel);
void depth_write(struct rdp *rdp, const struct pixel *pixel);
uint16_t depth_pack(uint32_t z);
uint32_t depth_unpack(uint16_t packed);

/* span.c */
void span_draw(struct rdp *rdp, const struct primitive *primitive, const struct span *span);

/* shapes.c: triangles and rectangles, with the words of their commands. */
void shape_triangle(struct rdp *rdp, unsigned command, const uint32_t *words);
void shape_rectangle(struct rdp *rdp, unsigned command, const uint32_t *words);

#endif
