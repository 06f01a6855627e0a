#include "input/keyboard.h"

#include <X11/XKBlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>

#include "common/clock.h"
#include "common/text.h"
#include "input/held-keys.h"
#include "input/keymap.h"

enum { QUEUE_MAX = 16384, LOOK_AHEAD = 20 };

enum action { ACTION_PRESS, ACTION_RELEASE, ACTION_TYPE };

struct entry {
  enum action action;
  uint32_t user;
  KeySym symbol;
  KeyCode place;
};

static struct {
  Display *display;
  struct entry queue[QUEUE_MAX];
  unsigned head, count;
  int64_t retry_at;
} keyboard;

bool keyboard_start(Display *display) {
  keyboard.display = display;
  if (!keymap_start(display)) return false;
  held_keys_start(display);
  return true;
}

/* Only held keys make any; without, the key need not wait for an answer of the X server. Locks belong to strokes. */
static unsigned modifiers(void) {
  if (!held_keys_have_modifier()) return 0;
  XkbStateRec state;
  return XkbGetState(keyboard.display, XkbUseCoreKbd, &state) == Success ? state.mods & ~(LockMask | Mod2Mask) : 0;
}

/* A shortcut is its key, with or without Shift: Control and plus also zooms on layouts where plus needs Shift. */
static struct stroke find(KeySym symbol, unsigned held) {
  struct stroke stroke = keymap_find(symbol, held);
  if (!stroke.code && held & (ControlMask | Mod1Mask | Mod4Mask)) stroke = keymap_find(symbol, held ^ ShiftMask);
  return stroke;
}

static bool press(const struct entry *entry, int64_t now) {
  if (held_keys_has(entry->user, entry->symbol)) {
    if (!IsModifierKey(entry->symbol)) held_keys_repeat(entry->user, entry->symbol, now);
    return true;
  }
  unsigned held = modifiers();
  struct stroke stroke = { 0 };
  keyboard.retry_at = 0;
  if (entry->place) stroke = keymap_teach(entry->place, entry->symbol, held, now, &keyboard.retry_at);
  if (keyboard.retry_at > now) return false;
  if (!stroke.code) stroke = find(entry->symbol, held);
  if (!stroke.code) stroke = keymap_lend(entry->symbol, now, &keyboard.retry_at);
  if (!stroke.code) return false;
  held_keys_press(entry->user, entry->symbol, stroke, now);
  return true;
}

static void tap(struct stroke stroke, int64_t now) {
  keymap_prepare(stroke);
  XTestFakeKeyEvent(keyboard.display, stroke.code, True, CurrentTime);
  XTestFakeKeyEvent(keyboard.display, stroke.code, False, CurrentTime);
  keymap_mark(stroke, held_keys_down(stroke.code), now);
}

/* Characters of the layout are typed as a user would, with Shift if needed; others with a spare key. */
static bool type(KeySym symbol, int64_t now) {
  struct stroke plain = keymap_find(symbol, 0);
  KeyCode shift = plain.code ? 0 : keymap_find(XK_Shift_L, 0).code;
  struct stroke stroke = plain.code ? plain : keymap_find(symbol, ShiftMask);
  if (!stroke.code) {
    shift = 0;
    stroke = keymap_lend(symbol, now, &keyboard.retry_at);
  }
  if (!stroke.code) return false;
  held_keys_suspend_modifiers();
  if (shift) XTestFakeKeyEvent(keyboard.display, shift, True, CurrentTime);
  tap(stroke, now);
  if (shift) XTestFakeKeyEvent(keyboard.display, shift, False, CurrentTime);
  held_keys_resume_modifiers();
  return true;
}

/* False: it must wait for a spare key. */
static bool perform(const struct entry *entry) {
  int64_t now = now_us();
  switch (entry->action) {
    case ACTION_PRESS:
      return press(entry, now);
    case ACTION_RELEASE:
      held_keys_release(entry->user, entry->symbol, now);
      return true;
    case ACTION_TYPE:
      return type(entry->symbol, now);
  }
  return true;
}

static void append(struct entry entry) {
  if (keyboard.count == QUEUE_MAX) return;
  keyboard.queue[(keyboard.head + keyboard.count) % QUEUE_MAX] = entry;
  keyboard.count++;
}

static bool is_lock(KeySym symbol) {
  return symbol == XK_Caps_Lock || symbol == XK_Num_Lock || symbol == XK_Scroll_Lock || symbol == XK_Shift_Lock ||
         symbol == XK_ISO_Lock ||
         (symbol >= XK_ISO_Level2_Latch && symbol <= XK_ISO_Last_Group_Lock && symbol != XK_ISO_Level3_Shift);
}

void keyboard_key(uint32_t user, bool down, uint32_t symbol, uint8_t place) {
  if (is_lock(symbol)) return;
  append((struct entry){ down ? ACTION_PRESS : ACTION_RELEASE, user, symbol, place });
  keyboard_run();
}

void keyboard_text(const uint8_t *text, size_t size) {
  uint32_t character;
  while (text_next(&text, &size, &character)) {
    KeySym symbol = text_symbol(character);
    if (symbol != NoSymbol) append((struct entry){ ACTION_TYPE, 0, symbol, 0 });
  }
  keyboard_run();
}

void keyboard_release(uint32_t user) {
  unsigned kept = 0;
  for (unsigned i = 0; i < keyboard.count; i++) {
    struct entry entry = keyboard.queue[(keyboard.head + i) % QUEUE_MAX];
    bool dropped = entry.action != ACTION_TYPE && (user == 0 || entry.user == user);
    if (!dropped) keyboard.queue[(keyboard.head + kept++) % QUEUE_MAX] = entry;
  }
  keyboard.count = kept;
  held_keys_release_all(user, now_us());
}

int64_t keyboard_deadline(void) {
  return keyboard.count > 0 ? keyboard.retry_at : NEVER;
}

/* Spare keys for the following characters are prepared while waiting for the first one. */
static void look_ahead(void) {
  int64_t now = now_us(), ignored;
  for (unsigned i = 1; i < keyboard.count && i <= LOOK_AHEAD; i++) {
    const struct entry *entry = &keyboard.queue[(keyboard.head + i) % QUEUE_MAX];
    bool types = entry->action == ACTION_TYPE;
    if (types && !keymap_find(entry->symbol, 0).code && !keymap_find(entry->symbol, ShiftMask).code) {
      keymap_lend(entry->symbol, now, &ignored);
    }
  }
}

void keyboard_run(void) {
  if (keyboard.count == 0 || now_us() < keyboard.retry_at) return;
  while (keyboard.count > 0 && perform(&keyboard.queue[keyboard.head])) {
    keyboard.head = (keyboard.head + 1) % QUEUE_MAX;
    keyboard.count--;
    keyboard.retry_at = 0;
  }
  if (keyboard.count > 0) look_ahead();
  XFlush(keyboard.display);
}

void keyboard_stop(void) {
  keyboard_release(0);
  keymap_stop();
}
