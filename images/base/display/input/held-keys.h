#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "input/keymap.h"

/** Tracks which user holds which key, and how it was pressed, so that a release finds the key that was pressed. */

/** Releases every key that is down. */
void held_keys_start(Display *display);

/** Whether the user holds the key with this keysym. */
bool held_keys_has(uint32_t user, KeySym symbol);

/** Whether anybody holds the key with this keycode. */
bool held_keys_down(KeyCode code);

/** Whether anybody holds a modifier. */
bool held_keys_have_modifier(void);

/** Presses a key for a user. Ignored if 64 keys are held already. */
void held_keys_press(uint32_t user, KeySym symbol, struct stroke stroke, int64_t now);

/** Repeats a key that the user holds. */
void held_keys_repeat(uint32_t user, KeySym symbol, int64_t now);

/** Releases a user's key, unless another user holds it too. */
void held_keys_release(uint32_t user, KeySym symbol, int64_t now);

/** Releases all keys of a user, or of everybody for user 0. */
void held_keys_release_all(uint32_t user, int64_t now);

/** Temporarily releases held modifiers, and presses them again. */
void held_keys_suspend_modifiers(void);
void held_keys_resume_modifiers(void);
