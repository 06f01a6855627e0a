#include "skip.h"
#include "core.h"
#include "state.h"
#include <stdio.h>
#include <stdlib.h>

bool skip_shell(bool is_pal, int disc, size_t size, bool (*load)(const void *, size_t)) {
  FILE *file = fopen(is_pal ? SHELL_STATES "/pal.state" : SHELL_STATES "/ntsc.state", "rb");
  if (file == NULL) return false;
  /* The end of the state, which is empty, is not in the file. */
  uint8_t *state = calloc(1, size);
  size_t length = state == NULL ? 0 : fread(state, 1, size, file);
  fclose(file);
  uint8_t *selected = length == 0 ? NULL : state_variable(state, length, "CD_SelectedDisc", 4);
  if (selected != NULL) write32(selected, (uint32_t)disc);
  bool is_loaded = selected != NULL && load(state, size);
  free(state);
  return is_loaded;
}
