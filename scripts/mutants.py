#!/usr/bin/env python3
"""Mutation check: breaks one place of the kernels at a time and says which breaks no test notices.

    scripts/mutants.py build FOLDER [--each N] [--seed S] [--jobs N]   copies the tree, wraps places, builds the tests once
    scripts/mutants.py run FOLDER --out FILE.csv [--jobs N] [--first I --count N] [--again]   runs the tests for each mutant
    scripts/mutants.py report FILE.csv... [--reasons FILE]   rates and survivors as Markdown
    scripts/mutants.py pack FOLDER FILE.tar.xz [--data FOLDER]   what `run` needs, for another machine with Python alone

The mutant is chosen by the environment variable RASTERWAVE_MUTANT. `run` first runs every test unbroken and keeps which
places it reaches; a mutant is then run by the tests that reach it, quickest first, until one fails or takes five times its
time. A second `run` with the same FILE.csv continues where the first ended, and with --again, after new tests or without
RASTERWAVE_QUICK, runs the survivors once more. Places and how they are wrapped: mutant_sites.py.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutant_sites  # noqa: E402

# Group: folders whose kernels are in it. rt has no kernels, its mathematics is plain C.
GROUPS = {
    "field": ["src/field"],
    "visibility": ["src/visibility", "src/discretise"],
    "shadow": ["src/models/shadow", "src/mechanisms/rooftop"],
    "beams": ["src/models/beams"],
    "cubes": ["src/models/cubes"],
    "images": ["src/models/images"],
    "rays": ["src/models/rays"],
    "sbr": ["src/models/sbr"],
    "tiles": ["src/models/tiles"],
    "rt": ["src/models/rt"],
}
PLAIN_C = ["src/models/rt"]
# Tests of signals and of failing allocations do not ask whether a result is right, and look in places of their own.
NOT_RUN = {"test_allocation_failure", "test_kill", "test_memory", "test_memory_limits"}
COLUMNS = ["key", "group", "file", "line", "kind", "mark", "source", "outcome", "test", "seconds"]
MEMORY_MAX = 12 << 30
FILE_MAX = 2 << 30

HEADER = """/* Chooses one broken place at run time; made by scripts/mutants.py. */
#ifndef RW_BASE_MUTANT_H
#define RW_BASE_MUTANT_H
extern unsigned char rw_mutant_state[];
int rw_mutant_meet(int number);
#define RW_MUTANT_ON(number) (rw_mutant_state[number] && rw_mutant_meet(number))
#define RW_MUTANT_SIGN(number) (RW_MUTANT_ON(number) ? -1 : 1)
#define RW_MUTANT_NUMBER(number, x) (RW_MUTANT_ON(number) ? ((x) == 0 ? 1 : 2 * (x)) : (x))
#endif
"""

# A place costs one load while nothing is asked of it. Asked which places are reached, each is told of once.
SOURCE = """#include "base/mutant.h"
#include <stdio.h>
#include <stdlib.h>
enum { COUNT = %d };
unsigned char rw_mutant_state[COUNT + 1];
static unsigned char reached[COUNT + 1];
int rw_mutant_meet(int number)
{
    if (rw_mutant_state[number] == 1)
        return 1;
    reached[number] = 1;
    rw_mutant_state[number] = 0;
    return 0;
}
__attribute__((constructor)) static void choose(void)
{
    const char *chosen = getenv("RASTERWAVE_MUTANT");
    if (chosen && atoi(chosen) >= 0 && atoi(chosen) < COUNT)
        rw_mutant_state[atoi(chosen)] = 1;
    if (getenv("RASTERWAVE_MUTANT_REACHED"))
        for (int i = 0; i < COUNT; i++)
            rw_mutant_state[i] = 2;
}
__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("RASTERWAVE_MUTANT_REACHED");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < COUNT; i++)
        if (reached[i])
            fprintf(file, "%%d\\n", i);
    if (file)
        fclose(file);
}
"""

# ---- build


def list_files(source):
    """Names of the files under version control, or of all of them where there is none."""
    if os.path.exists(os.path.join(source, ".git")):
        return sorted(filter(None, subprocess.check_output(["git", "-C", source, "ls-files", "-z"], text=True).split("\0")))
    return sorted(os.path.relpath(os.path.join(where, name), source) for where, _, names in os.walk(source) for name in names)


def group_of(path):
    """The group of a source that is broken, or None."""
    for group, folders in GROUPS.items():
        for folder in folders:
            if path.startswith(folder + "/") and path.endswith(".c" if folder in PLAIN_C else ".k.h"):
                return group
    return None


def write_if_new(path, data):
    """Writes a file only where it changes: what did not change is not built again."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    with open(path, "wb") as file:
        file.write(data)


def copy_tree(source, tree, names):
    for name in names:
        with open(os.path.join(source, name), "rb") as file:
            data = file.read()
        write_if_new(os.path.join(tree, name), share_library(data) if name == "cmake/library.cmake" else data)
    for where, _, there in os.walk(tree):
        for path in (os.path.join(where, name) for name in there):
            name = os.path.relpath(path, tree)
            if name not in names and not group_of(name) and not name.startswith("src/base/mutant."):
                os.remove(path)


def wrap_tree(tree, texts, chosen):
    numbered = {}
    for number, (_, site) in enumerate(chosen):
        numbered.setdefault(site.path, []).append((number, site))
    for path, text in texts.items():
        write_if_new(os.path.join(tree, path), mutant_sites.wrap_sites(text, numbered.get(path, [])).encode())
    write_if_new(os.path.join(tree, "src/base/mutant.h"), HEADER.encode())
    write_if_new(os.path.join(tree, "src/base/mutant.c"), (SOURCE % len(chosen)).encode())


def refused_lines(tree, paths):
    """(path, line) of errors of a compiler that sees every wrapped source."""
    refused = set()
    for plain in (True, False):
        some = [path for path in paths if path.endswith(".c") == plain]
        text = "".join('#include "%s"\n' % path for path in some)
        for unit in (['#include "%s"\n' % path for path in some] if plain else [text]):
            call = ["cc", "-std=c11", "-fsyntax-only", "-w", "-Werror=vla", "-fopenmp-simd", "-fmax-errors=0", "-D_DEFAULT_SOURCE",
                    "-I.", "-Isrc", "-Iinclude", "-xc", "-"]
            answer = subprocess.run(call, cwd=tree, input=unit, text=True, capture_output=True)
            # gcc names the macro's own line as the error's, and its use in a note
            for path, line in re.findall(r"^(?:\./)?([^:\n]+):(\d+):\d+: (?:error|note: in expansion)", answer.stderr, re.M):
                if not path.endswith("base/mutant.h"):
                    refused.add((path, int(line) - 1))  # one line more than in the tree: the header
            if answer.returncode and not refused:
                sys.exit(answer.stderr)
    return refused


def choose_and_wrap(source, tree, names, each, seed):
    """Chooses places of the sources until all of them compile; [(group, site)] and how many there are."""
    texts, sites = {}, {}
    for path in names:
        with open(os.path.join(source, path)) as file:
            texts[path] = file.read()
        sites.setdefault(group_of(path), []).extend(mutant_sites.find_sites(path, texts[path]))
    sites = {group: sites[group] for group in GROUPS if group in sites}
    while True:
        chosen = [(group, site) for group in sites for site in mutant_sites.choose_sites(sites[group], each, seed)]
        wrap_tree(tree, texts, chosen)
        refused = refused_lines(tree, sorted({site.path for _, site in chosen}))
        bad = {site.key for _, site in chosen if (site.path, site.line) in refused}
        if refused and not bad:
            sys.exit("errors where nothing was changed: %s" % sorted(refused))
        if not bad:
            return chosen, {group: len(sites[group]) for group in sites}
        sites = {group: [s for s in sites[group] if s.key not in bad] for group in sites}


def share_library(data):
    """A hundred test programs are small and quick to link where the library that they look into is shared."""
    text = data.decode()
    for old, new in (("C_VISIBILITY_PRESET hidden", "C_VISIBILITY_PRESET default"),
                     ("add_library(rasterwave_static STATIC", "add_library(rasterwave_static SHARED"),
                     ("PROPERTIES OUTPUT_NAME rasterwave)", "PROPERTIES OUTPUT_NAME rasterwave_mutants)")):
        if old not in text:
            sys.exit("cmake/library.cmake has no '%s'" % old)
        text = text.replace(old, new)
    return text.encode()


def build(options):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = os.path.abspath(options.folder)
    tree, made = os.path.join(folder, "tree"), os.path.join(folder, "build")
    source = os.path.abspath(options.source or root)
    names = list_files(source)
    broken = [name for name in names if group_of(name)]
    copy_tree(source, tree, [name for name in names if name not in broken])
    chosen, found = choose_and_wrap(source, tree, broken, options.each, options.seed)
    manifest = [{"key": site.key, "group": group, "file": site.path, "line": site.line, "kind": site.kind, "mark": site.mark,
                 "source": site.source} for group, site in chosen]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "mutants.json"), "w") as file:
        json.dump(manifest, file, indent=1)
    for group, count in found.items():
        print("%-10s %4d places, %d chosen" % (group, count, sum(one["group"] == group for one in manifest)))
    off = ["-DRW_%s=OFF" % name for name in "GDAL PNG CYAML HDF5 EMBREE CUDA CMOCKA ISAS WERROR".split()]
    subprocess.check_call(["cmake", "-S", tree, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                           "-DCMAKE_C_FLAGS=-w"] + off, stdout=subprocess.DEVNULL)
    if options.wrap_only:
        return
    programs = sorted(name[:-2] for _, _, names in os.walk(os.path.join(tree, "tests")) for name in names
                      if name.startswith("test_") and name.endswith(".c") and name[:-2] not in NOT_RUN)
    subprocess.check_call(["ninja", "-C", made, "-j", str(options.jobs)] + programs)
    for name in ("bin", "lib"):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        os.makedirs(os.path.join(folder, name))
    for name in programs:
        shutil.copy2(os.path.join(made, "tests", name), os.path.join(folder, "bin"))
    for name in os.listdir(made):
        if re.match(r"librasterwave_mutants\.so", name):
            shutil.copy2(os.path.join(made, name), os.path.join(folder, "lib"))
    for name in ("reached.json", "reached_quick.json"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


# ---- run


class Runner:
    """Runs test programs of a built folder, each job on a core of its own."""

    def __init__(self, folder, jobs):
        self.folder = os.path.abspath(folder)
        with open(os.path.join(folder, "mutants.json")) as file:
            self.mutants = json.load(file)
        self.jobs = jobs
        self.cores = sorted(os.sched_getaffinity(0))
        self.free = list(range(jobs))
        self.lock = threading.Lock()
        self.environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(self.folder, "lib"))
        data = os.path.join(self.folder, "data")
        if os.path.isdir(data):
            self.environment["RASTERWAVE_DATA"] = data

    def call(self, test, seconds_max, **more):
        """(passed, seconds) of a test program."""
        with self.lock:
            slot = self.free.pop()
        work = tempfile.mkdtemp(prefix="mutant")

        def limit():
            os.sched_setaffinity(0, {self.cores[slot % len(self.cores)]})
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))

        start = time.monotonic()
        process = subprocess.Popen([os.path.join(self.folder, "bin", test)], cwd=work, env=dict(self.environment, TMPDIR=work, **more),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=limit)
        try:
            passed = process.wait(seconds_max) in (0, 77)
        except subprocess.TimeoutExpired:
            passed = False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            shutil.rmtree(work, ignore_errors=True)
            with self.lock:
                self.free.append(slot)
        return passed, time.monotonic() - start

    def reach(self, test):
        """What an unbroken test reaches: {seconds, places}, or None where it fails."""
        with tempfile.NamedTemporaryFile() as told:
            passed, seconds = self.call(test, 600, RASTERWAVE_MUTANT_REACHED=told.name)
            return {"seconds": seconds, "places": [int(line) for line in told]} if passed else None

    def reached(self):
        """{test: what it reaches}, measured once and kept."""
        path = os.path.join(self.folder, "reached_quick.json" if "RASTERWAVE_QUICK" in self.environment else "reached.json")
        if os.path.exists(path):
            with open(path) as file:
                return json.load(file)
        tests = sorted(os.listdir(os.path.join(self.folder, "bin")))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            answers = dict(zip(tests, pool.map(self.reach, tests)))
        for test in [test for test in tests if answers[test] is None]:
            print("%s fails unbroken and is left out" % test, file=sys.stderr)
            del answers[test]
        answers = {test: answer for test, answer in answers.items() if answer["places"]}
        with open(path, "w") as file:
            json.dump(answers, file)
        return answers

    def judge(self, number, reached):
        """A row of the report."""
        tests = sorted((answer["seconds"], test) for test, answer in reached.items() if number in answer["places"])
        row = dict(self.mutants[number], outcome="survived" if tests else "not reached", test="", seconds=0.0)
        for seconds, test in tests:
            passed, took = self.call(test, 5 * seconds + 5, RASTERWAVE_MUTANT=str(number))
            row["seconds"] = round(row["seconds"] + took, 1)
            if not passed:
                row.update(outcome="killed", test=test)
                break
        return row


def run(options):
    runner = Runner(options.folder, options.jobs)
    end = time.monotonic() + options.seconds if options.seconds else None
    reached = {test: dict(answer, places=set(answer["places"])) for test, answer in runner.reached().items()
               if not options.tests or test in options.tests.split(",")}
    done = set()
    if os.path.exists(options.out):
        with open(options.out, newline="") as file:
            outcomes = {row["key"]: row["outcome"] for row in csv.DictReader(file)}
        done = {key for key in outcomes if not options.again or outcomes[key] == "killed"}
    last = len(runner.mutants) if options.count is None else min(len(runner.mutants), options.first + options.count)
    wanted = [number for number in range(options.first, last) if runner.mutants[number]["key"] not in done]
    with open(options.out, "a", newline="") as file, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        writer = csv.DictWriter(file, COLUMNS)
        if file.tell() == 0:
            writer.writeheader()

        def judge(number):
            return runner.judge(number, reached) if end is None or time.monotonic() < end else None

        for answer in concurrent.futures.as_completed([pool.submit(judge, number) for number in wanted]):
            row = answer.result()
            if row and (row["outcome"] == "killed" or not options.tests):
                writer.writerow(row)
                file.flush()


# ---- report


def read_rows(paths):
    rows = {}
    for path in paths:
        with open(path, newline="") as file:
            rows.update({row["key"]: row for row in csv.DictReader(file)})
    return list(rows.values())


def read_reasons(path):
    """{(file, kind, mark, source): why no test can tell} of survivors that were looked at."""
    if not path:
        return {}
    with open(path, newline="") as file:
        return {tuple(row[name] for name in ("file", "kind", "mark", "source")): row["reason"] for row in csv.DictReader(file)}


def reason_of(row, reasons):
    return reasons.get(tuple(row[name] for name in ("file", "kind", "mark", "source")), "")


def print_rates(rows, reasons):
    """A line for each group. What a reason explains changes no result; one that begins with "open" lacks a test."""
    print("| group | mutants | killed | survived | not reached | change no result | rate | of the others |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    for group in [group for group in GROUPS if any(row["group"] == group for row in rows)] + ["all"]:
        some = [row for row in rows if group in (row["group"], "all")]
        killed, survived, missed = (sum(row["outcome"] == outcome for row in some)
                                    for outcome in ("killed", "survived", "not reached"))
        idle = sum(row["outcome"] != "killed" and reason_of(row, reasons) != "" and
                   not reason_of(row, reasons).startswith("open") for row in some)
        print("| %s | %d | %d | %d | %d | %d | %.0f %% | %.0f %% |" %
              (group, len(some), killed, survived, missed, idle, 100 * killed / len(some),
               100 * killed / max(1, len(some) - idle)))


def report(options):
    rows = read_rows(options.results)
    reasons = read_reasons(options.reasons)
    print_rates(rows, reasons)
    print("\n| file | line | kind | source | outcome | reason |\n| --- | --: | --- | --- | --- | --- |")
    for row in sorted((row for row in rows if row["outcome"] != "killed"), key=lambda row: (row["file"], int(row["line"]))):
        print("| `%s` | %s | %s `%s` | `%s` | %s | %s |" % (row["file"], row["line"], row["kind"], row["mark"],
                                                           row["source"].replace("|", "\\|"), row["outcome"],
                                                           reason_of(row, reasons)))


# ---- pack


def pack(options):
    """The built folder without its tree, programs stripped, for a machine that has Python and the C library alone."""
    folder = os.path.abspath(options.folder)
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as work, tarfile.open(options.file, "w:xz") as archive:
        for part in ("bin", "lib"):
            shutil.copytree(os.path.join(folder, part), os.path.join(work, part))
            for name in os.listdir(os.path.join(work, part)):
                subprocess.check_call(["strip", os.path.join(work, part, name)])
            archive.add(os.path.join(work, part), "mutants/" + part)
        archive.add(os.path.join(folder, "mutants.json"), "mutants/mutants.json")
        for name in ("mutants.py", "mutant_sites.py"):
            archive.add(os.path.join(here, name), "mutants/" + name)
        if options.data:
            archive.add(options.data, "mutants/data")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("build")
    one.add_argument("folder")
    one.add_argument("--source", help="another tree than that of this script")
    one.add_argument("--each", type=int, default=45, help="mutants of each group")
    one.add_argument("--seed", default="1")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--wrap-only", action="store_true", help="do not build")
    one.set_defaults(call=build)
    one = commands.add_parser("run")
    one.add_argument("folder")
    one.add_argument("--out", required=True)
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--first", type=int, default=0)
    one.add_argument("--count", type=int)
    one.add_argument("--again", action="store_true", help="run those once more that are in the file and were not killed")
    one.add_argument("--tests", help="names with commas between: run these alone, and write what they kill")
    one.add_argument("--seconds", type=float, help="begin no mutant later than this")
    one.set_defaults(call=run)
    one = commands.add_parser("report")
    one.add_argument("results", nargs="+")
    one.add_argument("--reasons")
    one.set_defaults(call=report)
    one = commands.add_parser("pack")
    one.add_argument("folder")
    one.add_argument("file")
    one.add_argument("--data")
    one.set_defaults(call=pack)
    options = parser.parse_args()
    options.call(options)


if __name__ == "__main__":
    main()
