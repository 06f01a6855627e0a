/* The current task of the n64's signal processor (RSP). */
#ifndef TASK_H
#define TASK_H

#include <stdbool.h>
#include <stdint.h>

enum task { TASK_OTHER, TASK_USUAL };

/* Whether the task in DMEM belongs to one of the usual libraries, which its microcode identifies; its boot program must
 * be in IMEM. Memories are words of 32 bits in the host's byte order. */
enum task task_of(const uint8_t *dmem, const uint8_t *imem, const uint8_t *memory, uint32_t memory_size);

/* Whether DMEM says that its task is one of graphics, whatever its microcode. */
bool task_is_graphics(const uint8_t *dmem);

#endif
