"""Time and memory of trees from Parquet files, in costs.csv and workers.csv beside this file: one line for each tree.

`python run.py FOLDER` writes the tables into a folder that has 2.5 gigabytes of room, and grows the trees that are
missing, small ones first; it may be stopped and called again. Each tree grows in a process of its own that may use two
gibibytes of memory for data.
"""
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

TABLE, WORKERS = (Path(__file__).parent / name for name in ("costs.csv", "workers.csv"))
LIMIT = 2 << 30 # bytes
MILLION, GROUP = 1_000_000, 250_000 # rows; rows of a group of a file
LEVELS, COLUMNS = 8, 20
# what is varied, rows, columns, levels, splitter
RUNS = ([("rows", int(n * MILLION), COLUMNS, LEVELS, s) for n in (0.25, 1.25, 2.5, 5, 10, 20)
         for s in ("axis", "node_means_pca")]
        + [("columns", MILLION, p, LEVELS, s) for p in (5, 10, 20, 40) for s in ("axis", "node_means_pca")]
        + [("levels", MILLION, COLUMNS, d, s) for d in (1, 2, 4, 8, 12) for s in ("axis", "node_means_pca")])


def written(folder, rows, columns):
    "A table of normal columns with three classes, which is written where it is missing."
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(folder) / f"{rows}_{columns}.parquet"
    if path.exists(): return path
    random, part = np.random.default_rng(rows + columns), path.with_suffix(".part")
    names = [f"x{k}" for k in range(columns)] + ["y"]
    schema = pa.schema([(name, pa.float32()) for name in names[:-1]] + [("y", pa.int8())])
    with pq.ParquetWriter(part, schema) as file:
        for start in range(0, rows, GROUP):
            X = random.standard_normal((min(GROUP, rows - start), columns), dtype=np.float32)
            noise = random.standard_normal(len(X), dtype=np.float32)
            y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * noise > 0).astype(np.int8) + (X[:, 3] > 0.7)
            file.write_table(pa.Table.from_arrays([*map(pa.array, X.T), pa.array(y.astype(np.int8))], schema=schema))
    return part.rename(path)


def grown(path, levels, splitter):
    "Grow a tree in this process; what it took."
    import omnivar

    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
    def tree(): return omnivar.OmnivariateTreeClassifier(splitter, max_depth=levels, pruning=None)
    small = path.parent / f"{GROUP}_{COLUMNS}.parquet"
    omnivar.fit_parquet(tree(), small, "y") # kernels are compiled or loaded
    cpu, wall = time.process_time(), time.perf_counter()
    model = omnivar.fit_parquet(tree(), path, "y")
    return dict(leaves=model.get_n_leaves(), cpu=round(time.process_time() - cpu, 2),
                wall=round(time.perf_counter() - wall, 2),
                peak_gib=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20), 3))


def processor_seconds(): return time.process_time()


def by_workers(folder, rows=10 * MILLION):
    "Seconds of the same axis tree by a local cluster of one and of two processes of one thread, twice in turn."
    import dask.dataframe as dd
    import omnivar
    from dask.distributed import Client, LocalCluster

    found = []
    for turn in range(2):
        for n in (1, 2):
            with LocalCluster(n, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
                for path, groups in ((written(folder, GROUP, COLUMNS), 1), (written(folder, rows, COLUMNS), 10)):
                    frame = dd.read_parquet(path, split_row_groups=groups) # the first table loads kernels
                    model = omnivar.OmnivariateTreeClassifier("axis", max_depth=LEVELS, pruning=None)
                    before, start = sum(client.run(processor_seconds).values()), time.perf_counter()
                    model.fit(frame.drop(columns="y"), frame["y"])
                    wall = time.perf_counter() - start
                cpu = sum(client.run(processor_seconds).values()) - before
            found.append(dict(workers=n, rows=rows, partitions=frame.npartitions, turn=turn, wall=round(wall, 2),
                              cpu_of_workers=round(cpu, 2), leaves=model.get_n_leaves()))
    pd.DataFrame(found).to_csv(WORKERS, index=False)


def main(folder):
    key = ["varied", "rows", "columns", "levels", "splitter"]
    known = set(pd.read_csv(TABLE)[key].itertuples(index=False, name=None)) if TABLE.exists() else set()
    for run in sorted(RUNS, key=lambda r: r[1] * r[2] * r[3]):
        if run in known: continue
        written(folder, GROUP, COLUMNS)
        path = written(folder, *run[1:3])
        said = subprocess.run([sys.executable, "-W", "ignore", __file__, str(path), str(run[3]), run[4]], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        line = pd.DataFrame([dict(zip(key, run)) | json.loads(said.splitlines()[-1])])
        line.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(line.to_string(header=False), flush=True)
    if not WORKERS.exists(): by_workers(folder)


if __name__ == "__main__":
    if len(sys.argv) == 2: main(sys.argv[1])
    elif len(sys.argv) == 4: print(json.dumps(grown(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
    else: sys.exit(__doc__)
