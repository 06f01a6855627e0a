#include "encode/card.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"

static void make(const char *path) {
  int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  EXPECT(file >= 0);
  close(file);
}

TEST(a_card_is_a_render_node_or_a_device_of_nvidia) {
  char folder[] = "/tmp/berth-test-XXXXXX", card[64], node[64], nvidia[64];
  EXPECT(mkdtemp(folder) != NULL);
  snprintf(card, sizeof card, "%s/card0", folder);
  snprintf(node, sizeof node, "%s/renderD129", folder);
  snprintf(nvidia, sizeof nvidia, "%s/nvidiactl", folder);
  EXPECT(!card_is_there("/tmp/berth-test-nowhere", nvidia));
  EXPECT(!card_is_there(folder, nvidia));
  make(card);
  EXPECT(!card_is_there(folder, nvidia));
  make(node);
  EXPECT(card_is_there(folder, nvidia));
  unlink(node);
  make(nvidia);
  EXPECT(card_is_there("/tmp/berth-test-nowhere", nvidia));
  unlink(card);
  unlink(nvidia);
  rmdir(folder);
}
