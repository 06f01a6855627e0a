#include "input/keymap.h"

#include <X11/XKBlib.h>
#include <X11/keysym.h>

#include "common/clock.h"
#include "desktop/windows.h"

enum {
  SPARES = 50,
  /* Programs receive a key's new symbol and its press on different connections; the press must not overtake it. */
  SETTLE_US = 40000,
  /* Programs look up a key's symbol some time after the press; until then it must not change. */
  REST_US = 500000,
};

struct spare {
  KeyCode code;
  KeySym symbol;
  int64_t ready_at, used_at;
  bool pressed;
};

static struct {
  Display *display;
  XkbDescPtr layout;
  struct spare spares[SPARES];
} keymap;

/*
 * Keycodes of media and office keyboards, or of no keyboard, that no viewer sends and that mean nothing to programs by
 * their code alone: at others, browsers open their search bar or go back, whatever their symbol.
 */
static const KeyCode unused_codes[] = {
  244, 245, 246, 247, 248, 249, 250, 251, 219, 220, 221, 222, 223, 224, 226, 227, 228,
  229, 230, 231, 153, 154, 155, 156, 157, 183, 184, 185, 186, 253, 254, 255, 161, 162,
  210, 211, 234, 235, 8,   120, 138, 147, 149, 159, 165, 168, 170, 178, 208, 213,
};

/*
 * Given to spare keys from the start: Chromium types a symbol given later as well, but names it wrongly in the
 * `key` of its keyboard events until the keyboard changes as a whole.
 */
static const KeySym common[] = {
  0x20ac, 0xa3, 0xa7, 0xb0, 0xb4, 0xa1, 0xbf, 0xab, 0xbb, 0xc4, 0xd6, 0xdc, 0xdf, 0xe0, 0xe1, 0xe2, 0xe4, 0xe5, 0xe6,
  0xe7,   0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf2, 0xf3, 0xf4, 0xf6, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc,
};

/* Assigns symbols to spare keys with consecutive codes in one request: every client reloads the keyboard afterwards. */
static void assign(struct spare *spares, const KeySym *symbols, int count, int64_t now) {
  KeySym levels[2 * SPARES];
  for (int i = 0; i < count; i++) {
    levels[2 * i] = levels[2 * i + 1] = spares[i].symbol = symbols[i];
    spares[i].ready_at = now + SETTLE_US;
    spares[i].used_at = now;
  }
  XChangeKeyboardMapping(keymap.display, spares->code, 2, levels, count);
  windows_changed();
}

static void assign_common(void) {
  int total = sizeof common / sizeof *common, run;
  for (int first = 0; first < total; first += run) {
    for (run = 1; first + run < total && unused_codes[first + run] == unused_codes[first] + run;) run++;
    assign(&keymap.spares[first], &common[first], run, now_us());
  }
}

bool keymap_start(Display *display) {
  keymap.display = display;
  keymap.layout = XkbGetMap(display, XkbAllClientInfoMask, XkbUseCoreKbd);
  if (!keymap.layout) return false;
  for (int i = 0; i < SPARES; i++) keymap.spares[i].code = unused_codes[i];
  assign_common();
  XkbLockModifiers(display, XkbUseCoreKbd, LockMask, 0);
  return true;
}

static struct spare *spare_of(KeyCode code) {
  for (int i = 0; i < SPARES; i++) {
    if (keymap.spares[i].code == code) return &keymap.spares[i];
  }
  return NULL;
}

static KeyCode find(KeySym symbol, unsigned modifiers) {
  for (int code = keymap.layout->min_key_code; code <= keymap.layout->max_key_code; code++) {
    KeySym found = NoSymbol;
    unsigned consumed;
    if (!XkbTranslateKeyCode(keymap.layout, (KeyCode)code, modifiers, &consumed, &found)) continue;
    if (found == symbol && !spare_of((KeyCode)code)) return (KeyCode)code;
  }
  return 0;
}

/* Tab, function keys, modifiers and so on are unaffected by modifiers; the keypad's keys depend on Num Lock. */
static bool is_function(KeySym symbol) {
  bool keypad = symbol >= XK_KP_Space && symbol <= XK_KP_Equal;
  return (symbol >= 0xfe00 && symbol <= 0xffff && !keypad);
}

KeyCode keymap_find(KeySym symbol, unsigned modifiers) {
  if (is_function(symbol)) {
    KeyCode code = find(symbol, 0);
    if (code) return code;
  }
  return find(symbol, modifiers);
}

static struct spare *spare_with(KeySym symbol) {
  for (int i = 0; i < SPARES; i++) {
    if (keymap.spares[i].symbol == symbol) return &keymap.spares[i];
  }
  return NULL;
}

static struct spare *longest_unused(void) {
  struct spare *oldest = NULL;
  for (int i = 0; i < SPARES; i++) {
    struct spare *spare = &keymap.spares[i];
    if (!spare->pressed && (!oldest || spare->used_at < oldest->used_at)) oldest = spare;
  }
  return oldest;
}

KeyCode keymap_lend(KeySym symbol, int64_t now, int64_t *retry_at) {
  struct spare *spare = spare_with(symbol);
  if (!spare) {
    spare = longest_unused();
    *retry_at = !spare ? now + REST_US : spare->used_at > 0 ? spare->used_at + REST_US : now;
    if (*retry_at > now) return 0;
    assign(spare, &symbol, 1, now);
    XFlush(keymap.display);
  }
  *retry_at = spare->ready_at;
  return spare->ready_at > now ? 0 : spare->code;
}

void keymap_mark(KeyCode code, bool pressed, int64_t now) {
  struct spare *spare = spare_of(code);
  if (!spare) return;
  spare->pressed = pressed;
  spare->used_at = now;
}

void keymap_stop(void) {
  if (keymap.layout) XkbFreeKeyboard(keymap.layout, 0, True);
  keymap.layout = NULL;
}
