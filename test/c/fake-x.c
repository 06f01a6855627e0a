#include <X11/XKBlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "desktop/resting-pointer.h"
#include "desktop/windows.h"
#include "fakes.h"

struct fake_x fake_x;

static const struct {
  KeyCode code;
  KeySym plain, shifted;
} keys[] = {
  { 9, XK_Escape, XK_Escape },  { 10, XK_1, XK_exclam },
  { 21, XK_equal, XK_plus },    { 23, XK_Tab, XK_ISO_Left_Tab },
  { 36, XK_Return, XK_Return }, { 37, XK_Control_L, XK_Control_L },
  { 38, XK_a, XK_A },           { 50, XK_Shift_L, XK_Shift_L },
  { 56, XK_b, XK_B },           { 64, XK_Alt_L, XK_Meta_L },
  { 65, XK_space, XK_space },   { 244, XK_F35, XK_F35 },
};

enum { TWO_LEVELS = XkbTwoLevelIndex, FOUR_LEVELS = XkbNumRequiredTypes, TYPES, FOUR_LEVELS_NAME = 7 };

/* The level is the number of the state in `states`, plus 1; other states are level 0. */
static void make_type(XkbKeyTypePtr type, unsigned char mask, const unsigned char *states, int count) {
  type->mods.mask = type->mods.real_mods = mask;
  type->map = calloc((size_t)count, sizeof *type->map);
  type->map_count = (unsigned char)count;
  for (int i = 0; i < count; i++) {
    unsigned char level = (unsigned char)(i % 3 + 1);
    type->map[i] = (XkbKTMapEntryRec){ .active = True, .level = level, .mods = { states[i], states[i], 0 } };
    if (level >= type->num_levels) type->num_levels = (unsigned char)(level + 1);
  }
}

/* Of the required types only that with two levels; and letters with AltGr, which is Mod5. */
static void make_types(XkbKeyTypePtr types) {
  static const unsigned char shifted[] = { ShiftMask };
  static const unsigned char four[] = { ShiftMask, Mod5Mask, ShiftMask | Mod5Mask, LockMask };
  for (int i = 0; i < TYPES; i++) types[i].num_levels = 1;
  make_type(&types[TWO_LEVELS], ShiftMask, shifted, 1);
  make_type(&types[FOUR_LEVELS], ShiftMask | LockMask | Mod5Mask, four, 4);
  types[FOUR_LEVELS].name = FOUR_LEVELS_NAME;
}

/* A keyboard with a few keys; the helper takes the last one as a spare key. */
XkbDescPtr XkbGetMap(Display *display, unsigned which, unsigned device) {
  enum { KEYS = sizeof keys / sizeof *keys };
  (void)which;
  if (fake_x.no_keyboard) return NULL;
  XkbDescPtr layout = XkbAllocKeyboard();
  layout->dpy = display;
  layout->device_spec = (unsigned short)device;
  layout->min_key_code = 8;
  layout->max_key_code = 255;
  XkbAllocClientMap(layout, XkbKeyTypesMask | XkbKeySymsMask, TYPES);
  XkbAllocServerMap(layout, XkbAllServerInfoMask, 1);
  make_types(layout->map->types);
  layout->map->num_types = TYPES;
  free(layout->map->syms);
  layout->map->syms = calloc(2 * KEYS, sizeof *layout->map->syms);
  layout->map->size_syms = layout->map->num_syms = 2 * KEYS;
  for (int i = 0; i < KEYS; i++) {
    layout->map->key_sym_map[keys[i].code] =
        (XkbSymMapRec){ .kt_index = { TWO_LEVELS }, .group_info = 1, .width = 2, .offset = (unsigned short)(2 * i) };
    layout->map->syms[2 * i] = keys[i].plain;
    layout->map->syms[2 * i + 1] = keys[i].shifted;
  }
  return layout;
}

Status XkbGetNames(Display *display, unsigned which, XkbDescPtr layout) {
  (void)display;
  (void)which;
  (void)layout;
  return Success;
}

Atom XInternAtom(Display *display, const char *name, Bool only_if_exists) {
  (void)display;
  (void)only_if_exists;
  return strcmp(name, "FOUR_LEVEL_ALPHABETIC") == 0 ? FOUR_LEVELS_NAME : None;
}

/* Notes what one key produces, for each group and level; of many keys only how many they are. */
Bool XkbChangeMap(Display *display, XkbDescPtr layout, XkbMapChangesPtr changes) {
  char all[200] = "";
  int code = changes->first_key_sym, length = 0;
  (void)display;
  if (changes->num_key_syms != 1) {
    note("map %d keys to %d", changes->num_key_syms, layout->max_key_code);
    return True;
  }
  for (int group = 0; group < XkbKeyNumGroups(layout, code); group++) {
    for (int level = 0; level < XkbKeyKeyType(layout, code, group)->num_levels; level++) {
      KeySym symbol = XkbKeySymEntry(layout, code, level, group);
      size_t room = sizeof all - (size_t)length;
      if (symbol != NoSymbol) length += snprintf(all + length, room, " %d/%d=0x%lx", group, level, symbol);
    }
  }
  note("map %d to %d:%s", code, layout->max_key_code, all);
  return True;
}

Bool XkbLockGroup(Display *display, unsigned device, unsigned group) {
  (void)display;
  (void)device;
  note("group %u", group);
  return True;
}

Window XDefaultRootWindow(Display *display) {
  (void)display;
  return 1;
}

int XGrabKeyboard(Display *display, Window window, Bool owner, int pointer, int keyboard, Time time) {
  (void)display;
  (void)window;
  (void)owner;
  (void)pointer;
  (void)keyboard;
  (void)time;
  note(fake_x.grabbed ? "grabbed already" : "grab");
  return fake_x.grabbed ? AlreadyGrabbed : GrabSuccess;
}

int XUngrabKeyboard(Display *display, Time time) {
  (void)display;
  (void)time;
  note("ungrab");
  return 1;
}

Bool XkbLockModifiers(Display *display, unsigned device, unsigned affect, unsigned values) {
  (void)display;
  (void)device;
  note("lock 0x%x 0x%x", affect, values);
  return True;
}

Status XkbGetState(Display *display, unsigned device, XkbStatePtr state) {
  (void)display;
  (void)device;
  memset(state, 0, sizeof *state);
  state->mods = (unsigned char)fake_x.modifiers;
  return Success;
}

Bool XkbSetAutoRepeatRate(Display *display, unsigned device, unsigned delay, unsigned interval) {
  (void)display;
  (void)device;
  note("repeat after %u every %u", delay, interval);
  return True;
}

int XQueryKeymap(Display *display, char down[32]) {
  (void)display;
  memset(down, 0, 32);
  if (fake_x.down > 0) down[fake_x.down / 8] = (char)(1 << fake_x.down % 8);
  return 1;
}

int XTestFakeKeyEvent(Display *display, unsigned code, Bool down, unsigned long delay) {
  (void)display;
  (void)delay;
  note("key %u %s", code, down ? "down" : "up");
  return 1;
}

int XTestFakeButtonEvent(Display *display, unsigned button, Bool down, unsigned long delay) {
  (void)display;
  (void)delay;
  note("button %u %s", button, down ? "down" : "up");
  return 1;
}

int XTestFakeMotionEvent(Display *display, int screen, int x, int y, unsigned long delay) {
  (void)display;
  (void)screen;
  (void)delay;
  note("motion %d %d", x, y);
  return 1;
}

int XFlush(Display *display) {
  (void)display;
  return 1;
}

void windows_changed(void) {}

void windows_pressed(void) {}

bool windows_focused_at_pointer(int *x, int *y) {
  *x = 100;
  *y = 50;
  return fake_x.focused;
}

bool windows_focused_at(int x, int y) {
  note("window at %d %d", x, y);
  return fake_x.focused;
}

void resting_pointer_wake(int x, int y) {
  if (fake_x.resting) note("wake %d %d", x, y);
  fake_x.resting = false;
}
