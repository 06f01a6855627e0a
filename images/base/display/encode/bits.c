#include "encode/bits.h"

enum { GOLOMB_MAX = 31 };

struct bits bits_of(uint8_t *bytes, size_t capacity, const uint8_t *unit, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size && count < capacity; i++) {
    bool escape = i >= 2 && unit[i] == 3 && unit[i - 1] == 0 && unit[i - 2] == 0;
    if (!escape) bytes[count++] = unit[i];
  }
  return (struct bits){ .bytes = bytes, .size = count };
}

uint32_t bits_read(struct bits *bits, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++, bits->at++) {
    size_t byte = bits->at / 8;
    if (byte >= bits->size) bits->ended = true;
    value = value << 1 | (byte < bits->size ? bits->bytes[byte] >> (7 - bits->at % 8) & 1u : 0);
  }
  return value;
}

uint32_t bits_golomb(struct bits *bits) {
  int zeros = 0;
  while (zeros < GOLOMB_MAX && !bits->ended && !bits_read(bits, 1)) zeros++;
  return (1u << zeros) - 1 + bits_read(bits, zeros);
}
