#include "input/held-keys.h"

#include <X11/XKBlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

enum { HELD_MAX = 64, SOON_MS = 4, NEVER_MS = 65535 };

struct held {
  uint32_t user;
  KeySym symbol;
  struct stroke stroke;
};

static Display *server;
static struct held keys[HELD_MAX];
static int count;

void held_keys_start(Display *display) {
  char down[32];
  server = display;
  XkbSetAutoRepeatRate(server, XkbUseCoreKbd, NEVER_MS, NEVER_MS);
  /* A killed helper has left its keys pressed. */
  XQueryKeymap(server, down);
  for (int code = 0; code < 256; code++) {
    if (down[code / 8] >> code % 8 & 1) XTestFakeKeyEvent(server, (KeyCode)code, False, CurrentTime);
  }
}

static int find(uint32_t user, KeySym symbol) {
  for (int i = 0; i < count; i++) {
    if (keys[i].user == user && keys[i].symbol == symbol) return i;
  }
  return -1;
}

bool held_keys_down(KeyCode code) {
  for (int i = 0; i < count; i++) {
    if (keys[i].stroke.code == code) return true;
  }
  return false;
}

bool held_keys_have_modifier(void) {
  for (int i = 0; i < count; i++) {
    if (IsModifierKey(keys[i].symbol)) return true;
  }
  return false;
}

bool held_keys_has(uint32_t user, KeySym symbol) {
  return find(user, symbol) >= 0;
}

void held_keys_press(uint32_t user, KeySym symbol, struct stroke stroke, int64_t now) {
  if (count == HELD_MAX) return;
  if (!held_keys_down(stroke.code)) {
    keymap_prepare(stroke);
    XTestFakeKeyEvent(server, stroke.code, True, CurrentTime);
  }
  keys[count++] = (struct held){ user, symbol, stroke };
  keymap_mark(stroke, true, now);
}

/*
 * The server ignores the press of a key that is held, and decides at a press when it repeats it. So the key is let go
 * and pressed once more while no program sees it, to be repeated right after that. A program that has the keyboard for
 * itself, such as one that shows a menu, sees both.
 */
void held_keys_repeat(uint32_t user, KeySym symbol, int64_t now) {
  struct stroke stroke = keys[find(user, symbol)].stroke;
  keymap_prepare(stroke);
  Window root = XDefaultRootWindow(server);
  int grabbed = XGrabKeyboard(server, root, False, GrabModeAsync, GrabModeAsync, CurrentTime);
  if (grabbed == GrabSuccess) XkbSetAutoRepeatRate(server, XkbUseCoreKbd, SOON_MS, NEVER_MS);
  XTestFakeKeyEvent(server, stroke.code, False, CurrentTime);
  XTestFakeKeyEvent(server, stroke.code, True, CurrentTime);
  if (grabbed == GrabSuccess) {
    XUngrabKeyboard(server, CurrentTime);
    XkbSetAutoRepeatRate(server, XkbUseCoreKbd, NEVER_MS, NEVER_MS);
  }
  keymap_mark(stroke, true, now);
}

static void release_at(int index, int64_t now) {
  struct stroke stroke = keys[index].stroke;
  keys[index] = keys[--count];
  if (held_keys_down(stroke.code)) return;
  /* What a program is told of a release is what the key produces at that moment. */
  keymap_prepare(stroke);
  XTestFakeKeyEvent(server, stroke.code, False, CurrentTime);
  keymap_mark(stroke, false, now);
}

void held_keys_release(uint32_t user, KeySym symbol, int64_t now) {
  int index = find(user, symbol);
  if (index >= 0) release_at(index, now);
}

void held_keys_release_all(uint32_t user, int64_t now) {
  for (int i = count - 1; i >= 0; i--) {
    if (user == 0 || keys[i].user == user) release_at(i, now);
  }
  XFlush(server);
}

static void send_modifiers(bool down) {
  for (int i = 0; i < count; i++) {
    if (IsModifierKey(keys[i].symbol)) XTestFakeKeyEvent(server, keys[i].stroke.code, down, CurrentTime);
  }
}

void held_keys_suspend_modifiers(void) {
  send_modifiers(false);
}

void held_keys_resume_modifiers(void) {
  send_modifiers(true);
}
