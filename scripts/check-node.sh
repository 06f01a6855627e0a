#!/bin/bash
# Exits with a one-sentence error unless Berth supports this version of Node.js and this machine.
set -euo pipefail

fail() {
  echo "berth: $1" >&2
  exit 1
}

[ "$(uname -s)" = Linux ] || fail "Berth runs on Linux; this is $(uname -s). Use a Debian or Ubuntu machine."
case "$(uname -m)" in
  x86_64 | aarch64) ;;
  *) fail "there are no images for $(uname -m); use an x86_64 or aarch64 machine." ;;
esac
command -v node >/dev/null || fail "Node.js is missing; install version 20 or newer (https://nodejs.org) and repeat."
command -v npm >/dev/null || fail "npm is missing; install it (Debian: apt-get install npm) and repeat."
version=$(node -p 'process.versions.node')
[ "${version%%.*}" -ge 20 ] || fail "Node.js $version is too old; install version 20 or newer and repeat."
