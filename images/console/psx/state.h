/* Variables of the emulator's states, which hold them by name. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* The variable with this name and size in a state; NULL if it has none. */
uint8_t *state_variable(uint8_t *state, size_t size, const char *name, uint32_t bytes);
/* Numbers as states and the console's memory have them. */
uint32_t read32(const uint8_t *bytes);
void write32(uint8_t *bytes, uint32_t value);
