"""Run the tests that depend on other packages in other environments: `make versions` (some minutes each).

python nbs/_tools/versions.py                 all of ENVIRONMENTS; nbs/guide/reliability/environments.csv has the result
python nbs/_tools/versions.py oldest newest   these only; the file keeps the rows of the others

An environment is a Python with the package and what it needs: the oldest releases that settings.ini allows and that have
wheels for this Python, the newest, or the newest with pre-releases of scikit-learn, numpy, pandas and scipy, so that a
change that would break an estimator is seen before it is released. The tests run with the JIT off, since each
environment would compile every kernel anew. That compiled kernels work there is tested by one tree, which must have the
same bits with the JIT on and off.
"""
import csv
import datetime
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from nbdev.config import get_config
from packaging.version import Version

cfg = get_config()
root = cfg.config_path
OUT = root / "nbs/guide/reliability/environments.csv"
TESTS = ["estimators_contract", "estimators_regressor_contract", "estimators_table_encoder", "estimators_columns",
         "estimators_model_files", "estimators_changed_files", "datasets_csv_files", "datasets_columns", "datasets_tables",
         "datasets_exact_numbers", "experiments_store", "experiments_comparison", "experiments_reports",
         "experiments_table_formats", "export_boundary_plots", "export_onnx_graph", "export_python_code", "export_sql",
         "export_tree_names", "export_view_data",
         "cli_app", "cli_compare", "cli_experiments", "cli_export", "cli_main", "cli_model_rows", "cli_models",
         "cli_streamed", "cli_tree_options", "cli_view"]
FIRST, BEFORE, LAST = cfg.min_python, "3.14", cfg.max_python  # BEFORE: the newest with wheels of what tests need
ENVIRONMENTS = {"oldest": (FIRST, "oldest"), "oldest packages, newest Python": (LAST, "oldest"),
                "newest packages, oldest Python": (FIRST, "newest"),
                f"newest packages, Python {BEFORE}": (BEFORE, "newest"), "newest": (LAST, "newest"),
                "pre-releases": (LAST, "pre-releases")}
EARLY = "scikit-learn", "numpy", "pandas", "scipy"  # of which pre-releases are tried
SHOWN = "scikit-learn", "numpy", "scipy", "pandas", "numba", "pyarrow", "typer", "click"
TREE = """
import hashlib, sys
import numpy as np
from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3)).round(1)
both = (OmnivariateTreeClassifier(), X[:, 0] > X[:, 1]), (OmnivariateTreeRegressor("axis"), X[:, 0] * X[:, 1])
for model, y in both:
    print(hashlib.sha256(model.fit(X, y).to_json().encode()).hexdigest())
"""


def python_of(version):
    "A Python of this version that works: among those of pyenv, or on the path."
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for python in [*map(str, sorted(home.glob(f"versions/{version}.*/bin/python"))[::-1]),
                   shutil.which(f"python{version}")]:
        if python and not subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode:
            return python


def wanted(kind, version):
    "Requirements of an environment."
    needed = [one for name in ("", "parquet_", "onnx_", "excel_") for one in cfg[f"{name}requirements"].split()]
    tools = [one for one in cfg.test_requirements.split() if re.match("pytest>|hypothesis|polars|onnxruntime|click", one)]
    if version != LAST: needed += tools  # an old polars can be installed with Python 3.15, and does not work
    if kind == "oldest":  # 1.7 becomes 1.7.*, 2.0.1 stays; a Python newer than the release may lack wheels of it
        needed = [re.sub(r">=([\d.]+)(?=;|$)", lambda m: f"=={m[1]}" + ".*" * (m[1].count(".") < 2), one) for one in needed]
    if version == LAST: needed += tools
    # a lower bound that is itself a pre-release admits those of one package, and of no other
    if kind == "pre-releases": needed = [f"{one}a0" if one.startswith(EARLY) else one for one in needed]
    return needed


def later(needed, said):
    "The requirements, but for one without wheels for this Python, as pip said: its oldest release that has them."
    found = re.search(r"requirement ([\w.-]+)\S*?==([\d.]+)\S* \(from versions: ([^)]*)\)", said)
    there = [v for v in found[3].split(", ") if Version(v) > Version(found[2].rstrip("."))] if found else []
    return [f"{found[1]}=={there[0]}" if re.match(rf"{found[1]}\W", one) else one for one in needed] if there else None


def environment(folder, version, kind):
    "Python of a new environment, and what went wrong."
    subprocess.run([python_of(version), "-m", "venv", folder], check=True)
    python = str(Path(folder) / "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    needed = wanted(kind, version)
    while needed:
        done = subprocess.run([*install, "--only-binary", ":all:", *needed], capture_output=True, text=True)
        needed = later(needed, done.stderr) if done.returncode else None
    return python, [line for line in done.stderr.splitlines() if line.startswith("ERROR")][:1]


def versions_of(python):
    code = ("import importlib.metadata as m, platform; print(platform.python_version(), "
            f"*[m.version(name) for name in {SHOWN!r}])")
    return dict(zip(("Python", *SHOWN), subprocess.run([python, "-c", code], capture_output=True, text=True,
                                                       check=True).stdout.split()))


def trees(python, folder, jit_off):
    "Digests of two trees."
    env = {**os.environ, "PYTHONPATH": str(root), "NUMBA_DISABLE_JIT": str(jit_off), "OMNIVAR_PATIENCE": "0",
           "OMNIVAR_CACHE": f"{folder}/cache"}
    done = subprocess.run([python, "-c", TREE], env=env, capture_output=True, text=True)
    return done.stdout or done.stderr[-500:]


def tried(name, folder):
    "A row of the table."
    version, kind = ENVIRONMENTS[name]
    row = {"environment": name, "date": f"{datetime.date.today()}"}
    if python_of(version) is None: return row | {"result": f"not tried: there is no Python {version} here"}
    python, wrong = environment(folder, version, kind)
    if wrong: return row | {"Python": version, "result": f"cannot be installed: {wrong[0][:150]}"}
    if kind == "pre-releases" and not any(re.search("a|b|rc|dev", found) for found in versions_of(python).values()):
        return row | versions_of(python) | {"result": "the registry has none beyond the newest releases"}
    start = time.monotonic()
    words = [python, "-W", "ignore", "-m", "pytest", "-q", *[f"tests/test_{name}.py" for name in TESTS]]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(root), "NUMBA_DISABLE_JIT": "1"})
    print(done.stdout[-3000:] if done.returncode else done.stdout[-80:], flush=True)
    counts = {what: int(n) for n, what in re.findall(r"(\d+) (passed|failed|skipped|error)", done.stdout[-300:])}
    same = trees(python, folder, 0) == trees(python, folder, 1)
    return row | versions_of(python) | dict(passed=0, failed=0, skipped=0) | counts | {
        "seconds": round(time.monotonic() - start), "compiled = interpreted": same,
        "result": "passed" if done.returncode == 0 and same else "failed"}


def main(names):
    unknown = [name for name in names if name not in ENVIRONMENTS]
    if unknown: sys.exit(f"there is no environment {unknown[0]!r}, only {', '.join(map(repr, ENVIRONMENTS))}")
    names = names or list(ENVIRONMENTS)
    rows = {row["environment"]: row for row in csv.DictReader(open(OUT))} if OUT.exists() else {}
    for k, name in enumerate(names, 1):
        version, kind = ENVIRONMENTS[name]
        print(f"== {k} of {len(names)}, {name}: Python {version}, {kind} packages", flush=True)
        with TemporaryDirectory() as folder: rows[name] = tried(name, folder)
        print(", ".join(f"{what}: {found}" for what, found in rows[name].items() if what != "environment"), flush=True)
        OUT.parent.mkdir(exist_ok=True)
        columns = ["environment", "Python", *SHOWN, "passed", "skipped", "failed", "compiled = interpreted", "seconds",
                   "date", "result"]
        with open(OUT, "w", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name] for name in ENVIRONMENTS if name in rows)
    passed, failed = ([name for name in names if rows[name]["result"].startswith(how)]
                      for how in ("passed", ("failed", "cannot")))
    print(f"{len(passed)} passed, {len(failed)} failed, {len(names) - len(passed) - len(failed)} not tried")
    sys.exit(len(failed) > 0)


if __name__ == "__main__": main(sys.argv[1:])
