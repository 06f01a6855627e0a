#!/bin/sh
# Checks all shell scripts with shellcheck, if installed: files that end in .sh, and those without a suffix but with a
# shell's shebang.
set -eu
cd "$(dirname "$0")/.."
if ! command -v shellcheck >/dev/null; then
  echo 'berth: skipped the shell scripts: shellcheck is not installed (apt-get install shellcheck).' >&2
  exit
fi
# Sourced scripts are named relative to the project, or to the script that sources them.
{
  git ls-files '*.sh'
  git ls-files | grep -E '(^|/)[^./]+$' | xargs grep -lE '^#!/bin/(ba)?sh'
} | xargs shellcheck --external-sources --source-path=SCRIPTDIR:.
