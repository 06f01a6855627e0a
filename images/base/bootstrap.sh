#!/bin/sh
# Makes debian:trixie-slim out of Debian's packages, where it can be neither found nor pulled.
set -eu

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if ! command -v debootstrap >/dev/null; then
  echo 'berth: installing debootstrap ...'
  as_root apt-get update -q >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q debootstrap >/dev/null
fi

folder=$(mktemp -d)
trap 'as_root rm -rf "$folder"' EXIT
echo 'berth: making debian:trixie-slim with debootstrap ...'
as_root debootstrap --variant=minbase trixie "$folder/root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$folder/log" 2>&1 || {
  tail -n 5 "$folder/log" >&2
  echo 'berth: debootstrap failed; see above, and check that the Debian mirror can be reached.' >&2
  exit 1
}
as_root tar -C "$folder/root" -c \
  --exclude=./var/cache/apt/archives/*.deb --exclude=./var/lib/apt/lists/* --exclude=./var/log/* \
  --exclude=./usr/share/doc/*/changelog* --exclude=./usr/share/man/* --exclude=./usr/share/info/* \
  --exclude=./usr/share/locale/* --exclude=./usr/share/i18n/* . |
  docker import --change 'CMD ["bash"]' - debian:trixie-slim >/dev/null
