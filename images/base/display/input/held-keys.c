#include "input/held-keys.h"

#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

#include "input/keymap.h"

enum { HELD_MAX = 64 };

struct held {
  uint32_t user;
  KeySym symbol;
  KeyCode code;
};

static Display *server;
static struct held keys[HELD_MAX];
static int count;

void held_keys_start(Display *display) {
  char down[32];
  server = display;
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
    if (keys[i].code == code) return true;
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

void held_keys_press(uint32_t user, KeySym symbol, KeyCode code, int64_t now) {
  if (count == HELD_MAX) return;
  if (!held_keys_down(code)) XTestFakeKeyEvent(server, code, True, CurrentTime);
  keys[count++] = (struct held){ user, symbol, code };
  keymap_mark(code, true, now);
}

static void release_at(int index, int64_t now) {
  KeyCode code = keys[index].code;
  keys[index] = keys[--count];
  if (held_keys_down(code)) return;
  XTestFakeKeyEvent(server, code, False, CurrentTime);
  keymap_mark(code, false, now);
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
    if (IsModifierKey(keys[i].symbol)) XTestFakeKeyEvent(server, keys[i].code, down, CurrentTime);
  }
}

void held_keys_suspend_modifiers(void) {
  send_modifiers(false);
}

void held_keys_resume_modifiers(void) {
  send_modifiers(true);
}
