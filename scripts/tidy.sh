#!/bin/sh
# clang-tidy, at the version of scripts/pinned.sh, with the checks of .clang-tidy over library, programs, benchmark and examples, two files
# at a time. A file whose preprocessed text, with its comments, has passed before is not read again.
# Usage: scripts/tidy.sh BUILD_FOLDER, which has been configured with clang
set -eu
tidy=$("$(dirname "$0")/pinned.sh" clang-tidy)
exec python3 - "$1" "$tidy" <<'PYTHON'
import concurrent.futures, hashlib, json, os, re, shlex, subprocess, sys, threading

build, tidy = sys.argv[1:]
passed = os.path.join(build, "tidy-passed")
os.makedirs(passed, exist_ok=True)
# One command for each file: the kernels are compiled once for each instruction set and need one reading.
entries = {}
for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
    if re.search(r"/(src|programs|bench|examples)/[^:]*\.c$", entry["file"]):
        entries.setdefault(entry["file"], entry)
version = subprocess.check_output([tidy, "--version"])
rules = open(".clang-tidy", "rb").read()
resources = subprocess.check_output(["clang", "-print-resource-dir"], text=True).strip()  # stddef.h and the like; the wheel has none
done = threading.Lock(), [0, 0]


def words_of(entry):
    """The compile command without its output."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    return [word for word in words[:at] + words[at + 2:] if word != "-c"]


def check(entry):
    words = words_of(entry)
    text = subprocess.run(words + ["-E", "-C"], cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    stamp = os.path.join(passed, hashlib.sha256(b"\0".join([version, rules, " ".join(words).encode(), text])).hexdigest())
    said, again = "", not os.path.exists(stamp)
    if again:
        run = subprocess.run([tidy, "-quiet", entry["file"], "--"] + [word for word in words[1:] if word != entry["file"]] +
                             ["-resource-dir", resources], cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode == 0 and not re.search(r"(warning|error): ", run.stdout):
            open(stamp, "w").close()
        else:
            said = run.stdout or run.stderr
    lock, counts = done
    with lock:
        counts[0] += 1
        counts[1] += again
        if counts[0] % 100 == 0:
            print(f"tidy: file {counts[0]} of {len(entries)}", flush=True)
    return said


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    messages = [said for said in pool.map(check, entries.values()) if said]
log = os.path.join(build, "tidy.txt")
open(log, "w").write("\n".join(messages))
print(f"tidy: {len(entries)} files, {done[1][1]} of them read, {len(messages)} with messages")
if messages:
    print("\n".join("\n".join(messages).split("\n")[:80]))
    sys.exit(f"tidy: all of it: {log}")
PYTHON
