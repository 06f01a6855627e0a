#include "option.h"
#include <string.h>

/* While its GPU is busy the emulator drops commands that overflow the queue, where real hardware stalls the CPU. So the
 * GPU must never be busy, which takes more than the highest official value of this option, 32x. */
bool option_answer(struct variable *asked) {
  if (asked == NULL || asked->key == NULL || strcmp(asked->key, "beetle_psx_gpu_overclock") != 0) return false;
  asked->value = "32768x";
  return true;
}
