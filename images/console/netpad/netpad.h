/* An input plugin for mupen64plus that receives pads and commands as datagrams in RetroArch's format, so that one
 * sender serves both. All ports are on the loopback interface only. */
#ifndef NETPAD_H
#define NETPAD_H

#include <stdint.h>
#include "m64p_types.h"
#include "m64p_plugin.h"

enum { PLAYERS = 4, PAD_PORT = 55400, COMMAND_PORT = 55355 };

typedef m64p_error (*do_command_fn)(m64p_command, int, void *);

/* Opens a datagram socket on a port; -1, with a message, if it is in use. */
int udp_listen(int port);

/* Receives one datagram of a player's pad. */
void pad_receive(int socket, int player);
/* Writes the state of a player's pad. */
void pad_read(int player, BUTTONS *keys);

/* Receives one command and executes it. */
void command_receive(int socket, do_command_fn do_command);

/* Blocks the emulator while the game is paused: the core's own pause shows an empty picture. */
void command_wait_while_paused(void);

#endif
