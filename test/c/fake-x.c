#include <X11/XKBlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
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

/* Two levels, the second with Shift. */
static void make_type(XkbKeyTypePtr type) {
  type->mods.mask = type->mods.real_mods = ShiftMask;
  type->num_levels = 2;
  type->map = calloc(1, sizeof *type->map);
  type->map_count = 1;
  type->map[0] =
      (XkbKTMapEntryRec){ .active = True, .level = 1, .mods = { .mask = ShiftMask, .real_mods = ShiftMask } };
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
  XkbAllocClientMap(layout, XkbKeyTypesMask | XkbKeySymsMask, XkbNumRequiredTypes);
  make_type(layout->map->types);
  layout->map->num_types = 1;
  free(layout->map->syms);
  layout->map->syms = calloc(2 * KEYS, sizeof *layout->map->syms);
  layout->map->size_syms = layout->map->num_syms = 2 * KEYS;
  for (int i = 0; i < KEYS; i++) {
    layout->map->key_sym_map[keys[i].code] =
        (XkbSymMapRec){ .group_info = 1, .width = 2, .offset = (unsigned short)(2 * i) };
    layout->map->syms[2 * i] = keys[i].plain;
    layout->map->syms[2 * i + 1] = keys[i].shifted;
  }
  return layout;
}

int XChangeKeyboardMapping(Display *display, int first, int levels, KeySym *symbols, int count) {
  (void)display;
  for (int i = 0; i < count; i++) note("map %d 0x%lx 0x%lx", first + i, symbols[levels * i], symbols[levels * i + 1]);
  return 0;
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

bool windows_focused_at_pointer(int *x, int *y) {
  *x = 100;
  *y = 50;
  return fake_x.focused;
}

void resting_pointer_wake(int x, int y) {
  if (fake_x.resting) note("wake %d %d", x, y);
  fake_x.resting = false;
}
