#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "desktop/screen.h"

/** Pointer, buttons and wheel. Positions are fractions of the screen, 0 to 65535. */

/** Releases every button that is down. */
void pointer_start(const struct screen *screen);

/** Moves the pointer. */
void pointer_move(unsigned x, unsigned y);

/** Presses or releases a button: 0 left, 1 middle, 2 right, 3 back, 4 forward. */
void pointer_button(uint32_t user, unsigned button, bool down);

/**
 * Scrolls by pixels, positive right and down: turns the wheel by whole clicks, and leaves it to the agent to scroll
 * what has the focus by anything finer.
 */
void pointer_wheel(int dx, int dy);

/** Turns the wheel by pixels, which are accumulated into whole clicks. */
void pointer_turn(int dx, int dy);

/** Tells the agent whether the window that has the focus is at a position, which the pointer does not move to. */
void pointer_find_target(unsigned x, unsigned y);

/** Releases the buttons of a user, or of everybody for user 0. */
void pointer_release(uint32_t user);
