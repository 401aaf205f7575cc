# Two commands set everything up: `make demo` and `make test`. Each builds its own environment first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt

.PHONY: demo demo-sites demo-flower test coverage lint bench compat compat-floors optimum representations docs pictures clean circle
.DELETE_ON_ERROR:

# The whole story on a public survey: declare, plan, open an account, learn and measure, predict, pack, check, audit.
# demo/schema.toml is the template that the first command of tacit writes, filled in.
DEMO := reports/demo
demo: $(VENV)/.demo
	rm -rf $(DEMO)
	$(BIN)/python demo/prepare.py $(DEMO)
	$(BIN)/tacit schema template $(DEMO)/gss.csv > $(DEMO)/template.toml
	$(BIN)/tacit schema check demo/schema.toml $(DEMO)/gss.csv
	$(BIN)/tacit plan --schema demo/schema.toml --labels abany,abhlth --n 29830 --epsilon 1 --delta 1e-6
	$(BIN)/tacit ledger init $(DEMO)/budget.db
	$(BIN)/tacit ledger grant $(DEMO)/budget.db --dataset gss --schema demo/schema.toml --epsilon 2 --delta 1e-5
	$(BIN)/tacit learn $(DEMO)/gss.csv --schema demo/schema.toml --labels abany,abhlth --epsilon 1 --delta 1e-6 \
	  --policy demo/policy.toml --ledger $(DEMO)/budget.db --dataset gss \
	  --out $(DEMO)/model.json --report $(DEMO)/report.html
	$(BIN)/tacit predict $(DEMO)/model.json $(DEMO)/new.csv --risk --out $(DEMO)/predictions.csv
	$(BIN)/python demo/check.py $(DEMO)
	$(BIN)/tacit key new $(DEMO)/house.key
	$(BIN)/tacit pack $(DEMO)/model.json --policy demo/policy.toml --ledger $(DEMO)/budget.db \
	  --sign $(DEMO)/house.key --out $(DEMO)/release.zip
	@echo 'Whoever receives the pack checks it with plain Python, without tacit:'
	$(PYTHON) -m zipfile -e $(DEMO)/release.zip $(DEMO)/release
	$(PYTHON) -I $(DEMO)/release/check_release.py $(DEMO)/release.zip --key $(DEMO)/house.key.pub
	$(BIN)/tacit audit margin-learner
	$(BIN)/tacit audit rule-measurement
	@echo 'The points of each column, the curve and the certificate, fit to be shown to anyone: $(DEMO)/report.html'

# Three hospitals on one machine, a minute: a public table is dealt to them, and only messages leave them.
demo-sites: $(VENV)/.demo
	$(BIN)/python demo/sites.py reports/sites
	sh demo/sites.sh $(BIN)/tacit reports/sites

# The same over Flower: a SuperLink and three SuperNodes on loopback, in an environment of their own.
demo-flower: .venv-federated/.installed
	.venv-federated/bin/python demo/sites.py reports/flower
	sh demo/flower.sh .venv-federated/bin reports/flower

.venv-federated/.installed: requirements/federated.txt pyproject.toml
	$(PYTHON) -m venv --clear .venv-federated
	.venv-federated/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/federated.txt -e .
	touch $@

# A test that hangs fails by name after so many seconds, and does not take the time of all the others. One
# that even then does not end, say in what it cleans up, ends its worker (see pyproject.toml), and another
# worker takes its place. Imports and types are checked meanwhile, by one process, and told at the end:
# `make lint` tells them at once.
test: $(VENV)/.test
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	@mkdir -p reports
	@{ $(BIN)/lint-imports && $(BIN)/mypy; } > reports/lint.txt 2>&1 & beside=$$!; \
	$(BIN)/pytest -q -n 2 --dist worksteal --timeout 480; tested=$$?; \
	wait $$beside; linted=$$?; cat reports/lint.txt; exit $$((tested ? tested : linted))

coverage: $(VENV)/.test
	$(BIN)/pytest -q -n 2 --cov --cov-report=term:skip-covered

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks --write docs/benchmarks.md

# What is declared to work: other releases of scikit-learn, the least version of everything that
# pyproject.toml allows, and other versions of Python, each in its own environment.
PYTHONS ?= 3.11 3.12 3.13 3.14
NAMES   := bad_inputs command categorical data_columns data_csv data_rules data_sources dims engines exponential \
  ledger learn limits plan plots report sanitize schema statistics
CORE    := $(foreach name,$(NAMES),$(wildcard tests/*/test_$(name).py tests/*/*/test_$(name).py)) \
  tests/interfaces/estimators
ALONE   := -m pip install --quiet --disable-pip-version-check
# Old releases warn of each other: here that is no error.
LENIENT := -o filterwarnings=default
TOOLS   := hypothesis joblib matplotlib opendp pandas polars pytest scikit-learn starlette uvicorn

compat: $(addprefix compat-,$(shell sed -n 's/^scikit-learn==//p' requirements/sklearn.txt)) \
  compat-floors $(addprefix compat-python-,$(PYTHONS))

compat-floors:
	$(PYTHON) -m venv .venv-floors
	$(PYTHON) requirements/floors.py pyproject.toml > .venv-floors/floors.txt
	grep -E '^(hypothesis|pytest)==' requirements/constraints.txt >> .venv-floors/floors.txt
	.venv-floors/bin/python $(ALONE) -r .venv-floors/floors.txt -e .
	.venv-floors/bin/python -m pytest -q $(LENIENT) $(CORE)

compat-python-%:
	@if python$* -c '' 2>/dev/null; then \
	  python$* -m venv .venv-python-$* && \
	  .venv-python-$*/bin/python $(ALONE) -c requirements/constraints.txt -e . $(TOOLS) && \
	  .venv-python-$*/bin/python -m pytest -q $(LENIENT) $(CORE); \
	else echo "python$* is not here: NOT run"; fi

compat-%:
	$(PYTHON) -m venv .venv-sklearn-$*
	grep -v '^scikit-learn==' requirements/constraints.txt > .venv-sklearn-$*/constraints.txt
	.venv-sklearn-$*/bin/python $(ALONE) \
	  -c .venv-sklearn-$*/constraints.txt -e . scikit-learn==$* hypothesis joblib pandas polars pytest
	.venv-sklearn-$*/bin/python -m pytest -q tests/interfaces/estimators src/tacit/interfaces/estimators

# Minutes: every number of the optimum that docs/optimum.md shows, with its certificates.
optimum: $(VENV)/.test
	$(BIN)/python -m benchmarks optimum

# Exact dimensions of all small classes, against brute force: half a minute.
representations: $(VENV)/.test
	$(BIN)/python -m benchmarks.representations

# Minutes: from a learner round to a learner on two hundred random classes, every promise checked exactly.
circle: $(VENV)/.test
	$(BIN)/python -m benchmarks circle

# The pictures in docs/explorer.md, by the stories of the tests: after what they show has changed.
pictures: $(VENV)/.test
	TACIT_PICTURES=docs/explorer $(BIN)/pytest -q --timeout 480 tests/interfaces/page/test_page_pictures.py

# The site has a folder for each version, which stays when a later one is built beside it.
VERSION := $(shell sed -n 's/^__version__.*"\(.*\)"/\1/p' src/tacit/core/version.py)
docs: $(VENV)/.test
	$(BIN)/pytest -q -n 2 --dist worksteal tests/house/test_documentation.py
	$(BIN)/python -m docs.plots reports/plots
	$(BIN)/python -m sphinx -q -j auto -W -c docs -d build/docs . site/$(VERSION)
	$(BIN)/python -m docs.versions site
	@echo "open site/index.html"

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml requirements/constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.demo: requirements/demo.txt $(VENV)/.core
	$(PIP) -r requirements/demo.txt
	@touch $@

$(VENV)/.test: requirements/test.txt requirements/system.sh $(VENV)/.core
	sh requirements/system.sh
	$(PIP) -r requirements/test.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-peers .venv-federated .venv-sklearn-* .venv-floors .venv-python-* .import_linter_cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage reports site docs/reference
