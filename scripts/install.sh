#!/bin/bash
# Installs the npm dependencies when they differ from package-lock.json. Safe to repeat.
# --no-packages: installs no system packages, and so needs no root.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
scripts/check-node.sh
if [ "${1:-}" = --no-packages ]; then
  packages() {
    echo "berth: some of these packages are missing: $*; install them and repeat." >&2
    return 1
  }
fi
if node scripts/installed.mjs; then exit 0; fi

install() { npm ci --no-audit --no-fund --loglevel=error; }

# sqlite3 is compiled if its prebuilt binary cannot be downloaded.
prepare_compiler() {
  local prefix missing=()
  for tool in g++ make python3; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  # Debian's Node.js has its headers in a separate package.
  if [ ! -e "$prefix/include/node/node_api.h" ] && dpkg -s nodejs >/dev/null 2>&1; then missing+=(libnode-dev); fi
  if [ ${#missing[@]} -gt 0 ]; then packages "${missing[@]}"; fi
  if [ -e "$prefix/include/node/node_api.h" ]; then export npm_config_nodedir=$prefix; fi
}

echo 'berth: installing npm dependencies ...'
if install; then exit 0; fi
echo 'berth: trying again with a C++ compiler ...'
prepare_compiler
install && exit 0
echo 'berth: npm ci failed, see above; check the network and the npm registry setting, then repeat.' >&2
exit 1
