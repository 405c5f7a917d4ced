# omnivar: `make` alone lists what there is to make. Needs Python 3.11 or newer; PYTHON=python3.12 make test chooses one.
PYTHON ?= python3
VENV ?= .venv
REPORT ?= report
EXTRAS ?= dev,lab

BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
STAMP := $(VENV)/.omnivar-$(VERSION)
export PATH := $(abspath $(BIN)):$(PATH)
export PYTHONPATH := $(abspath nbs/_tools):$(PYTHONPATH)
# packages are installed without bytecode: it is written where a module is first imported, not made anew in every process
unexport PYTHONDONTWRITEBYTECODE
# how figures of the notebooks look
export MATPLOTLIBRC := $(abspath nbs/_tools/matplotlibrc)

.DEFAULT_GOAL := help
.PHONY: help install run test check docs site quarto notebooks outputs bench lab slow hostile versions reliability clean

help:  ## list the commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

# (setuptools announces every editable installation by a UserWarning)
# made again only when settings.ini or setup.py changed, or another PYTHON is asked for
$(STAMP): settings.ini setup.py
	@test -n "$(VERSION)" || { echo "There is no '$(PYTHON)' here. Install Python 3.11 or newer, or name yours: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "'$(PYTHON)' is Python $(VERSION), omnivar needs 3.11 or newer. Name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "'$(PYTHON)' cannot make environments. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@rm -f $(VENV)/.omnivar-*
	@test "$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$(VERSION)" || $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing omnivar and its tools into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip || true # a new pip finds the packages in half the time
	@PYTHONWARNINGS=ignore::UserWarning $(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 --no-compile --editable '.[$(EXTRAS)]'
	@touch $@

install: $(STAMP)  ## make the environment in .venv (the others do that as needed)

run: $(STAMP)  ## compare trees on bundled data: table, best tree and report/report.html
	@omnivar compare --out $(REPORT)

test: $(STAMP)  ## everything CI checks
	@python -W ignore nbs/_tools/check.py

check: $(STAMP)  ## the checks that take seconds, before each commit: imports, lengths, prose, generated files
	@python -W ignore nbs/_tools/check.py quick

docs: $(STAMP)  ## run the notebooks and build the site in _docs/
	@python -W ignore nbs/_tools/make.py docs

site: $(STAMP)  ## the same from the outputs that the notebooks carry, as it is published
	@python -W ignore nbs/_tools/make.py docs --stored

quarto: $(STAMP)  ## the pages of the notebooks by Quarto, where it is installed
	@command -v quarto >/dev/null || { echo "There is no 'quarto' here: pip install quarto-cli, or see https://quarto.org; make docs needs none"; exit 1; }
	@nbdev_docs

notebooks: $(STAMP)  ## run the notebooks in place and store their outputs
	@python -W ignore nbs/_tools/make.py notebooks

outputs: $(STAMP)  ## run the notebooks and compare the outputs that they store
	@python -W ignore nbs/_tools/make.py nbtest --outputs

bench: $(STAMP)  ## time fits and predictions beside scikit-learn's
	@python nbs/_tools/bench.py

lab: $(STAMP)  ## open the notebooks in JupyterLab
	@jupyter lab nbs

slow: $(STAMP)  ## run the cells and tests that are too slow for CI
	@python -W ignore nbs/_tools/check.py slow

hostile: $(STAMP)  ## broken files, strange tables and senseless arguments by the thousand (some minutes)
	@python -W ignore nbs/_tools/hostile.py

versions: $(STAMP)  ## test with the oldest Python and packages that are allowed and the newest there are (some minutes)
	@python nbs/_tools/versions.py

reliability: $(STAMP)  ## interruptions, invariances and checks of bounds: the tables of a page (hours)
	@for what in interruptions invariances bounds; do python -W ignore nbs/_tools/reliability.py $$what || exit 1; done

clean:  ## remove the environment and all that was built
	rm -rf $(VENV) _docs _proc build dist $(REPORT) *.egg-info .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
