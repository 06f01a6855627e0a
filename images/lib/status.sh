# Reports the age of images; sourced by build.sh.
# shellcheck shell=sh disable=SC2154

# status NAME: the image's version of the program it exists for, and the version in Debian's archive.
status() {
  name=$prefix/$1
  program=$(label "$name" berth.program)
  if [ -z "$program" ]; then
    echo "berth: image $name is not built"
    return
  fi
  packages=$(label "$name" berth.packages-of)
  newest=$(docker run --rm --user 0 --entrypoint sh "$name" -c '
    apt-get update -o APT::Update::Error-Mode=any >/dev/null 2>&1 || exit 0
    apt-cache policy "$1" | sed -n "s/ *Candidate: //p"' sh "${program%% *}")
  case $newest in
    '') archive='the archive does not answer' ;;
    "${program#* }") archive='the archive has no newer one' ;;
    *) archive="the archive has $newest: REFRESH=1 make images" ;;
  esac
  echo "berth: image $name has $program, packages of $packages, $(days_since "$packages") days old; $archive"
}
