# `make inbox` and `make test` need Python 3.11+ with its venv module, and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SMALL  := $(VENV)/.installed
FULL   := $(VENV)/.installed-dev

.PHONY: inbox test lint types contracts lock screenshots bench clean

inbox: $(SMALL) ## open the review inbox on the embedded store
	@$(BIN)/memory-inbox

test: $(FULL) ## run the tests
	$(BIN)/python -m pytest

lint: $(FULL) ## style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(FULL) ## static types, strict
	$(BIN)/mypy

screenshots: $(FULL) ## draw screenshots/ from the real app on the demo store
	$(BIN)/python screenshots/make.py

bench: $(FULL) ## operations against their floors, as ratios
	$(BIN)/python -m tests.bench

lock: $(FULL) ## pin exact versions again (needs uv)
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --generate-hashes pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --generate-hashes --extra dev pyproject.toml -o requirements-dev.lock

clean: ## forget the virtual environment
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(SMALL): requirements.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(FULL): requirements-dev.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ $(SMALL)
