#pragma once
#include <X11/X.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * What the keys of the server produce. The first group is its own layout. In the others, keys learn what the viewers'
 * keyboards have in their places, so that a symbol comes from the key that was pressed. Symbols without a place are
 * given to spare keys.
 */

/** How a symbol is produced: the key, the group, and the locks that are on (Caps Lock, Num Lock). Code 0: not at all.
 */
struct stroke {
  KeyCode code;
  uint8_t group, locks;
};

/** Reads the layout. False: the server has no XKB. */
bool keymap_start(Display *display);

/** How the layout of the server produces a symbol while `modifiers` are held. */
struct stroke keymap_find(KeySym symbol, unsigned modifiers);

/** How the key in a place produces a symbol while `modifiers` are held. */
struct stroke keymap_find_at(KeyCode place, KeySym symbol, unsigned modifiers);

/**
 * Has the key in a place produce a symbol while `modifiers` are held, and returns how. Code 0 and a time in `*retry_at`
 * (µs): it has learned that just now, or cannot yet because programs may still look up what it had before; try again
 * then. Code 0 without a time: it is no key for characters, or all that it has is held.
 */
struct stroke keymap_teach(KeyCode place, KeySym symbol, unsigned modifiers, int64_t now, int64_t *retry_at);

/**
 * A spare key that produces the symbol whatever modifiers are held. Code 0: it was given the symbol just now, or no key
 * is free because all are or recently were pressed; try again at `*retry_at` (µs).
 */
struct stroke keymap_lend(KeySym symbol, int64_t now, int64_t *retry_at);

/** Puts the keyboard into the state that a stroke needs. */
void keymap_prepare(struct stroke stroke);

/** Marks a key as pressed or released, which protects what it produces from being replaced. */
void keymap_mark(struct stroke stroke, bool pressed, int64_t now);

void keymap_stop(void);
