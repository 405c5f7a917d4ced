"""What bench.py measures in processes of their own: peak memory, first fits, scikit-learn's slow fits."""
import ctypes
import datetime
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import numpy as np

from bench_data import SETS, Data
from bench_ways import AXIS, MEANS, PREDICT_ROWS, SKLEARN, accuracy, estimator, warm_up

STORE = Path(__file__).with_name("bench_sklearn.json")
MEMORY_GOAL, FIRST_FIT_GOALS = 2.3, {"warm cache": 1.2, "cold cache": 15}


def in_child(f, *args):
    "f(*args) in a fresh process."
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool: return pool.submit(f, *args).result()


def status(field):
    "A field of /proc/self/status, in bytes."
    return 1024 * int(Path("/proc/self/status").read_text().split(field + ":")[1].split()[0])


def measured_fit(data, algorithm, threads):
    "A fit in this process: the model, its seconds of processor time, its peak memory beyond what was there before."
    estimator(algorithm, threads).fit(*((data.X[:1000], data.y[:1000]) if algorithm == SKLEARN else warm_up(data)))
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what the first fit freed goes back to the system
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before, begin = status("VmRSS"), time.process_time()
    model = estimator(algorithm, threads).fit(data.X, data.y)
    return model, dict(fit=time.process_time() - begin, peak=status("VmHWM") - before)


def child_peak(path, algorithm, threads):
    "Peak memory of a fit to stored arrays."
    return measured_fit(Data(np.load(f"{path}/X.npy"), np.load(f"{path}/y.npy")), algorithm, threads)[1]["peak"]


def memory_rows(name, data, bar):
    "One record an algorithm: the peak beyond the input, as a multiple of the data's bytes."
    if not Path("/proc/self/clear_refs").exists(): return
    with tempfile.TemporaryDirectory() as path:
        np.save(f"{path}/X.npy", data.X)
        np.save(f"{path}/y.npy", data.y)
        there = stored().get(name, {}).get("peak") or in_child(child_peak, path, SKLEARN, 1)
        for algorithm in (AXIS, MEANS):
            bar.set_postfix_str(f"memory, {algorithm}")
            peak = in_child(child_peak, path, algorithm, 2)
            yield dict(section="memory", data=name, algorithm=algorithm, threads=2, data_MB=data.X.nbytes / 1e6,
                       peak_MB=peak / 1e6, times_data=peak / data.X.nbytes, goal=MEMORY_GOAL
                       if data.X.dtype == np.float32 else None, sklearn_times_data=there / data.X.nbytes)


def child_reference(name):
    "What is stored of scikit-learn's tree."
    data = SETS[name]()
    model, found = measured_fit(data, SKLEARN, 1)
    X, begin = np.resize(data.X, (PREDICT_ROWS, data.X.shape[1])), time.process_time()
    model.predict(X)
    return found | dict(predict=time.process_time() - begin, accuracy=accuracy(model, data),
                        leaves=int(model.get_n_leaves()),
                        depth=int(model.get_depth()), date=str(datetime.date.today()), machine=machine())


def run_process(code, **env):
    "Seconds and output of a whole Python process."
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | env, check=True, capture_output=True,
                          text=True)
    return time.perf_counter() - begin, (done.stdout + done.stderr).strip()


def first_fit_rows():
    "A process that imports the library and fits iris; the kernels' cache warm, then empty."
    code = "from sklearn.datasets import load_iris; from {} as Tree; Tree({}).fit(*load_iris(return_X_y=True))"
    ours = code.format("omnivar import OmnivariateTreeClassifier", "'axis'")
    theirs = code.format("sklearn.tree import DecisionTreeClassifier", "")
    run_process(ours)  # fills the cache
    there, warm = [], []
    for _ in range(5):
        there.append(run_process(theirs)[0])
        warm.append(run_process(ours))
    with tempfile.TemporaryDirectory() as empty: cold = run_process(ours, OMNIVAR_CACHE=empty)
    for what, (spent, says) in {"warm cache": sorted(warm)[2], "cold cache": cold}.items():
        yield dict(section="first fit", data=f"iris, {what}", algorithm=AXIS, threads=1, sklearn_s=median(there),
                   ours_s=spent, goal=FIRST_FIT_GOALS[what], says=says)


def machine():
    "Processor model and versions."
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, {packages}"


def stored():
    "What is kept of scikit-learn's slow fits."
    return json.loads(STORE.read_text()) if STORE.exists() else {}


def remeasure(names):
    "Measure scikit-learn on the slow data sets and keep it."
    for name in names:
        print(f"scikit-learn on {name}: this takes minutes", flush=True)
        STORE.write_text(json.dumps(stored() | {name: in_child(child_reference, name)}, indent=1) + "\n")
