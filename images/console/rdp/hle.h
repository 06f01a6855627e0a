/* The plugin that draws lists of the usual microcodes with OpenGL. It is loaded for the first one. */
#ifndef HLE_H
#define HLE_H

#include <m64p_plugin.h>
#include <m64p_types.h>
#include <stdbool.h>

/* Stores the arguments of its start. */
void hle_prepare(m64p_dynlib_handle core, const GFX_INFO *info);
/* Whether it is running. */
bool hle_is_on(void);
/* Starts it if it is not running; returns whether it is running. */
bool hle_start(void);
/* Ends it. */
void hle_stop(void);
/* Must be called before each of its functions: passes it addresses as the hardware reads them. */
void hle_mask(void);
/* One of its functions; NULL if it has none with that name. */
void *hle_function(const char *name);

#endif
