#pragma once
#include <stdint.h>

/** First byte of every message; the layouts are in docs/protocol.md. */
enum message_type {
  MESSAGE_VIDEO = 0x01,
  MESSAGE_AUDIO = 0x02,
  MESSAGE_CURSOR = 0x03,
  MESSAGE_DISPLAY = 0x08,
  MESSAGE_CLIPBOARD = 0x09,
  MESSAGE_WINDOWS = 0x0a,
  MESSAGE_SHOT = 0x0b,
  MESSAGE_SCROLL = 0x0c,
  MESSAGE_MOVE = 0x10,
  MESSAGE_BUTTON = 0x11,
  MESSAGE_WHEEL = 0x12,
  MESSAGE_KEY = 0x13,
  MESSAGE_TEXT = 0x14,
  MESSAGE_RELEASE = 0x16,
  MESSAGE_KEYFRAME = 0x30,
  MESSAGE_RATE = 0x31,
  MESSAGE_STREAM = 0x32,
  MESSAGE_SET_DISPLAY = 0x33,
  MESSAGE_SCREENSHOT = 0x34,
  MESSAGE_TURN = 0x35,
};

enum { VIDEO_KEY = 1, VIDEO_REFINEMENT = 2 };
enum { CLIPBOARD_MAX_BYTES = 1 << 20, TEXT_MAX_BYTES = 4096 };

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
