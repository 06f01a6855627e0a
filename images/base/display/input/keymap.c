#include "input/keymap.h"

#include <X11/XKBlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XKB.h>
#include <X11/keysym.h>
#include <string.h>

#include "common/clock.h"
#include "desktop/windows.h"

enum {
  SPARES = 49,
  GROUPS = XkbNumKbdGroups,
  LAST_KEYCODE = 255,
  KEYS = LAST_KEYCODE + 1,
  CAPS_LOCK = LockMask,
  NUM_LOCK = Mod2Mask,
  /* Programs receive a key's new symbol and its press on different connections; the press must not overtake it. */
  SETTLE_US = 40000,
  /* Programs look up a key's symbol some time after the press; until then it must not change. */
  REST_US = 500000,
};

/* When a key of a group was used last, and when programs know what it produces. */
struct use {
  int64_t ready_at, used_at;
  bool pressed;
};

static struct {
  Display *display;
  XkbDescPtr layout;
  struct use uses[GROUPS][KEYS];
  KeySym lent[KEYS];
  struct stroke state;
} keymap;

/*
 * Keycodes of media and office keyboards, or of no keyboard, that no viewer sends and that mean nothing to programs by
 * their code alone: at others, browsers open their search bar or go back, whatever their symbol.
 */
static const KeyCode spares[SPARES] = {
  244, 245, 246, 247, 248, 249, 250, 251, 219, 220, 221, 222, 223, 224, 226, 227, 228,
  229, 230, 231, 153, 154, 155, 156, 157, 183, 184, 185, 186, 253, 254, 161, 162, 210,
  211, 234, 235, 8,   120, 138, 147, 149, 159, 165, 168, 170, 178, 208, 213,
};

/* Given to spare keys from the start, so that they need not settle when they are typed. */
static const KeySym common[] = {
  0x20ac, 0xa3, 0xa7, 0xb0, 0xb4, 0xa1, 0xbf, 0xab, 0xbb, 0xc4, 0xd6, 0xdc, 0xdf, 0xe0, 0xe1, 0xe2, 0xe4, 0xe5, 0xe6,
  0xe7,   0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf2, 0xf3, 0xf4, 0xf6, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc,
};

/* The first and the last keycode of each row of keys for characters, and of those that not every keyboard has. */
static const KeyCode rows[][2] = {
  { 10, 21 }, { 24, 35 }, { 38, 49 }, { 51, 61 }, { 65, 65 }, { 94, 94 }, { 97, 97 }, { 132, 132 },
};

static bool is_for_characters(KeyCode code) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (code >= rows[i][0] && code <= rows[i][1]) return true;
  }
  return false;
}

/*
 * Tells the server what keys produce. Chromium reads the keyboard anew only when it changes as a whole, which it does
 * with the range of its keycodes: the last one, where nothing is, is taken away and given back.
 */
static void publish(XkbMapChangesPtr changes) {
  for (int last = LAST_KEYCODE - 1; last <= LAST_KEYCODE; last++) {
    keymap.layout->max_key_code = (KeyCode)last;
    XkbChangeMap(keymap.display, keymap.layout, changes);
  }
  windows_changed();
}

static void publish_key(KeyCode code, struct use *use, int64_t now) {
  XkbMapChangesRec changes = { .changed = XkbKeySymsMask, .first_key_sym = code, .num_key_syms = 1 };
  publish(&changes);
  XFlush(keymap.display);
  use->ready_at = now + SETTLE_US;
  use->used_at = now;
}

/* The type of keys with four symbols: plain, with Shift or Caps Lock, with AltGr, with both. */
static int four_levels(void) {
  Atom name = XInternAtom(keymap.display, "FOUR_LEVEL_ALPHABETIC", True);
  if (XkbGetNames(keymap.display, XkbKeyTypeNamesMask, keymap.layout) != Success) return XkbAlphabeticIndex;
  for (int i = 0; i < keymap.layout->map->num_types; i++) {
    if (name != None && keymap.layout->map->types[i].name == name) return i;
  }
  return XkbAlphabeticIndex;
}

/* Gives keys for characters all groups, and spare keys one symbol. */
static void make_room(int64_t now) {
  KeyCode first = keymap.layout->min_key_code;
  XkbMapChangesRec changes = {
    .changed = XkbKeySymsMask,
    .first_key_sym = first,
    .num_key_syms = (unsigned char)(LAST_KEYCODE - first),
  };
  int type = four_levels();
  for (int code = 0; code < KEYS; code++) {
    if (!is_for_characters((KeyCode)code)) continue;
    int types[GROUPS] = { keymap.layout->map->key_sym_map[code].kt_index[0], type, type, type };
    XkbChangeTypesOfKey(keymap.layout, code, GROUPS, XkbGroup2Mask | XkbGroup3Mask | XkbGroup4Mask, types, NULL);
  }
  for (int i = 0; i < SPARES; i++) {
    int types[GROUPS] = { XkbOneLevelIndex };
    XkbChangeTypesOfKey(keymap.layout, spares[i], 1, XkbGroup1Mask, types, NULL);
    *XkbKeySymsPtr(keymap.layout, spares[i]) = NoSymbol;
    if (i < (int)(sizeof common / sizeof *common)) {
      keymap.lent[spares[i]] = *XkbKeySymsPtr(keymap.layout, spares[i]) = common[i];
      keymap.uses[0][spares[i]] = (struct use){ .ready_at = now + SETTLE_US, .used_at = now };
    }
  }
  publish(&changes);
}

bool keymap_start(Display *display) {
  memset(&keymap, 0, sizeof keymap);
  keymap.display = display;
  keymap.layout = XkbGetMap(display, XkbAllMapComponentsMask, XkbUseCoreKbd);
  if (!keymap.layout) return false;
  make_room(now_us());
  XkbLockGroup(display, XkbUseCoreKbd, 0);
  XkbLockModifiers(display, XkbUseCoreKbd, CAPS_LOCK | NUM_LOCK, 0);
  return true;
}

static int groups_of(KeyCode code) {
  return is_for_characters(code) ? GROUPS : 1;
}

static bool is_spare(KeyCode code) {
  return memchr(spares, code, sizeof spares) != NULL;
}

static KeySym symbol_of(KeyCode code, unsigned group, unsigned modifiers) {
  KeySym found = NoSymbol;
  unsigned consumed;
  unsigned state = XkbBuildCoreState(modifiers, group);
  return XkbTranslateKeyCode(keymap.layout, code, state, &consumed, &found) ? found : NoSymbol;
}

static struct stroke find(KeySym symbol, unsigned modifiers) {
  for (int code = keymap.layout->min_key_code; code <= keymap.layout->max_key_code; code++) {
    if (symbol_of((KeyCode)code, 0, modifiers) == symbol && !is_spare((KeyCode)code)) {
      return (struct stroke){ .code = (KeyCode)code };
    }
  }
  return (struct stroke){ 0 };
}

static bool is_keypad(KeySym symbol) {
  return symbol >= XK_KP_Space && symbol <= XK_KP_Equal;
}

/* Tab, function keys, modifiers and so on are unaffected by modifiers; the keypad's keys depend on Num Lock. */
static bool is_function(KeySym symbol) {
  return symbol >= 0xfe00 && symbol <= 0xffff && !is_keypad(symbol);
}

struct stroke keymap_find(KeySym symbol, unsigned modifiers) {
  struct stroke stroke = { 0 };
  if (is_function(symbol)) stroke = find(symbol, 0);
  if (!stroke.code) stroke = find(symbol, modifiers);
  if (!stroke.code && is_keypad(symbol)) {
    stroke = find(symbol, modifiers | NUM_LOCK);
    stroke.locks = NUM_LOCK;
  }
  return stroke;
}

struct stroke keymap_find_at(KeyCode place, KeySym symbol, unsigned modifiers) {
  if (is_spare(place) || place < keymap.layout->min_key_code) return (struct stroke){ 0 };
  if (is_function(symbol) && symbol_of(place, 0, 0) == symbol) return (struct stroke){ .code = place };
  /* A letter whose case is not that of Shift is one of Caps Lock, a digit of the keypad one of Num Lock. */
  static const uint8_t locks[] = { 0, CAPS_LOCK, NUM_LOCK };
  for (size_t i = 0; i < sizeof locks; i++) {
    for (int group = 0; group < groups_of(place); group++) {
      if (symbol_of(place, (unsigned)group, modifiers | locks[i]) == symbol) {
        return (struct stroke){ place, (uint8_t)group, locks[i] };
      }
    }
  }
  return (struct stroke){ 0 };
}

static int level_of(KeyCode code, int group, unsigned modifiers) {
  const XkbKeyTypeRec *type = XkbKeyKeyType(keymap.layout, code, group);
  for (int i = 0; i < type->map_count; i++) {
    const XkbKTMapEntryRec *entry = &type->map[i];
    if (entry->active && (modifiers & type->mods.mask) == entry->mods.mask) return entry->level;
  }
  return 0;
}

static KeySym *symbol_at(KeyCode code, int group, unsigned modifiers) {
  return &XkbKeySymEntry(keymap.layout, code, level_of(code, group, modifiers), group);
}

/* Has the key produce the other case of a letter as well, with Shift or without, unless it produces something there. */
static void learn_case(KeyCode code, int group, KeySym symbol) {
  KeySym *plain = symbol_at(code, group, 0), *shifted = symbol_at(code, group, ShiftMask);
  KeySym lower, upper;
  XConvertCase(symbol, &lower, &upper);
  if (lower == upper) return;
  if (*plain == NoSymbol && *shifted == upper) *plain = lower;
  if (*shifted == NoSymbol && *plain == lower) *shifted = upper;
}

/* The group in which the key has nothing yet in this state, or else that which it was not used in for the longest time.
 */
static int group_to_learn(KeyCode place, unsigned modifiers) {
  int oldest = 1;
  for (int group = 1; group < GROUPS; group++) {
    if (*symbol_at(place, group, modifiers) == NoSymbol) return group;
    if (keymap.uses[group][place].used_at < keymap.uses[oldest][place].used_at) oldest = group;
  }
  return oldest;
}

struct stroke keymap_teach(KeyCode place, KeySym symbol, unsigned modifiers, int64_t now, int64_t *retry_at) {
  struct stroke stroke = keymap_find_at(place, symbol, modifiers);
  if (!stroke.code) {
    if (!is_for_characters(place) || is_function(symbol)) return stroke;
    int group = group_to_learn(place, modifiers);
    KeySym *learned = symbol_at(place, group, modifiers);
    struct use *use = &keymap.uses[group][place];
    if (*learned != NoSymbol) {
      /* Whoever holds the key may do so for long: others do not wait for that. */
      if (use->pressed) return stroke;
      *retry_at = use->used_at + REST_US;
      if (*retry_at > now) return stroke;
    }
    *learned = symbol;
    learn_case(place, group, symbol);
    publish_key(place, use, now);
    stroke = (struct stroke){ place, (uint8_t)group, 0 };
  }
  *retry_at = keymap.uses[stroke.group][place].ready_at;
  return *retry_at > now ? (struct stroke){ 0 } : stroke;
}

static KeyCode spare_with(KeySym symbol) {
  for (int i = 0; i < SPARES; i++) {
    if (keymap.lent[spares[i]] == symbol) return spares[i];
  }
  return 0;
}

static KeyCode longest_unused(void) {
  KeyCode oldest = 0;
  for (int i = 0; i < SPARES; i++) {
    const struct use *use = &keymap.uses[0][spares[i]];
    if (!use->pressed && (!oldest || use->used_at < keymap.uses[0][oldest].used_at)) oldest = spares[i];
  }
  return oldest;
}

struct stroke keymap_lend(KeySym symbol, int64_t now, int64_t *retry_at) {
  KeyCode code = spare_with(symbol);
  if (!code) {
    code = longest_unused();
    int64_t used_at = code ? keymap.uses[0][code].used_at : now;
    *retry_at = used_at > 0 ? used_at + REST_US : now;
    if (*retry_at > now) return (struct stroke){ 0 };
    keymap.lent[code] = *XkbKeySymsPtr(keymap.layout, code) = symbol;
    publish_key(code, &keymap.uses[0][code], now);
  }
  *retry_at = keymap.uses[0][code].ready_at;
  return (struct stroke){ .code = *retry_at > now ? 0 : code };
}

void keymap_prepare(struct stroke stroke) {
  if (stroke.group != keymap.state.group) XkbLockGroup(keymap.display, XkbUseCoreKbd, stroke.group);
  if (stroke.locks != keymap.state.locks) {
    XkbLockModifiers(keymap.display, XkbUseCoreKbd, CAPS_LOCK | NUM_LOCK, stroke.locks);
  }
  keymap.state = stroke;
}

void keymap_mark(struct stroke stroke, bool pressed, int64_t now) {
  struct use *use = &keymap.uses[stroke.group][stroke.code];
  use->pressed = pressed;
  use->used_at = now;
}

void keymap_stop(void) {
  if (keymap.layout) XkbFreeKeyboard(keymap.layout, 0, True);
  keymap.layout = NULL;
}
