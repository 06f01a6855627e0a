#!/bin/sh
# Prints the line coverage of each source file by all suites together, and the files without a suite: coverage.sh BUILD
# IMAGES SUITE... Writes lcov.info to BUILD, for other tools.
set -eu
build=$1 images=$2
shift 2
for suite in "$@"; do
  mkdir -p "$build/$suite.gcov"
  (cd "$build/$suite.gcov" && gcov "$build/$suite.o/"*.gcda) >"$build/gcov.log" 2>&1
done
cat "$build"/*.gcov/*.gcov | awk -F: -v images="$images/" -v tracefile="$build/lcov.info" '
  { count = $1; line = $2 + 0; gsub(/[ *]/, "", count) }
  line == 0 && $3 == "Source" { file = $4; wanted = index(file, images) == 1 && file ~ /\.c$/ }
  line == 0 || !wanted || count == "-" { next }
  {
    if (!((file, line) in counts)) { counts[file, line] = 0; lines[file] = lines[file] " " line }
    counts[file, line] += count + 0
  }
  END {
    sort = "sort"
    for (file in lines) {
      total = split(lines[file], numbers, " ")
      reached = 0
      print "SF:" file >tracefile
      for (i = 1; i <= total; i++) {
        count = counts[file, numbers[i]]
        if (count > 0) reached++
        print "DA:" numbers[i] "," count >tracefile
      }
      print "end_of_record" >tracefile
      printf "%-38s %4d of %4d lines %4d %%\n", substr(file, length(images) + 1), reached, total, 100 * reached / total | sort
      all += total
      all_reached += reached
    }
    close(sort)
    printf "%-38s %4d of %4d lines %4d %%\n", "together", all_reached, all, 100 * all_reached / all
  }'
for file in "$images"/base/display/*.c "$images"/base/display/*/*.c "$images"/console/netpad/*.c; do
  name=${file#"$images"/}
  grep -q "^SF:$file$" "$build/lcov.info" || printf '%-38s no suite\n' "$name"
done
