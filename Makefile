# `make inbox` and `make test` need Python 3.11+ with its venv module, and make. Nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SMALL  := $(VENV)/.installed
FULL   := $(VENV)/.installed-dev
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help inbox test lint types docs site screenshots bench lock wheel clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

inbox: $(SMALL) ## open the review inbox
	@$(BIN)/memory-inbox $(ARGS)

test: $(FULL) ## run the tests; ARGS="…" goes to pytest
	$(BIN)/python -m pytest $(ARGS)

lint: $(FULL) ## check style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(FULL) ## check types, strictly
	$(BIN)/mypy

docs: $(FULL) ## write the generated pages of docs/ again
	$(BIN)/python docs/generate.py $(ARGS)

site: $(FULL) ## build docs/ as a site in build/site; a broken link is an error
	rm -rf build/pages build/site
	mkdir -p build/pages
	cp README.md build/pages/index.md
	cp -r CHANGELOG.md docs screenshots build/pages/
	$(BIN)/zensical build --clean --strict

screenshots: $(FULL) ## draw screenshots/ from the real app on the demo store
	$(BIN)/python screenshots/make.py $(ARGS)

bench: $(FULL) ## measure operations against their floors, as ratios
	$(BIN)/python -m tests.bench $(ARGS)

wheel: $(FULL) ## build dist/*.whl
	rm -rf dist
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w dist .

lock: $(FULL) ## pin exact versions again, with uv
	$(BIN)/python -m pip install -q --disable-pip-version-check uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --generate-hashes pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --generate-hashes --extra dev pyproject.toml -o requirements-dev.lock

clean: ## forget the virtual environment and what was built
	rm -rf $(VENV) dist build

# A half-made environment (Python without its venv module) must not look made to the next run.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing: apt install python3-venv"; exit 1; }

$(SMALL): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (once) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(FULL): requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (once) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ $(SMALL)
