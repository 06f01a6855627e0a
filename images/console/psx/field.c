#include "field.h"
#include "state.h"

enum {
  /* The last line at which a picture may end for the emulator to notice: the shorter fields have 262 and 312 lines. */
  NTSC_END = 261,
  PAL_END = 311,
  /* No field has more lines: a picture that does counts those of both. */
  MOST_LINES = 314,
  /* Bits of a line in a display range. */
  LINE_BITS = 10,
  LINE_MASK = 0x3ff,
  /* The GPU's command that sets the range: the first byte of the constant. */
  SET_LINES = 0x07,
  /* Parts of instructions. */
  LUI = 0x3c000000 >> 21,
  ADDIU = 0x09,
  ORI = 0x0d,
  REGISTER_MASK = 0x1f,
  /* How many instructions later a constant's lower half may be loaded, for example in the delay slot of a jump. */
  NEAR = 3,
};

static void write16(uint8_t *bytes, uint32_t value) {
  bytes[0] = value & 0xff;
  bytes[1] = value >> 8 & 0xff;
}

/* Where a picture should end that ends at this line; the same line if it is not too late. */
static uint32_t in_time(uint32_t start, uint32_t end, bool is_pal) {
  uint32_t last = is_pal ? PAL_END : NTSC_END;
  if (end <= last || start >= last) return end;
  uint32_t half = start + (end - start) / 2;
  return end - start > MOST_LINES && half < last ? half : last;
}

/* Whether the second instruction completes the constant that the first, a LUI, begins. */
static bool completes(uint32_t first, uint32_t second) {
  uint32_t operation = second >> 26, target = first >> 16 & REGISTER_MASK;
  return (operation == ORI || operation == ADDIU) && (second >> 21 & REGISTER_MASK) == target &&
         (second >> 16 & REGISTER_MASK) == target;
}

/* Changes the constant that begins here with the given LUI, if it is a display range that ends too late. */
static bool mend_constant(uint8_t *code, size_t size, uint32_t first, bool is_pal) {
  for (size_t lower = 4; lower <= 4 * NEAR && lower + 4 <= size; lower += 4) {
    uint32_t second = read32(code + lower);
    if (!completes(first, second)) continue;
    /* ADDIU extends the sign. */
    bool is_signed = second >> 26 == ADDIU && (second & 0x8000) != 0;
    uint32_t value = ((first & 0xffff) << 16) + (second & 0xffff) - (is_signed ? 0x10000 : 0);
    uint32_t start = value & LINE_MASK, end = value >> LINE_BITS & LINE_MASK, mended = in_time(start, end, is_pal);
    if (value >> 24 != SET_LINES || mended == end) return false;
    value = (value & ~((uint32_t)LINE_MASK << LINE_BITS)) | mended << LINE_BITS;
    write16(code, (value >> 16) + (second >> 26 == ADDIU && (value & 0x8000) != 0));
    write16(code + lower, value & 0xffff);
    return true;
  }
  return false;
}

bool field_mend_program(uint8_t *memory, size_t size, bool is_pal) {
  bool is_found = false;
  for (size_t at = 0; at + 8 <= size; at += 4) {
    uint32_t first = read32(memory + at);
    /* A negative lower half takes one from the upper. */
    uint32_t upper = first >> 8 & 0xff;
    if (first >> 21 != LUI || (upper != SET_LINES && (first & 0xffff) != (SET_LINES + 1) << 8)) continue;
    if (mend_constant(memory + at, size - at, first, is_pal)) is_found = true;
  }
  return is_found;
}

bool field_mend_state(uint8_t *state, size_t size, bool is_pal) {
  uint8_t *first = state_variable(state, size, "VertStart", 4), *last = state_variable(state, size, "VertEnd", 4);
  if (first == NULL || last == NULL) return false;
  uint32_t end = read32(last), mended = in_time(read32(first), end, is_pal);
  if (mended == end) return false;
  write16(last, mended);
  return true;
}
