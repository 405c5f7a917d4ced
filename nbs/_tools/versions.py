"""Run the tests of scikit-learn's contract beside the oldest scikit-learn that settings.ini allows, and the newest
there is.

python nbs/_tools/versions.py     makes two environments in a temporary folder, some minutes each: `make versions`

The newest includes pre-releases, so that a change that would break an estimator is seen before it is released.
"""
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from nbdev.config import get_config

cfg = get_config()
root = cfg.config_path
TESTS = ["tests/test_estimators_contract.py", "tests/test_estimators_classifier.py"]
OLDEST = re.search(r"scikit-learn>=([\d.]+)", cfg.requirements)[1]


def environment(folder, *scikit_learn):
    "Python of a new environment with the package, what its tests need, and one scikit-learn."
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *scikit_learn, *cfg.requirements.replace("scikit-learn>=" + OLDEST, "").split(),
                    *cfg.nbdev_requirements.split(), *cfg.test_requirements.split()], check=True)
    return python


def version_of(python):
    return subprocess.run([python, "-c", "import sklearn; print(sklearn.__version__)"], capture_output=True, text=True,
                          check=True).stdout.strip()


def main():
    failed = 0
    for what, wanted in (("oldest", [f"scikit-learn=={OLDEST}.*"]),
                         ("newest, pre-releases included", ["--pre", "scikit-learn"])):
        with TemporaryDirectory() as folder:
            python = environment(folder, *wanted)
            print(f"== scikit-learn {version_of(python)}, the {what}", flush=True)
            failed += subprocess.run([python, "-m", "pytest", "-q", *TESTS], cwd=root,
                                     env={**os.environ, "PYTHONPATH": str(root)}).returncode != 0
    print(f"{2 - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__": main()
