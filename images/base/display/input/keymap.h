#pragma once
#include <X11/X.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/** The server's keyboard layout, and spare keys that are temporarily assigned other symbols. */

/** Reads the layout. False: the server has no XKB. */
bool keymap_start(Display *display);

/** The key that produces the symbol while `modifiers` are held; 0 if there is none. */
KeyCode keymap_find(KeySym symbol, unsigned modifiers);

/**
 * A spare key that produces the symbol independent of modifiers. 0: it was assigned the symbol just now, or no key is
 * free because all are or recently were pressed; try again at `*retry_at` (µs).
 */
KeyCode keymap_lend(KeySym symbol, int64_t now, int64_t *retry_at);

/** Marks a key as pressed or released, which protects a spare key from reassignment. */
void keymap_mark(KeyCode code, bool pressed, int64_t now);

void keymap_stop(void);
