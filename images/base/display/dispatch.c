#include "dispatch.h"

#include "audio/audio.h"
#include "capture/shot.h"
#include "clipboard/clipboard.h"
#include "desktop/window-list.h"
#include "input/keyboard.h"
#include "input/pointer.h"
#include "video/video.h"
#include "wire/to-helper.h"

enum { BUTTON_MAX = 4, KEYSYM_MAX = 0x1fffffff, FPS_MAX = 60 };

static void on_move(struct move_message move) {
  pointer_move(move.x, move.y);
}

static void on_button(uint32_t user, struct button_message button) {
  if (button.button > BUTTON_MAX || button.down > 1) return;
  pointer_move(button.x, button.y);
  pointer_button(user, button.button, button.down);
}

static void on_wheel(struct wheel_message wheel) {
  pointer_move(wheel.x, wheel.y);
  pointer_wheel(wheel.dx, wheel.dy);
}

static void on_key(uint32_t user, struct key_message key) {
  if (key.down <= 1 && key.keysym > 0 && key.keysym <= KEYSYM_MAX) keyboard_key(user, key.down, key.keysym, 0);
}

static void on_physical_key(uint32_t user, struct physical_key_message key) {
  if (key.down > 1 || key.keysym == 0 || key.keysym > KEYSYM_MAX) return;
  keyboard_key(user, key.down, key.keysym, key.code);
}

static void on_stream(struct video *video, struct stream_message stream) {
  if (stream.video > 1 || stream.audio > 1) return;
  video_stream(video, stream.video);
  audio_stream(stream.audio);
}

static void on_set_display(struct video *video, struct set_display_message wanted) {
  if (wanted.width == 0 || wanted.height == 0 || wanted.fps == 0 || wanted.fps > FPS_MAX) return;
  if (wanted.quality > QUALITY_BLOCKY || wanted.chroma > 1) return;
  struct display_settings settings = {
    .width = wanted.width,
    .height = wanted.height,
    .fps = wanted.fps,
    .quality = wanted.quality,
    .chroma444 = wanted.chroma,
  };
  video_set_display(video, &settings);
}

static void on_small_layer(struct video *video, struct small_layer_message small) {
  if (small.on <= 1) video_small_layer(video, small.on, small.kbps);
}

static void on_clipboard(const uint8_t *text, size_t size) {
  struct clipboard_content content = { .parts[CLIPBOARD_TEXT] = { .bytes = text, .size = size } };
  clipboard_set(&content);
}

static void on_content(struct content_message content, const uint8_t *bytes, size_t size) {
  if (content.text_size > CLIPBOARD_MAX_BYTES || content.html_size > CLIPBOARD_MAX_BYTES) return;
  size_t texts = content.text_size + content.html_size;
  if (texts > size || size - texts > PICTURE_MAX_BYTES) return;
  size_t sizes[CLIPBOARD_FORMS] = { content.text_size, content.html_size, size - texts };
  struct clipboard_content parts = { 0 };
  for (int form = 0; form < CLIPBOARD_FORMS; form++) {
    if (sizes[form] > 0) parts.parts[form] = (struct clipboard_part){ .bytes = bytes, .size = sizes[form] };
    bytes += sizes[form];
  }
  clipboard_set(&parts);
}

static void on_turn(struct turn_message turn) {
  pointer_turn(turn.dx, turn.dy);
}

static void on_find_target(struct find_target_message at) {
  pointer_find_target(at.x, at.y);
}

static void on_place_window(struct place_window_message place) {
  if (place.width > 0 && place.height > 0) window_list_place(place.id, place.x, place.y, place.width, place.height);
}

static void on_release(uint32_t user) {
  keyboard_release(user);
  pointer_release(user);
}

void dispatch(struct video *video, uint32_t user, const uint8_t *message, size_t size) {
  switch (message[0]) {
    case MESSAGE_MOVE:
      if (size == MOVE_BYTES) on_move(get_move(message));
      break;
    case MESSAGE_BUTTON:
      if (size == BUTTON_BYTES) on_button(user, get_button(message));
      break;
    case MESSAGE_WHEEL:
      if (size == WHEEL_BYTES) on_wheel(get_wheel(message));
      break;
    case MESSAGE_KEY:
      if (size == KEY_BYTES) on_key(user, get_key(message));
      break;
    case MESSAGE_PHYSICAL_KEY:
      if (size == PHYSICAL_KEY_BYTES) on_physical_key(user, get_physical_key(message));
      break;
    case MESSAGE_TEXT:
      if (size - TEXT_BYTES <= TEXT_MAX_BYTES) keyboard_text(message + TEXT_BYTES, size - TEXT_BYTES);
      break;
    case MESSAGE_CLIPBOARD:
      if (size - CLIPBOARD_BYTES <= CLIPBOARD_MAX_BYTES)
        on_clipboard(message + CLIPBOARD_BYTES, size - CLIPBOARD_BYTES);
      break;
    case MESSAGE_CONTENT:
      if (size > CONTENT_BYTES) on_content(get_content(message), message + CONTENT_BYTES, size - CONTENT_BYTES);
      break;
    case MESSAGE_RELEASE:
      if (size == RELEASE_BYTES) on_release(user);
      break;
    case MESSAGE_KEYFRAME:
      if (size == KEYFRAME_BYTES) video_key_frame(video);
      break;
    case MESSAGE_RATE:
      if (size == RATE_BYTES) video_set_rate(video, get_rate(message).kbps);
      break;
    case MESSAGE_STREAM:
      if (size == STREAM_BYTES) on_stream(video, get_stream(message));
      break;
    case MESSAGE_SET_DISPLAY:
      if (size == SET_DISPLAY_BYTES) on_set_display(video, get_set_display(message));
      break;
    case MESSAGE_TURN:
      if (size == TURN_BYTES) on_turn(get_turn(message));
      break;
    case MESSAGE_SMALL_LAYER:
      if (size == SMALL_LAYER_BYTES) on_small_layer(video, get_small_layer(message));
      break;
    case MESSAGE_SMALL_KEYFRAME:
      if (size == SMALL_KEYFRAME_BYTES) video_small_key_frame(video);
      break;
    case MESSAGE_FIND_TARGET:
      if (size == FIND_TARGET_BYTES) on_find_target(get_find_target(message));
      break;
    case MESSAGE_ACTIVATE_WINDOW:
      if (size == ACTIVATE_WINDOW_BYTES) window_list_activate(get_activate_window(message).id);
      break;
    case MESSAGE_CLOSE_WINDOW:
      if (size == CLOSE_WINDOW_BYTES) window_list_close(get_close_window(message).id);
      break;
    case MESSAGE_PLACE_WINDOW:
      if (size == PLACE_WINDOW_BYTES) on_place_window(get_place_window(message));
      break;
    case MESSAGE_SCREENSHOT:
      if (size == SCREENSHOT_BYTES) shot_take(get_screenshot(message).width);
      break;
  }
}
