#!/bin/sh
# Builds the images that changed: build.sh base | chromium | console | all. The names begin with $BERTH_IMAGE_PREFIX.
# $BERTH_SNES_CORE and $BERTH_N64_CORE choose emulators, see docs/consoles.md.
set -eu
cd "$(dirname "$0")/.."
export DOCKER_BUILDKIT=0
prefix=${BERTH_IMAGE_PREFIX:-berth}

fail() {
  echo "berth: $1" >&2
  exit 1
}

image_id() {
  docker image inspect --format '{{.Id}}' "$1" 2>/dev/null || true
}

# Options of the build that is made, without blanks in them.
options=

# build NAME DOCKERFILE PARENTS tar-arguments...: skipped where the image was made of the same files, parents and
# options.
build() {
  name=$prefix/$1 dockerfile=$2 parents=$3
  shift 3
  hash=$({
    for parent in $parents; do image_id "$parent"; done
    printf %s "$options"
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c "$@"
  } | sha256sum | cut -d' ' -f1)
  made_of=$(docker image inspect --format '{{index .Config.Labels "berth.made-of"}}' "$name" 2>/dev/null || true)
  if [ "$made_of" = "$hash" ]; then
    echo "berth: image $name is up to date"
    return
  fi
  echo "berth: building image $name ..."
  log=$(mktemp)
  if tar -c "$@" | docker build --force-rm --file "$dockerfile" --label "berth.made-of=$hash" --tag "$name" \
    --build-arg "PREFIX=$prefix" $options - >"$log" 2>&1; then
    rm -f "$log"
  else
    tail -n 30 "$log" >&2
    rm -f "$log"
    fail "image $name could not be built, see above."
  fi
}

build_base() {
  if [ -z "$(image_id debian:trixie-slim)" ]; then
    echo 'berth: pulling debian:trixie-slim ...'
    docker pull -q debian:trixie-slim >/dev/null 2>&1 || sh images/base/bootstrap.sh
  fi
  build base Dockerfile debian:trixie-slim -C images/base Dockerfile apt-sources dpkg-excludes
  build display Dockerfile debian:trixie-slim -C images/base/display .
}

build_chromium() {
  [ -f dist/agent/main.mjs ] || fail 'dist/agent/main.mjs is missing: run "npm run build" first.'
  build chromium chromium/Dockerfile "$prefix/base $prefix/display" \
    -C "$PWD/images" chromium/Dockerfile base/etc -C "$PWD/dist" agent/extensions agent/main.mjs
}

# A core that is a file goes along as n64-core.
build_console() {
  [ -f dist/agent/main.mjs ] || fail 'dist/agent/main.mjs is missing: run "npm run build" first.'
  snes_core=${BERTH_SNES_CORE:-} n64_core=${BERTH_N64_CORE:-}
  case $snes_core$n64_core in
    *[[:space:]]*) fail 'BERTH_SNES_CORE and BERTH_N64_CORE must not hold blanks.' ;;
  esac
  options="${snes_core:+--build-arg SNES_CORE=$snes_core} ${n64_core:+--build-arg N64_CORE=$n64_core}"
  set -- -C "$PWD/images" console base/etc -C "$PWD/dist" agent/main.mjs
  case $n64_core in
    '' | http://* | https://*) ;;
    *)
      [ -f "$n64_core" ] || fail "BERTH_N64_CORE must be an address or a file, but \"$n64_core\" is neither."
      folder=$(mktemp -d)
      trap 'rm -rf "$folder"' EXIT
      cp "$n64_core" "$folder/n64-core"
      set -- "$@" -C "$folder" n64-core
      ;;
  esac
  build console console/Dockerfile "$prefix/base $prefix/display" "$@"
}

docker info >/dev/null 2>&1 || fail 'no container engine answers: start Docker, or run "make up", which sees to it.'
case ${1:-} in
  base) build_base ;;
  chromium) build_chromium ;;
  console) build_console ;;
  all)
    build_base
    build_chromium
    build_console
    ;;
  *) fail 'usage: images/build.sh base | chromium | console | all' ;;
esac
