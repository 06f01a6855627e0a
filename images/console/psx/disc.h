/* Changes the disc of a game that has several, as a player does: opens the tray, puts another disc in, closes it. */
#pragma once
#include <stdbool.h>

/* The first functions of libretro's interface for discs, both versions. */
struct disc_control {
  bool (*set_eject_state)(bool);
  bool (*get_eject_state)(void);
  unsigned (*get_image_index)(void);
  bool (*set_image_index)(unsigned);
  unsigned (*get_num_images)(void);
};

/* Frames that the tray stays open: games look at it now and then. */
enum { DISC_OPEN_FRAMES = 60 };

/* The emulator's functions. */
void disc_control(const struct disc_control *control);
/* The disc that is inside, from 0; -1: none. */
int disc_inside(void);
/* Opens the socket on which the agent (src/agent/console/discs.ts) is answered; port 0: any. Returns its descriptor,
 * negative if there is none. */
int disc_listen(int port);
/* A frame has passed: obeys "DISC" and "DISC <number from 1>", which are answered "DISC <number> <discs>"; no disc
 * is number 0. While the BIOS starts the disc that is inside (is_starting), which it would give up without it, another
 * one waits; it is answered for as if it were inside. */
void disc_frame(bool is_starting);
/* Closes the tray at once: before a state is saved or loaded, so that no state has it open. */
void disc_close_tray(void);
/* A state was loaded, with its own disc: the one that waits is not put in any more. */
void disc_forget_wanted(void);
