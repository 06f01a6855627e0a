#include "keymap.h"

#include <X11/XKBlib.h>
#include <X11/keysym.h>

#include "log.h"

enum {
  SPARES_MAX = 64,
  /* Programs read a key's symbol some time after the press; until then it must not change. */
  REST_US = 200000,
};

struct spare {
  KeyCode code;
  KeySym symbol;
  int64_t used_at;
  bool pressed;
};

static struct {
  Display *display;
  XkbDescPtr layout;
  struct spare spares[SPARES_MAX];
  int spare_count;
} keymap;

static bool is_vacant(KeyCode code) {
  return XkbKeyNumGroups(keymap.layout, code) == 0;
}

/* Keys of media and office keyboards, which no viewer sends. */
static bool is_media(KeyCode code) {
  KeySym symbol = XkbKeyNumGroups(keymap.layout, code) > 0 ? XkbKeySymEntry(keymap.layout, code, 0, 0) : NoSymbol;
  return symbol >= 0x1008ff00 && symbol <= 0x1008ffff;
}

static void collect_spares(bool (*fits)(KeyCode)) {
  for (int code = keymap.layout->min_key_code; code <= keymap.layout->max_key_code; code++) {
    if (keymap.spare_count == SPARES_MAX) return;
    if (fits((KeyCode)code)) keymap.spares[keymap.spare_count++] = (struct spare){ .code = (KeyCode)code };
  }
}

bool keymap_start(Display *display) {
  keymap.display = display;
  keymap.layout = XkbGetMap(display, XkbAllClientInfoMask, XkbUseCoreKbd);
  if (!keymap.layout) return false;
  collect_spares(is_vacant);
  collect_spares(is_media);
  XkbLockModifiers(display, XkbUseCoreKbd, LockMask, 0);
  return true;
}

static struct spare *spare_of(KeyCode code) {
  for (int i = 0; i < keymap.spare_count; i++) {
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

/* Tab, function keys, modifiers and so on stay themselves whatever is held; the keypad's depend on Num Lock. */
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

static void assign(struct spare *spare, KeySym symbol) {
  KeySym levels[] = { symbol, symbol };
  XChangeKeyboardMapping(keymap.display, spare->code, 2, levels, 1);
  spare->symbol = symbol;
}

KeyCode keymap_lend(KeySym symbol, int64_t now, int64_t *retry_at) {
  struct spare *oldest = NULL;
  for (int i = 0; i < keymap.spare_count; i++) {
    struct spare *spare = &keymap.spares[i];
    if (spare->symbol == symbol) return spare->code;
    if (!spare->pressed && (!oldest || spare->used_at < oldest->used_at)) oldest = spare;
  }
  *retry_at = now + REST_US;
  if (!oldest) return 0;
  if (oldest->used_at > 0 && oldest->used_at + REST_US > now) {
    *retry_at = oldest->used_at + REST_US;
    return 0;
  }
  assign(oldest, symbol);
  return oldest->code;
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
