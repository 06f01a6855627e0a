/*
 * Encodes pictures of the display helper on a graphics card: a socket is standard input, and the picture is in memory
 * that both share. It is a program of its own so that a driver that hangs or crashes ends nothing else. Ends with the
 * socket. `berth-encoder --try h264_vaapi` says instead whether that encoder works.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "serve.h"
#include "trial.h"

/* The cap on the rate holds in all of them; the first also holds the quality constant below it. */
static const struct candidate candidates[] = {
  { "h264_vaapi", "rc_mode=QVBR:async_depth=1", true, false, false },
  { "h264_vaapi", "rc_mode=VBR:async_depth=1", true, false, false },
  { "h264_vaapi", "rc_mode=CBR:async_depth=1", true, false, false },
  { "h264_vaapi", "rc_mode=QVBR:async_depth=1:low_power=1", true, false, false },
  { "h264_vaapi", "rc_mode=VBR:async_depth=1:low_power=1", true, false, false },
  { "h264_vaapi", "rc_mode=CBR:async_depth=1:low_power=1", true, false, false },
  { "h264_nvenc", "rc=vbr:preset=p3:tune=ull:zerolatency=1:delay=0:forced-idr=1:profile=main", false, true, true },
};

/* The first render node; the container has one. False: none. */
static bool find_device(char *path, size_t size) {
  DIR *entries = opendir("/dev/dri");
  if (!entries) return false;
  bool found = false;
  for (struct dirent *entry; !found && (entry = readdir(entries));) {
    found = strncmp(entry->d_name, "renderD", strlen("renderD")) == 0 &&
            (size_t)snprintf(path, size, "/dev/dri/%s", entry->d_name) < size;
  }
  closedir(entries);
  return found;
}

int main(int argc, char **argv) {
  enum { COUNT = sizeof candidates / sizeof *candidates };
  char device[64];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setenv("LIBVA_MESSAGING_LEVEL", "0", 1);
  choice_listen();
  const char *found = find_device(device, sizeof device) ? device : NULL;
  if (argc == 3 && strcmp(argv[1], "--try") == 0) {
    return trial(candidates, COUNT, argv[2], found, stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  struct choice choice = { .candidates = candidates, .count = COUNT, .device = found };
  serve(&choice, STDIN_FILENO, ENCODER_MEMORY);
  return EXIT_SUCCESS;
}
