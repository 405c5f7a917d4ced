"""This checkout beside an older commit of it: `bench.py --against COMMIT`.

The commit's package is unpacked into a temporary folder. One process for each side stays alive and is told in turn, by
a line of text, what to fit; it answers with the processor time that it took, so that what else runs on the machine
matters little. A ratio is the older side's time over ours, the median of all rounds: above 1 this checkout is faster;
low and high are its quartiles. Where the trees have not as
many leaves on both sides, the table says so: times of different trees compare little.
"""
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import geometric_mean

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from bench_data import MIXED, NUMBERS, SETS
from bench_ways import AXIS, AXIS_NUMBERS, DEFAULT, FOREST, MEANS, estimator, warm_up

ROOT, LARGE = Path(__file__).parents[2], 1e7  # entries from which forests and many rows are not timed
AT_LEAST, SECONDS, ROUNDS = 0.02, 4, 31  # seconds that are timed at once, seconds and rounds of each comparison


def ways(name, data_size):
    "What is fitted to a set."
    trees = [AXIS_NUMBERS, DEFAULT] if name in NUMBERS else [AXIS, MEANS]
    return trees + [FOREST] * (data_size < LARGE / 5)


# the process of one side ------------------------------------------------------------------------
class Side:
    "What one side holds: a data set and a fitted model."
    def load(self, name):
        "A set into memory: its number of entries."
        self.data, self.kind = SETS[name](), "numbers" if name in NUMBERS else "classes"
        n = min(100_000, int(LARGE) // self.data.X.shape[1])
        self.rows = np.resize(self.data.X, (n, self.data.X.shape[1]))
        return int(self.data.X.size)

    def warm(self, algorithm):
        "A first fit: leaves, and how often a fit and a prediction are repeated to be long enough to time."
        self.new = lambda: estimator(algorithm, 1, self.kind)
        self.new().fit(*warm_up(self.data))
        self.model = self.new().fit(self.data.X, self.data.y)
        self.model.predict(self.rows)
        trees = getattr(self.model, "estimators_", [self.model])
        times = {what: max(1, int(np.ceil(AT_LEAST / self.time(what, 1)))) for what in ("fit", "predict")}
        return dict(times, leaves=sum(int(tree.get_n_leaves()) for tree in trees))

    def time(self, what, times):
        "Processor seconds of a fit or a prediction, the mean of `times`."
        begin = time.process_time()
        for _ in range(times):
            if what == "fit": self.new().fit(self.data.X, self.data.y)
            else: self.model.predict(self.rows)
        return max((time.process_time() - begin) / times, 1e-9)


def serve():
    "Answer commands, a line each, until there are none."
    side, answers = Side(), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the package prints is no answer
    with threadpool_limits(1):
        for line in sys.stdin:
            command, *arguments = json.loads(line)
            try: answer = getattr(side, command)(*arguments)
            except Exception as fault: answer = dict(fault=f"{type(fault).__name__}: {fault}")
            print(json.dumps(answer), file=answers, flush=True)


class Process:
    "A side's process: its package comes from a folder."
    def __init__(self, package):
        path = os.pathsep.join([str(package), str(Path(__file__).parent)])
        self.process = subprocess.Popen([sys.executable, "-W", "ignore", __file__], cwd=package, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=os.environ | {"PYTHONPATH": path, "OMNIVAR_PATIENCE": "0"})

    def ask(self, *command):
        print(json.dumps(command), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer: sys.exit(f"the process stopped while asked to {command}")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# both -------------------------------------------------------------------------------------------
def unpack(commit, folder):
    "The package as it was at a commit."
    done = subprocess.run(["git", "archive", commit, "omnivar"], cwd=ROOT, capture_output=True)
    if done.returncode: sys.exit(f"--against {commit}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive: archive.extractall(folder, filter="data")


def alternated(sides, what, times):
    "Processor seconds of the sides, an array (2, rounds); they take turns in beginning."
    seconds, start = [[], []], time.perf_counter()
    while len(seconds[0]) < 3 or (time.perf_counter() - start < SECONDS and len(seconds[0]) < ROUNDS):
        for k in (0, 1) if len(seconds[0]) % 2 else (1, 0): seconds[k].append(sides[k].ask("time", what, times))
    return np.array(seconds)


def rows(sides, name, bar):
    "The records of one set; a way that a side does not have is left out, and named."
    sizes = [side.ask("load", name) for side in sides]
    for algorithm in ways(name, sizes[0]):
        bar.set_postfix_str(algorithm)
        warm = [side.ask("warm", algorithm) for side in sides]
        if (faults := [w["fault"] for w in warm if "fault" in w]):
            tqdm.write(f"{name}, {algorithm}: left out, as one side answers {faults[0]}")
            continue
        for what in ("fit", "predict"):
            now, older = seconds = alternated(sides, what, max(w[what] for w in warm))
            low, ratio, high = np.quantile(older / now, [0.25, 0.5, 0.75])
            same = warm[0]["leaves"] == warm[1]["leaves"]
            yield dict(section=what, data=name, algorithm=algorithm, older_ms=1e3 * np.median(older),
                       now_ms=1e3 * np.median(now), ratio=ratio, low=low, high=high, rounds=seconds.shape[1],
                       leaves=warm[0]["leaves"], older_leaves=None if same else warm[1]["leaves"])


def compare_commits(commit, names, save):
    "Time this checkout and an older commit in turn, and print the ratios."
    records = []
    with tempfile.TemporaryDirectory() as older:
        unpack(commit, older)
        sides = Process(ROOT), Process(older)
        for name in (bar := tqdm([name for name in names if name not in MIXED])):
            bar.set_description(name)
            for row in rows(sides, name, bar): save(records := records + [row])
        for side in sides: side.close()
    print(f"\nprocessor time on one thread beside that of {commit}; ratio: its time over ours")
    for section, part in pd.DataFrame(records).groupby("section", sort=False):
        part = part.drop(columns="section").dropna(axis=1, how="all")
        print(f"\n{section}\n" + part.to_string(index=False, float_format="{:.3g}".format, na_rep=""))
        print(f"geometric mean of the ratios: {geometric_mean(part.ratio):.3f}")


if __name__ == "__main__": serve()
