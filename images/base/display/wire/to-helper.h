/* Generated from src/protocol/display-helper.ts by `npm run generate`; docs/reference/protocol.md explains them. */
#pragma once
#include "wire/messages.h"
#include "wire/wire.h"

struct move_message {
  uint16_t x;
  uint16_t y;
};

static inline struct move_message get_move(const uint8_t *at) {
  return (struct move_message){
    .x = get_u16(at + 1),
    .y = get_u16(at + 3),
  };
}

struct button_message {
  uint8_t button;
  uint8_t down;
  uint16_t x;
  uint16_t y;
};

static inline struct button_message get_button(const uint8_t *at) {
  return (struct button_message){
    .button = at[1],
    .down = at[2],
    .x = get_u16(at + 3),
    .y = get_u16(at + 5),
  };
}

struct wheel_message {
  int16_t dx;
  int16_t dy;
  uint16_t x;
  uint16_t y;
};

static inline struct wheel_message get_wheel(const uint8_t *at) {
  return (struct wheel_message){
    .dx = get_i16(at + 1),
    .dy = get_i16(at + 3),
    .x = get_u16(at + 5),
    .y = get_u16(at + 7),
  };
}

struct key_message {
  uint8_t down;
  uint32_t keysym;
};

static inline struct key_message get_key(const uint8_t *at) {
  return (struct key_message){
    .down = at[1],
    .keysym = get_u32(at + 2),
  };
}

struct physical_key_message {
  uint8_t down;
  uint32_t keysym;
  uint8_t code;
};

static inline struct physical_key_message get_physical_key(const uint8_t *at) {
  return (struct physical_key_message){
    .down = at[1],
    .keysym = get_u32(at + 2),
    .code = at[6],
  };
}

struct content_message {
  uint32_t text_size;
  uint32_t html_size;
};

static inline struct content_message get_content(const uint8_t *at) {
  return (struct content_message){
    .text_size = get_u32(at + 1),
    .html_size = get_u32(at + 5),
  };
}

struct rate_message {
  uint32_t kbps;
};

static inline struct rate_message get_rate(const uint8_t *at) {
  return (struct rate_message){
    .kbps = get_u32(at + 1),
  };
}

struct stream_message {
  uint8_t video;
  uint8_t audio;
};

static inline struct stream_message get_stream(const uint8_t *at) {
  return (struct stream_message){
    .video = at[1],
    .audio = at[2],
  };
}

struct set_display_message {
  uint16_t width;
  uint16_t height;
  uint8_t fps;
  uint8_t quality;
  uint8_t chroma;
};

static inline struct set_display_message get_set_display(const uint8_t *at) {
  return (struct set_display_message){
    .width = get_u16(at + 1),
    .height = get_u16(at + 3),
    .fps = at[5],
    .quality = at[6],
    .chroma = at[7],
  };
}

struct screenshot_message {
  uint16_t width;
};

static inline struct screenshot_message get_screenshot(const uint8_t *at) {
  return (struct screenshot_message){
    .width = get_u16(at + 1),
  };
}

struct turn_message {
  int16_t dx;
  int16_t dy;
};

static inline struct turn_message get_turn(const uint8_t *at) {
  return (struct turn_message){
    .dx = get_i16(at + 1),
    .dy = get_i16(at + 3),
  };
}

struct small_layer_message {
  uint8_t on;
  uint32_t kbps;
};

static inline struct small_layer_message get_small_layer(const uint8_t *at) {
  return (struct small_layer_message){
    .on = at[1],
    .kbps = get_u32(at + 2),
  };
}

struct find_target_message {
  uint16_t x;
  uint16_t y;
};

static inline struct find_target_message get_find_target(const uint8_t *at) {
  return (struct find_target_message){
    .x = get_u16(at + 1),
    .y = get_u16(at + 3),
  };
}

struct activate_window_message {
  uint32_t id;
};

static inline struct activate_window_message get_activate_window(const uint8_t *at) {
  return (struct activate_window_message){
    .id = get_u32(at + 1),
  };
}

struct close_window_message {
  uint32_t id;
};

static inline struct close_window_message get_close_window(const uint8_t *at) {
  return (struct close_window_message){
    .id = get_u32(at + 1),
  };
}

struct place_window_message {
  uint32_t id;
  int16_t x;
  int16_t y;
  uint16_t width;
  uint16_t height;
};

static inline struct place_window_message get_place_window(const uint8_t *at) {
  return (struct place_window_message){
    .id = get_u32(at + 1),
    .x = get_i16(at + 5),
    .y = get_i16(at + 7),
    .width = get_u16(at + 9),
    .height = get_u16(at + 11),
  };
}
