/* The plugin that draws the lists of the usual microcodes with OpenGL. It is loaded when the first one comes. */
#ifndef HLE_H
#define HLE_H

#include <m64p_plugin.h>
#include <m64p_types.h>
#include <stdbool.h>

/* What it will be started with. */
void hle_prepare(m64p_dynlib_handle core, const GFX_INFO *info);
/* Whether it draws. */
bool hle_is_on(void);
/* Starts it where it does not run; whether it does then. */
bool hle_start(void);
/* Ends it. */
void hle_stop(void);
/* To be called before each of its functions: hands it addresses as the hardware reads them. */
void hle_mask(void);
/* One of its functions; NULL where it has none of that name. */
void *hle_function(const char *name);

#endif
