#!/bin/sh
# Builds the images that changed, or whose packages are too old: build.sh, and one or more of base, chromium, console,
# service, android-device, android and all; build.sh status says how old they are. From the environment:
#   PUSH                       registry and prefix, registry.example.com/berth: what is built is put there, too
#   BERTH_IMAGE_PREFIX         begins the images' names
#   BERTH_IMAGE_MAX_AGE_DAYS   age in days at which packages are fetched again; REFRESH=1: now
#   BERTH_BASE_DIGEST          digest of debian:trixie-slim, sha256:..., if it is pulled
#   NODE_EXTRA_CA_CERTS        file of certificates that npm trusts as well, where something stands before its registry
#   BERTH_GPU                  unless it is off, Chromium's image includes GPU drivers and an encoder that uses them
#   DOCKER_BUILDKIT           0: the legacy builder, even if the Docker client has BuildKit (docker buildx)
#   BERTH_ANDROID_DEVICES     adb: all includes the image for devices of a pool
#   BERTH_SCRCPY_SERVER       file or address of the scrcpy server 3.3.3 instead of an npm package, for Android's images
#   ACCEPT_ANDROID_LICENSE    yes: Google's licences, which android needs
#   BERTH_ANDROID_API_LEVEL, BERTH_ANDROID_SYSTEM_IMAGE, BERTH_ANDROID_SDK   system image, and the archive it comes from
#   BERTH_SNES_CORE, BERTH_N64_CORE, BERTH_N64_CORE_SHA256   emulators, see docs/how-to/consoles.md
set -eu
cd "$(dirname "$0")/.."
prefix=${BERTH_IMAGE_PREFIX:-berth}
. images/lib/image.sh
. images/lib/builder.sh
. images/lib/push.sh
. images/lib/scrcpy-server.sh
. images/lib/status.sh

# Build options, none of which contains blanks.
options=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The agent's files in dist, names without blanks.
agent='agent/load.cjs agent/main.cjs'

has_agent() {
  [ -f dist/agent/main.cjs ] || fail 'dist/agent/main.cjs is missing: run "npm run build" first.'
}

# The engine has the image that all others are made from; a builder for several architectures pulls it itself.
has_debian() {
  if [ -z "$push_builder" ] && [ -z "$(image_id debian:trixie-slim)" ]; then sh images/base/obtain.sh; fi
}

build_base() {
  has_debian
  options=${DEBIAN_SECURITY_MIRROR:+--build-arg SECURITY_MIRROR=$DEBIAN_SECURITY_MIRROR}
  build base Dockerfile debian:trixie-slim '' -C images/base Dockerfile apt-sources dpkg-excludes
  options=
  build display display/Dockerfile debian:trixie-slim '' -C "$PWD/images/base" display listen blank-screen
}

build_chromium() {
  has_agent
  helper=display
  case ${BERTH_GPU:-off} in
    off) ;;
    *)
      build encoder encoder/Dockerfile "debian:trixie-slim $prefix/display" '' \
        -C "$PWD/images" encoder base/display/encode/encoder-wire.h
      helper=encoder
      options='--build-arg GPU=1 --build-arg HELPER=encoder'
      ;;
  esac
  # shellcheck disable=SC2086 # several files
  build chromium chromium/Dockerfile "$prefix/base $prefix/$helper" chromium \
    -C "$PWD/images" chromium/Dockerfile base/etc -C "$PWD/dist" agent/extensions $agent
  options=
}

build_service() {
  [ -f dist/server.js ] || fail 'dist/server.js is missing: run "npm run build" first.'
  has_debian
  options=${DEBIAN_SECURITY_MIRROR:+--build-arg SECURITY_MIRROR=$DEBIAN_SECURITY_MIRROR}
  folder=$(mktemp -d "$scratch/XXXXXX")
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cat "$NODE_EXTRA_CA_CERTS" >"$folder/extra-ca.crt"
  set -- -C "$folder" .
  build service service/Dockerfile debian:trixie-slim nodejs -C "$PWD/images" service/Dockerfile seccomp.json \
    -C "$PWD/images/base" apt-sources -C "$PWD" package.json package-lock.json \
    dist/server.js dist/server.js.map dist/extension-worker.js dist/chunks dist/web "$@"
  options=
}

# A core given as a file is added to the context as n64-core.
build_console() {
  has_agent
  snes_core=${BERTH_SNES_CORE:-} n64_core=${BERTH_N64_CORE:-} checksum=${BERTH_N64_CORE_SHA256:-}
  case $snes_core$n64_core$checksum in
    *[[:space:]]*) fail 'BERTH_SNES_CORE, BERTH_N64_CORE and BERTH_N64_CORE_SHA256 must not hold blanks.' ;;
  esac
  # shellcheck disable=SC2086 # several files
  set -- -C "$PWD/images" console base/etc -C "$PWD/dist" discs $agent
  case $n64_core in
    '') ;;
    http://* | https://*)
      [ -n "$checksum" ] || fail 'BERTH_N64_CORE_SHA256 must hold the SHA-256 of the file at the address BERTH_N64_CORE.'
      ;;
    *)
      [ -f "$n64_core" ] || fail "BERTH_N64_CORE must be an address or a file, but \"$n64_core\" is neither."
      folder=$(mktemp -d "$scratch/XXXXXX")
      cp "$n64_core" "$folder/n64-core"
      set -- "$@" -C "$folder" n64-core
      ;;
  esac
  options="${snes_core:+--build-arg SNES_CORE=$snes_core} ${n64_core:+--build-arg N64_CORE=$n64_core}"
  options="$options ${checksum:+--build-arg N64_CORE_SHA256=$checksum}"
  build console console/Dockerfile "$prefix/base $prefix/display" retroarch "$@"
}

build_android_device() {
  has_agent
  folder=$(mktemp -d "$scratch/XXXXXX")
  scrcpy_server "$folder"
  options="--build-arg SCRCPY_SHA256=$scrcpy_sha256 ${DEBIAN_SECURITY_MIRROR:+--build-arg SECURITY_MIRROR=$DEBIAN_SECURITY_MIRROR}"
  # shellcheck disable=SC2086 # several files
  build android-device android-device/Dockerfile debian:trixie-slim '' \
    -C "$PWD/images" android-device base/etc base/apt-sources -C "$PWD/dist" $agent -C "$folder" scrcpy-server
  options=
}

accept_android_license() {
  [ "${ACCEPT_ANDROID_LICENSE:-}" = yes ] ||
    fail "the image holds Google's Android emulator and a system image: if you accept the licences at https://developer.android.com/studio/terms, set ACCEPT_ANDROID_LICENSE=yes."
}

build_android() {
  level=${BERTH_ANDROID_API_LEVEL:-34} image=${BERTH_ANDROID_SYSTEM_IMAGE:-google_apis_playstore} sdk=${BERTH_ANDROID_SDK:-}
  case $level in '' | *[!0-9]*) fail "BERTH_ANDROID_API_LEVEL must be a number like 34, but is \"$level\"." ;; esac
  case $image in '' | *[!a-z0-9_]*) fail "BERTH_ANDROID_SYSTEM_IMAGE must be a name like google_apis, but is \"$image\"." ;; esac
  case $sdk in *[[:space:]]*) fail 'BERTH_ANDROID_SDK must not hold blanks.' ;; esac
  build_android_device
  options="--build-arg ACCEPT_ANDROID_LICENSE=yes --build-arg API_LEVEL=$level --build-arg SYSTEM_IMAGE=$image"
  options="$options ${sdk:+--build-arg SDK=$sdk}"
  build android android/Dockerfile "$prefix/android-device" '' -C "$PWD/images" android
  options=
}

case " $* " in *' android '*) accept_android_license ;; esac
docker info >/dev/null 2>&1 || fail 'no container engine answers: start Docker, or run "make up", which sees to it.'
choose_builder
[ -z "${PUSH:-}" ] || choose_push "$PUSH"
packages_of=$(wanted_packages)
[ $# -gt 0 ] || set -- ''
for wanted in "$@"; do
  case $wanted in
    base) build_base ;;
    chromium) build_chromium ;;
    console) build_console ;;
    service) build_service ;;
    android-device) build_android_device ;;
    android) build_android ;;
    all)
      build_base
      build_chromium
      build_console
      [ "${BERTH_ANDROID_DEVICES:-}" != adb ] || build_android_device
      ;;
    status)
      status chromium
      status console
      ;;
    *) fail 'usage: images/build.sh base | chromium | console | service | android-device | android | all | status ...' ;;
  esac
done
