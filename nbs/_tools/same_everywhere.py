"""Is what is written about the package in several places the same? python nbs/_tools/same_everywhere.py

Compares the conda recipe, the citation file and the changelog with settings.ini, the pages of _quarto.yml with the
notebooks, and exits with an error if they differ. With `build` also makes a wheel and an sdist, installs the wheel into a new environment and runs the tests of
the sdist against it: python nbs/_tools/same_everywhere.py build [FOLDER [TEST...]]
"""
import os
import re
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from tempfile import mkdtemp

import yaml
from nbdev.config import get_config

from stage import notebooks

cfg = get_config()
root = cfg.config_path
CONDA = {"matplotlib": "matplotlib-base"}  # names that differ there


def faults():
    "What differs, in words."
    text = (root / ".github/conda/meta.yaml").read_text(encoding="utf-8").replace("{{ PYTHON }}", "python")
    recipe = yaml.safe_load(text)
    run = {tuple(line.split(" ", 1)) for line in recipe["requirements"]["run"]}
    wanted = {(CONDA.get(name, name), least) for name, least in
              (re.fullmatch(r"([\w-]+)(.*)", r).groups() for r in cfg.requirements.split())}
    wanted.add(("python", f">={cfg.min_python}"))
    for name, least in sorted(wanted ^ run): yield f"conda recipe and settings.ini differ in {name} {least}"
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    versions = {"conda recipe": recipe["package"]["version"], "CITATION.cff": citation["version"],
                "CHANGELOG.md": re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]}
    for where, version in versions.items():
        if str(version) != cfg.version: yield f"{where} has version {version}, settings.ini {cfg.version}"
    least = re.search(r'LEAST_NUMBA = .*"(\S+)"', (cfg.lib_path / "engine/jit.py").read_text(encoding="utf-8"))[1]
    if f"numba>={least}" not in cfg.requirements.split(): yield f"engine/jit.py needs numba {least}, settings.ini another"
    listed = set(re.findall(r"[\w/]+\.ipynb", (root / "_quarto.yml").read_text(encoding="utf-8")))
    there = {path.relative_to(cfg.nbs_path).as_posix() for path in notebooks()}
    for name in sorted(listed ^ there): yield f"{name} is {'not there' if name in listed else 'not in _quarto.yml'}"


def build(folder, *tests):
    "Make both files in `folder`, install the wheel into an environment of its own, run tests against it."
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # nothing of this checkout
    def run(*command, where=root): subprocess.run([str(word) for word in command], cwd=where, env=env, check=True)
    run(sys.executable, "-m", "build", "--outdir", folder, root)
    venv.create(folder / "env", with_pip=True)
    python, wheel = folder / "env/bin/python", next(folder.glob("*.whl"))
    run(python, "-m", "pip", "install", "--quiet", wheel, *cfg.test_requirements.split())
    with tarfile.open(next(folder.glob("*.tar.gz"))) as file: file.extractall(folder / "source", filter="data")
    source = next((folder / "source").iterdir())
    (source / cfg.lib_name).rename(source / "not_installed")  # the tests must find the installed package
    run(python, "-m", "pytest", "-q", *(tests or ["tests"]), where=source)


if __name__ == "__main__":
    wrong = list(faults())
    for line in wrong: print("FAILED", line)
    if sys.argv[1:2] == ["build"]: build(Path(sys.argv[2] if sys.argv[2:] else mkdtemp()).absolute(), *sys.argv[3:])
    print(f"{not wrong:d} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))
