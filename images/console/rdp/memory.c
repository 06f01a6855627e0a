/* Bytes and halves of words that lie in the host's order. Reads beyond the memory return zero. */
#include "rdp.h"

uint8_t memory_read8(const struct memory *memory, uint32_t address) {
  address &= 0xffffff;
  return address < memory->size ? memory->bytes[address ^ 3] : 0;
}

uint16_t memory_read16(const struct memory *memory, uint32_t address) {
  address &= 0xfffffe;
  return address < memory->size ? *(const uint16_t *)(memory->bytes + (address ^ 2)) : 0;
}

uint32_t memory_read32(const struct memory *memory, uint32_t address) {
  address &= 0xfffffc;
  return address < memory->size ? *(const uint32_t *)(memory->bytes + address) : 0;
}

void memory_write8(struct memory *memory, uint32_t address, uint8_t value) {
  address &= 0xffffff;
  if (address < memory->size) memory->bytes[address ^ 3] = value;
}

void memory_write16(struct memory *memory, uint32_t address, uint16_t value) {
  address &= 0xfffffe;
  if (address < memory->size) *(uint16_t *)(memory->bytes + (address ^ 2)) = value;
}

void memory_write32(struct memory *memory, uint32_t address, uint32_t value) {
  address &= 0xfffffc;
  if (address < memory->size) *(uint32_t *)(memory->bytes + address) = value;
}
