# Two commands set everything up: `make demo` and `make test`. Each builds its own environment first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt

.PHONY: demo test coverage lint bench compat docs clean
.DELETE_ON_ERROR:

demo: $(VENV)/.demo
	$(BIN)/python demo/prepare.py reports/demo
	$(BIN)/tacit plan 'thresholds(values=21, direction=both)' --n 35338 --epsilon 1 --delta 1e-6 --labels 7 --agnostic
	$(BIN)/tacit learn reports/demo/gss.csv --schema demo/schema.toml --class thresholds \
	  --features educ --labels abany,abdefect,abhlth,abnomore,abpoor,abrape,absingle \
	  --epsilon 1 --delta 1e-6 --out reports/demo/model.json --report reports/demo/report.html
	$(BIN)/tacit predict reports/demo/model.json reports/demo/gss.csv --out reports/demo/predictions.csv
	$(BIN)/python demo/check.py reports/demo
	$(BIN)/python demo/compare.py reports/demo
	$(BIN)/tacit audit generic-learner
	$(BIN)/tacit audit direct-sum
	$(BIN)/python demo/finish.py reports/demo

test: $(VENV)/.test
	$(BIN)/lint-imports
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n 2

coverage: $(VENV)/.test
	$(BIN)/pytest -q -n 2 --cov --cov-report=term:skip-covered

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks --write docs/benchmarks.md

# The estimators with the releases of scikit-learn before the pinned one, each in its own environment.
compat: $(addprefix compat-,$(shell sed -n 's/^scikit-learn==//p' requirements/sklearn.txt))

compat-%:
	$(PYTHON) -m venv .venv-sklearn-$*
	grep -v '^scikit-learn==' requirements/constraints.txt > .venv-sklearn-$*/constraints.txt
	.venv-sklearn-$*/bin/python -m pip install --quiet --disable-pip-version-check \
	  -c .venv-sklearn-$*/constraints.txt -e . scikit-learn==$* hypothesis joblib pandas polars pytest
	.venv-sklearn-$*/bin/python -m pytest -q tests/test_estimators*.py src/tacit/interfaces/estimators

docs: $(VENV)/.test $(VENV)/.docs
	$(BIN)/pytest -q tests/test_documentation.py
	$(BIN)/python docs/plots/labels.py site/plots
	$(BIN)/python docs/build.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml requirements/constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.demo: requirements/demo.txt $(VENV)/.core
	$(PIP) -r requirements/demo.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(VENV)/.core
	$(PIP) -r requirements/docs.txt
	@touch $@

$(VENV)/.test: requirements/test.txt requirements/system.sh $(VENV)/.core
	sh requirements/system.sh
	$(PIP) -r requirements/test.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-peers .venv-sklearn-* .import_linter_cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage reports
