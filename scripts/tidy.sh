#!/bin/sh
# clang-tidy 14 with the checks of .clang-tidy over library, programs, benchmark and examples, two files at a time.
# Usage: scripts/tidy.sh BUILD_FOLDER, which has been configured with clang 14
set -eu
commands=$1/tidy
mkdir -p "$commands"
# One command for each file: the kernels are compiled once for each instruction set and need one reading.
python3 - "$1/compile_commands.json" >"$commands/compile_commands.json" <<'PYTHON'
import json, re, sys
entries = {}
for entry in json.load(open(sys.argv[1])):
    if re.search(r"/(src|programs|bench|examples)/[^:]*\.c$", entry["file"]):
        entries.setdefault(entry["file"], entry)
print(json.dumps(list(entries.values())))
PYTHON
run-clang-tidy-14 -p "$commands" -j2 -quiet >"$commands/log.txt" 2>&1 && exit 0
grep -E -A 3 '(error|warning): ' "$commands/log.txt" | head -n 80
echo "clang-tidy: all of it: $commands/log.txt"
exit 1
