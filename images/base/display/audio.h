#pragma once
#include <stdbool.h>

/** What the programs play, recorded from PulseAudio in a thread of its own while somebody listens. */

/** Starts or stops recording. A lost PulseAudio server is sought again until it is back. */
void audio_stream(bool on);

void audio_stop(void);
