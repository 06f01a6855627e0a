/* An input plugin of mupen64plus that takes pads and commands as datagrams, in the form that RetroArch uses, so that
 * one sender serves both. All ports are on the loopback interface only. */
#ifndef NETPAD_H
#define NETPAD_H

#include <stdint.h>
#include "m64p_types.h"
#include "m64p_plugin.h"

enum { PLAYERS = 4, PAD_PORT = 55400, COMMAND_PORT = 55355 };

typedef m64p_error (*do_command_fn)(m64p_command, int, void *);

/* Opens a datagram socket on a port; -1, with a message, where it is taken. */
int udp_listen(int port);

/* Takes one datagram of a player's pad. */
void pad_receive(int socket, int player);
/* Writes the state of a player's pad. */
void pad_read(int player, BUTTONS *keys);

/* Takes one command and carries it out. */
void command_receive(int socket, do_command_fn do_command);

/* Holds up the emulator while the game is paused: the core's own pause shows an empty picture. */
void command_wait_while_paused(void);

#endif
