# Functions for building images, sourced by build.sh. They use $prefix, $options and $packages_of.
# shellcheck shell=sh disable=SC2154

fail() {
  echo "berth: $1" >&2
  exit 1
}

# label IMAGE NAME
label() {
  docker image inspect --format "{{index .Config.Labels \"$2\"}}" "$1" 2>/dev/null || true
}

image_id() {
  docker image inspect --format '{{.Id}}' "$1" 2>/dev/null || true
}

days_since() { # a time
  echo $((($(date +%s) - $(date -d "$1" +%s)) / 86400))
}

# When the images' packages are to be fetched: at the date of the newest image on the engine, or now if that is more
# than $BERTH_IMAGE_MAX_AGE_DAYS ago or $REFRESH is set. Images with the same date share Docker's cache.
wanted_packages() {
  days=${BERTH_IMAGE_MAX_AGE_DAYS:-7}
  case $days in '' | 0 | *[!0-9]*) fail "BERTH_IMAGE_MAX_AGE_DAYS must be a whole number from 1, but is \"$days\"." ;; esac
  now=$(date -u +%Y-%m-%dT%H:%MZ)
  newest=$(docker images --quiet --filter label=berth.packages-of | sort -u |
    xargs -r docker image inspect --format '{{index .Config.Labels "berth.packages-of"}}' 2>/dev/null |
    sort -u | awk -v now="$now" '$0 <= now' | tail -n 1)
  if [ -n "$newest" ] && [ -z "${REFRESH:-}" ] && [ "$(days_since "$newest")" -lt "$days" ]; then
    echo "$newest"
  else
    echo "$now"
  fi
}

# build NAME DOCKERFILE PARENTS PROGRAM tar-arguments...: builds an image unless it exists with the same files, parents,
# options and packages. It is tagged `latest` and by version and content, and its labels describe PROGRAM, the package
# it exists for. If only newer packages are wanted and cannot be fetched, the image stays as it is.
build() {
  if [ -n "$push_builder" ]; then
    wanted=$1 dockerfile=$2
    shift 4
    build_for_all "$wanted" "$dockerfile" "$@"
    return
  fi
  build_here "$@"
  [ -z "$push" ] || push_image "$1"
}

# build_here NAME DOCKERFILE PARENTS PROGRAM tar-arguments...: builds it on the engine.
build_here() {
  name=$prefix/$1 dockerfile=$2 parents=$3 program=$4
  shift 4
  files=$({
    printf '%s %s' "$options" "$program"
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c "$@"
  } | sha256sum | cut -d' ' -f1)
  made_of=$({
    echo "$files $packages_of"
    for parent in $parents; do image_id "$parent"; done
  } | sha256sum | cut -d' ' -f1)
  if [ "$(label "$name" berth.made-of)" = "$made_of" ]; then
    echo "berth: image $name is up to date"
    return
  fi
  echo "berth: building image $name ..."
  log=$(mktemp)
  # shellcheck disable=SC2086 # $options are several, without blanks in them
  if tar -c "$@" | docker build --force-rm --file "$dockerfile" --tag "$name:unlabelled" \
    --build-arg "PREFIX=$prefix" --build-arg "PACKAGES_OF=$packages_of" $options - >"$log" 2>&1; then
    name_image "$name" "$program" >"$log" 2>&1 || {
      cat "$log" >&2
      fail "image $name was built but could not be tagged, see above."
    }
    rm -f "$log"
    return
  fi
  tail -n 30 "$log" >&2
  rm -f "$log"
  [ "$(label "$name" berth.files)" = "$files" ] || fail "image $name could not be built, see above."
  echo "berth: newer packages could not be fetched, see above; image $name stays as it is." >&2
  packages_of=$(label "$name" berth.packages-of)
}

# Labels and tags what was built, and removes older images.
name_image() { # name, program
  versioned=$1:$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)-$(echo "$made_of" | cut -c1-12)
  installed=
  if [ -n "$2" ]; then
    installed=$(docker run --rm --network none --entrypoint dpkg-query "$1:unlabelled" -W -f '${Package} ${Version}' "$2") ||
      return
  fi
  echo "FROM $1:unlabelled" | docker build --quiet --force-rm --tag "$versioned" --tag "$1:latest" \
    --label "berth.made-of=$made_of" --label "berth.files=$files" --label "berth.packages-of=$packages_of" \
    --label "berth.program=$installed" - || return
  docker rmi "$1:unlabelled"
  # The previous one is kept for rollback; running sessions keep theirs in any case.
  docker images --format '{{.Repository}}:{{.Tag}}' "$1" | grep -Fvx -e "$1:latest" -e "$versioned" -e "$1:<none>" |
    tail -n +2 | while read -r old; do docker rmi "$old" || true; done
}
