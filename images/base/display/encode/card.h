#pragma once
#include <stdbool.h>

/** Whether the container has been given a graphics card: a render node in a folder, or NVIDIA's devices. */
bool card_is_there(const char *folder, const char *nvidia);
