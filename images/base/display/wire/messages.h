/* Generated from src/protocol/display-helper.ts by `npm run generate`; docs/reference/protocol.md explains them. */
#pragma once
#include "wire/wire.h"

/** First byte of every message. */
enum message_type {
  MESSAGE_VIDEO = 0x01,
  MESSAGE_AUDIO = 0x02,
  MESSAGE_CURSOR = 0x03,
  MESSAGE_PATCH = 0x04,
  MESSAGE_COPIED = 0x06,
  MESSAGE_DISPLAY = 0x08,
  MESSAGE_CLIPBOARD = 0x09,
  MESSAGE_WINDOWS = 0x0a,
  MESSAGE_SHOT = 0x0b,
  MESSAGE_SCROLL = 0x0c,
  MESSAGE_ENCODER = 0x0d,
  MESSAGE_LAYERS = 0x0e,
  MESSAGE_TARGET = 0x0f,
  MESSAGE_MOVE = 0x10,
  MESSAGE_BUTTON = 0x11,
  MESSAGE_WHEEL = 0x12,
  MESSAGE_KEY = 0x13,
  MESSAGE_TEXT = 0x14,
  MESSAGE_RELEASE = 0x16,
  MESSAGE_PHYSICAL_KEY = 0x18,
  MESSAGE_CONTENT = 0x19,
  MESSAGE_KEYFRAME = 0x30,
  MESSAGE_RATE = 0x31,
  MESSAGE_STREAM = 0x32,
  MESSAGE_SET_DISPLAY = 0x33,
  MESSAGE_SCREENSHOT = 0x34,
  MESSAGE_TURN = 0x35,
  MESSAGE_SMALL_LAYER = 0x36,
  MESSAGE_SMALL_KEYFRAME = 0x37,
  MESSAGE_FIND_TARGET = 0x38,
};

/** Bytes of type and fields; in some messages a body follows. */
enum {
  VIDEO_BYTES = 14,
  AUDIO_BYTES = 14,
  CURSOR_BYTES = 10,
  PATCH_BYTES = 13,
  COPIED_BYTES = 10,
  DISPLAY_BYTES = 8,
  CLIPBOARD_BYTES = 1,
  WINDOWS_BYTES = 3,
  SHOT_BYTES = 7,
  SCROLL_BYTES = 9,
  ENCODER_BYTES = 2,
  LAYERS_BYTES = 2,
  TARGET_BYTES = 2,
  MOVE_BYTES = 5,
  BUTTON_BYTES = 7,
  WHEEL_BYTES = 9,
  KEY_BYTES = 6,
  TEXT_BYTES = 1,
  RELEASE_BYTES = 1,
  PHYSICAL_KEY_BYTES = 7,
  CONTENT_BYTES = 9,
  KEYFRAME_BYTES = 1,
  RATE_BYTES = 5,
  STREAM_BYTES = 3,
  SET_DISPLAY_BYTES = 8,
  SCREENSHOT_BYTES = 3,
  TURN_BYTES = 5,
  SMALL_LAYER_BYTES = 6,
  SMALL_KEYFRAME_BYTES = 1,
  FIND_TARGET_BYTES = 5,
};

/** Before each message: the number of bytes that follow, and that of the viewer. */
enum {
  LENGTH_BYTES = 4,
  USER_BYTES = 4,
};

/** Bits of the flags of a video message. */
enum {
  VIDEO_KEY = 1,
  VIDEO_REFINEMENT = 2,
  VIDEO_SMALL = 4,
};

enum quality {
  QUALITY_SHARP = 0,
  QUALITY_SMOOTH = 1,
  QUALITY_BLOCKY = 2,
};

/** Largest bodies. */
enum {
  CLIPBOARD_MAX_BYTES = 1048576,
  PICTURE_MAX_BYTES = 10485760,
  CONTENT_MAX_BYTES = 12582912,
  TEXT_MAX_BYTES = 4096,
  PATCH_MAX_BYTES = 8192,
};

struct video_message {
  uint8_t flags;
  uint32_t frame;
  uint64_t time;
};

static inline void put_video(uint8_t *at, struct video_message message) {
  at[0] = MESSAGE_VIDEO;
  at[1] = message.flags;
  put_u32(at + 2, message.frame);
  put_u64(at + 6, message.time);
}

struct audio_message {
  uint8_t flags;
  uint32_t sequence;
  uint64_t time;
};

static inline void put_audio(uint8_t *at, struct audio_message message) {
  at[0] = MESSAGE_AUDIO;
  at[1] = message.flags;
  put_u32(at + 2, message.sequence);
  put_u64(at + 6, message.time);
}

struct cursor_message {
  uint8_t visible;
  uint16_t hot_x;
  uint16_t hot_y;
  uint16_t width;
  uint16_t height;
};

static inline void put_cursor(uint8_t *at, struct cursor_message message) {
  at[0] = MESSAGE_CURSOR;
  at[1] = message.visible != 0;
  put_u16(at + 2, message.hot_x);
  put_u16(at + 4, message.hot_y);
  put_u16(at + 6, message.width);
  put_u16(at + 8, message.height);
}

struct patch_message {
  uint32_t frame;
  uint16_t x;
  uint16_t y;
  uint16_t width;
  uint16_t height;
};

static inline void put_patch(uint8_t *at, struct patch_message message) {
  at[0] = MESSAGE_PATCH;
  put_u32(at + 1, message.frame);
  put_u16(at + 5, message.x);
  put_u16(at + 7, message.y);
  put_u16(at + 9, message.width);
  put_u16(at + 11, message.height);
}

struct copied_message {
  uint8_t incomplete;
  uint32_t text_size;
  uint32_t html_size;
};

static inline void put_copied(uint8_t *at, struct copied_message message) {
  at[0] = MESSAGE_COPIED;
  at[1] = message.incomplete != 0;
  put_u32(at + 2, message.text_size);
  put_u32(at + 6, message.html_size);
}

struct display_message {
  uint16_t width;
  uint16_t height;
  uint8_t fps;
  uint8_t quality;
  uint8_t chroma;
};

static inline void put_display(uint8_t *at, struct display_message message) {
  at[0] = MESSAGE_DISPLAY;
  put_u16(at + 1, message.width);
  put_u16(at + 3, message.height);
  at[5] = message.fps;
  at[6] = message.quality;
  at[7] = message.chroma != 0;
}

struct windows_message {
  uint16_t count;
};

static inline void put_windows(uint8_t *at, struct windows_message message) {
  at[0] = MESSAGE_WINDOWS;
  put_u16(at + 1, message.count);
}

struct shot_message {
  uint16_t width;
  uint16_t height;
  uint16_t top;
};

static inline void put_shot(uint8_t *at, struct shot_message message) {
  at[0] = MESSAGE_SHOT;
  put_u16(at + 1, message.width);
  put_u16(at + 3, message.height);
  put_u16(at + 5, message.top);
}

struct scroll_message {
  int16_t dx;
  int16_t dy;
  uint16_t x;
  uint16_t y;
};

static inline void put_scroll(uint8_t *at, struct scroll_message message) {
  at[0] = MESSAGE_SCROLL;
  put_u16(at + 1, (uint16_t)message.dx);
  put_u16(at + 3, (uint16_t)message.dy);
  put_u16(at + 5, message.x);
  put_u16(at + 7, message.y);
}

struct encoder_message {
  uint8_t hardware;
};

static inline void put_encoder(uint8_t *at, struct encoder_message message) {
  at[0] = MESSAGE_ENCODER;
  at[1] = message.hardware != 0;
}

struct layers_message {
  uint8_t count;
};

static inline void put_layers(uint8_t *at, struct layers_message message) {
  at[0] = MESSAGE_LAYERS;
  at[1] = message.count;
}

struct target_message {
  uint8_t focused;
};

static inline void put_target(uint8_t *at, struct target_message message) {
  at[0] = MESSAGE_TARGET;
  at[1] = message.focused != 0;
}

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
