#!/usr/bin/env python3
"""Runs built fuzz targets on all cores for a given time and reports what each has seen.

Usage: fuzz_search.py FOLDER SECONDS CORES [TARGET...]

FOLDER is what scripts/fuzz.sh build makes: bin/fuzz_NAME, lib/ with the libraries they need, corpus/NAME. Nothing else
is needed, so that it can be carried to another machine. Each free core takes a target for a slice of time: first the
one that needs the least of it to have all its runs, and then the one that found a new edge last. FOLDER/results holds,
and a second search continues, report.csv, state.json, found/ (inputs that failed) and corpus/NAME (all inputs, minimised).
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time

RUNS_WANTED = 2.02e6
SLICE_S = 20
FAILURES_MAX = 12  # of one target: then it has no more slices
MERGE_SHARE = 0.07  # of the time, for minimising


class Target:
    def __init__(self, name, state):
        self.name = name
        self.runs = state.get("runs", 0)
        self.seconds = state.get("seconds", 0.0)
        self.edges = state.get("edges", 0)
        self.dry_s = state.get("dry_s", 0.0)
        self.failures = state.get("failures", 0)
        self.active = 0

    def state(self):
        return {key: getattr(self, key) for key in ("runs", "seconds", "edges", "dry_s", "failures")}

    def need(self):
        """Smaller is more urgent. Slices that are under way count as if they had ended."""
        speed = self.runs / self.seconds if self.runs else 2000
        missing = RUNS_WANTED - self.runs - self.active * SLICE_S * speed
        if missing > 0:
            return missing / speed
        return 1e9 + self.dry_s + self.active * SLICE_S


class Search:
    def __init__(self, folder, names):
        self.folder = folder
        self.results = os.path.join(folder, "results")
        self.state_file = os.path.join(self.results, "state.json")
        states = {}
        if os.path.exists(self.state_file):
            with open(self.state_file) as file:
                states = json.load(file)
        self.targets = [Target(name, states.get(name, {})) for name in names]
        self.environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:symbolize=0:allocator_may_return_null=1",
                                LD_LIBRARY_PATH=os.path.join(folder, "lib"),
                                PROJ_LIB=os.path.join(folder, "lib"), GDAL_DATA=os.path.join(folder, "lib"))
        for target in self.targets:
            for kind in ("work", "corpus"):
                os.makedirs(self.path(kind, target.name), exist_ok=True)
        os.makedirs(self.path("found"), exist_ok=True)
        os.makedirs(self.path("logs"), exist_ok=True)

    def path(self, *parts):
        return os.path.join(self.results, *parts)

    def command(self, target, *options):
        return [os.path.join(self.folder, "bin", "fuzz_" + target.name), *options]

    def corpora(self, target):
        """The first takes new inputs."""
        folders = [self.path("work", target.name), self.path("corpus", target.name)]
        return folders + [os.path.join(self.folder, "corpus", target.name)]

    def start(self, target, seconds, number):
        log = self.path("logs", "%s-%d.txt" % (target.name, number))
        options = ["-max_total_time=%d" % seconds, "-timeout=20", "-rss_limit_mb=3000", "-malloc_limit_mb=2000",
                   "-max_len=4096", "-close_fd_mask=3", "-print_final_stats=1", "-reload=5",
                   "-artifact_prefix=" + self.path("found", target.name + "-")]
        with open(log, "w") as file:
            process = subprocess.Popen(self.command(target, *options, *self.corpora(target)), stdout=file,
                                       stderr=subprocess.STDOUT, env=self.environment)
        target.active += 1
        return {"target": target, "process": process, "log": log, "start": time.time()}

    def finish(self, slice_of):
        target, seconds = slice_of["target"], time.time() - slice_of["start"]
        with open(slice_of["log"], errors="replace") as file:
            text = file.read()
        runs = [int(number) for number in re.findall(r"^#(\d+)\s", text, re.M)]
        edges = [int(number) for number in re.findall(r"\bcov: (\d+)", text)]
        target.active -= 1
        target.runs += max(runs, default=0)
        target.seconds += seconds
        target.dry_s += seconds
        if max(edges, default=0) > target.edges:
            target.edges = max(edges)
            target.dry_s = 0.0
        if slice_of["process"].returncode != 0:
            target.failures += 1
            shutil.copy(slice_of["log"], self.path("found", os.path.basename(slice_of["log"])))
        os.remove(slice_of["log"])

    def choose(self):
        able = [target for target in self.targets if target.failures < FAILURES_MAX]
        return min(able, key=Target.need) if able else None

    def search(self, seconds, cores):
        end, number, slices = time.time() + seconds, int(time.time()), []
        while slices or time.time() < end - 5:
            while len(slices) < cores and time.time() < end - 5:
                target = self.choose()
                if not target:
                    return
                slices.append(self.start(target, max(3, min(SLICE_S, end - time.time() - 2)), number))
                number += 1
            time.sleep(0.2)
            for slice_of in [one for one in slices if one["process"].poll() is not None]:
                slices.remove(slice_of)
                self.finish(slice_of)
            self.save()

    def minimise(self, cores, seconds):
        """A corpus of few inputs with all edges, in place of what the slices left."""
        waiting, running, end = list(self.targets), [], time.time() + seconds
        while waiting or running:
            while waiting and len(running) < cores:
                target = waiting.pop()
                made = self.path("minimised", target.name)
                shutil.rmtree(made, ignore_errors=True)
                os.makedirs(made)
                options = ["-merge=1", "-use_counters=0", "-timeout=20", "-rss_limit_mb=3000", "-max_len=4096",
                           "-close_fd_mask=3", "-artifact_prefix=" + self.path("found", target.name + "-")]
                running.append((target, made, subprocess.Popen(
                    self.command(target, *options, made, *self.corpora(target)), stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, env=self.environment)))
            time.sleep(0.2)
            for one in [one for one in running if one[2].poll() is not None or time.time() > end]:
                running.remove(one)
                target, made, process = one
                if process.poll() is None:
                    process.kill()
                    process.wait()
                elif process.returncode == 0 and os.listdir(made):
                    shutil.rmtree(self.path("corpus", target.name))
                    shutil.move(made, self.path("corpus", target.name))
                    shutil.rmtree(self.path("work", target.name))
                    os.makedirs(self.path("work", target.name))

    def save(self):
        states = {}
        if os.path.exists(self.state_file):
            with open(self.state_file) as file:
                states = json.load(file)
        states.update({target.name: target.state() for target in self.targets})
        with open(self.state_file + ".new", "w") as file:
            json.dump(states, file, indent=1)
        os.rename(self.state_file + ".new", self.state_file)
        with open(self.path("report.csv"), "w") as file:
            file.write("target,runs,seconds,runs_per_s,edges,s_without_new_edge,failures\n")
            for name, one in sorted(states.items()):
                speed = one["runs"] / one["seconds"] if one["seconds"] else 0
                file.write("%s,%d,%.0f,%.0f,%d,%.0f,%d\n" % (name, one["runs"], one["seconds"], speed, one["edges"],
                                                          one["dry_s"], one["failures"]))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder, seconds, cores = os.path.abspath(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    names = sys.argv[4:] or sorted(name[5:] for name in os.listdir(os.path.join(folder, "bin")))
    search = Search(folder, names)
    search.search(seconds * (1 - MERGE_SHARE), cores)
    search.minimise(cores, seconds * MERGE_SHARE)
    search.save()
    shutil.rmtree(search.path("logs"), ignore_errors=True)
    with open(search.path("report.csv")) as file:
        sys.stdout.write(file.read())
    sys.exit(1 if any(target.failures for target in search.targets) else 0)


main()
