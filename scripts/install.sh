#!/bin/bash
# Installs the npm dependencies when they differ from package-lock.json. Safe to repeat.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/check-node.sh
if node scripts/installed.mjs; then exit 0; fi

install() { npm ci --no-audit --no-fund; }

echo 'berth: installing npm dependencies ...'
if install; then exit 0; fi
if command -v g++ >/dev/null && command -v make >/dev/null && command -v python3 >/dev/null; then
  echo 'berth: npm ci failed, see above; check the network and the npm registry setting, then repeat.' >&2
  exit 1
fi
# sqlite3 is compiled where its prebuilt binary cannot be downloaded.
echo 'berth: trying again with a C++ compiler ...'
. scripts/lib/packages.sh
packages g++ make python3
install || {
  echo 'berth: npm ci failed, see above; check the network and the npm registry setting, then repeat.' >&2
  exit 1
}
