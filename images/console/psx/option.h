/* The one option that RetroArch does not offer. */
#pragma once
#include "libretro.h"

/* Answers the emulator's question for that option. Whether it was about it. */
bool option_answer(struct variable *asked);
