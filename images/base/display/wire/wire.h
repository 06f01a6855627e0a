#pragma once
#include <stdint.h>

/** Little-endian integers in messages. */

static inline uint16_t get_u16(const uint8_t *at) {
  return (uint16_t)(at[0] | at[1] << 8);
}

static inline int16_t get_i16(const uint8_t *at) {
  return (int16_t)get_u16(at);
}

static inline uint32_t get_u32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void put_u16(uint8_t *at, unsigned value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static inline void put_u32(uint8_t *at, uint32_t value) {
  put_u16(at, value & 0xffff);
  put_u16(at + 2, value >> 16);
}

static inline void put_u64(uint8_t *at, uint64_t value) {
  put_u32(at, (uint32_t)value);
  put_u32(at + 4, (uint32_t)(value >> 32));
}
