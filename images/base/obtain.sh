#!/bin/sh
# obtain.sh [SUITE]: obtains debian:trixie-slim, or that of another suite: pulls it, by the digest $BERTH_BASE_DIGEST if
# set, or else builds it from Debian's packages, whose signatures are checked against Debian's own keys.
set -eu
suite=${1:-trixie}
image=debian:$suite-slim
digest=${BERTH_BASE_DIGEST:-}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

fail() {
  echo "berth: $1" >&2
  exit 1
}

pull() {
  wanted=$image
  if [ -n "$digest" ]; then wanted=debian@$digest; fi
  docker pull -q "$wanted" >/dev/null 2>&1 || return 1
  if [ -n "$digest" ]; then docker tag "$wanted" "$image"; fi
  docker image inspect --format 'berth: pulled {{index .RepoDigests 0}}' "$image"
}

# On hosts other than Debian, debootstrap may lack Debian's keys, and would continue without them.
prepare() {
  set --
  command -v debootstrap >/dev/null || set -- debootstrap
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || set -- "$@" debian-archive-keyring
  [ $# -gt 0 ] || return 0
  echo "berth: installing $* ..."
  as_root apt-get update -q >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@" >/dev/null
}

bootstrap() {
  prepare
  folder=$(mktemp -d)
  trap 'as_root rm -rf "$folder"' EXIT
  echo "berth: building $image with debootstrap ..."
  as_root debootstrap --variant=minbase --force-check-gpg --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    "$suite" "$folder/root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$folder/log" 2>&1 || {
    tail -n 5 "$folder/log" >&2
    fail 'debootstrap failed; see above, and check that the Debian mirror can be reached.'
  }
  as_root tar -C "$folder/root" -c \
    --exclude=./var/cache/apt/archives/*.deb --exclude=./var/lib/apt/lists/* --exclude=./var/log/* \
    --exclude=./usr/share/doc/*/changelog* --exclude=./usr/share/man/* --exclude=./usr/share/info/* \
    --exclude=./usr/share/locale/* --exclude=./usr/share/i18n/* . |
    docker import --change 'CMD ["bash"]' - "$image" >/dev/null
}

case $digest in
  '' | sha256:*) ;;
  *) fail "BERTH_BASE_DIGEST must begin with sha256:, but is \"$digest\"." ;;
esac
echo "berth: pulling $image ..."
pull || {
  [ -z "$digest" ] || fail "debian@$digest could not be pulled; check BERTH_BASE_DIGEST and the network."
  bootstrap
}
