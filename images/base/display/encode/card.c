#include "encode/card.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

bool card_is_there(const char *folder, const char *nvidia) {
  if (access(nvidia, F_OK) == 0) return true;
  DIR *entries = opendir(folder);
  if (!entries) return false;
  bool found = false;
  for (struct dirent *entry; !found && (entry = readdir(entries));) {
    found = strncmp(entry->d_name, "renderD", strlen("renderD")) == 0;
  }
  closedir(entries);
  return found;
}
