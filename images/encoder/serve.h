#pragma once
#include "choice.h"

/** Answers requests from a socket, about pictures in a shared memory, until the socket is closed. */
void serve(struct choice *choice, int socket, int memory);
