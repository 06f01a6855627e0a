#pragma once
#include <stdbool.h>

/** Audio of the programs, recorded from PulseAudio in its own thread while somebody listens. */

/** Starts or stops recording. Reconnects to a lost PulseAudio server. */
void audio_stream(bool on);

void audio_stop(void);
