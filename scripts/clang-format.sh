#!/bin/sh
# Runs clang-format, if installed, on all of our C: clang-format.sh --dry-run -Werror checks it, clang-format.sh -i
# formats it. The styles are in .clang-format; versions 14 and 19, those of Debian 12 and 13, agree on this code.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null; then
  echo 'berth: skipped the C sources: clang-format is not installed (apt-get install clang-format).' >&2
  exit
fi
git ls-files -z '*.c' '*.h' | xargs -0 clang-format "$@"
