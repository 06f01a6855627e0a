#include "state.h"
#include <string.h>

uint32_t read32(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void write32(uint8_t *bytes, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) bytes[i] = value >> 8 * i & 0xff;
}

/* After a variable's name come its size in four bytes and its value. The name follows its length. */
uint8_t *state_variable(uint8_t *state, size_t size, const char *name, uint32_t bytes) {
  size_t length = strlen(name);
  for (uint8_t *at = state, *end = state + size; at < end; at++) {
    at = memmem(at, (size_t)(end - at), name, length);
    if (at == NULL || at == state) return NULL;
    if (at[-1] != length || (size_t)(end - at) < length + 4 + bytes || read32(at + length) != bytes) continue;
    return at + length + 4;
  }
  return NULL;
}
