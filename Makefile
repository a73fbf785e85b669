# `make` alone prints what there is. Needs nothing but Python 3.11 or newer and make.
.SHELLFLAGS := -eu -c
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTEST_ARGS ?=
BENCH_ARGS ?=
IMAGE ?= blockwalk
IMAGE_BUILD ?= docker build -t $(IMAGE) .
CODE := service tests $(wildcard benchmarks clients)

# The first interpreter on the path that is new enough; name another with PYTHON=...
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

# These variables hold OpenBLAS to another processor's kernels.
BENCH := env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
INSTALL_PINNED := $(PIP) install --require-hashes
INSTALL_PROJECT := $(PIP) install --no-deps --no-build-isolation --editable .
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --custom-compile-command "make lock" --quiet $(LOCK_ARGS)

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[1mmake %-15s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- environment: each stamp says which lock file the environment was filled from ---

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then echo "Blockwalk needs Python 3.11 or newer: none found on PATH (set PYTHON=/path/to/python)" >&2; exit 1; fi
	echo "creating $(VENV) with $$($(PYTHON) --version)"
	"$(PYTHON)" -m venv $(VENV)

$(VENV)/.runtime: requirements.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo "installing what the service needs, pinned and hashed"
	$(INSTALL_PINNED) -r requirements.lock -r requirements-build.lock
	$(INSTALL_PROJECT)
	touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "installing what development needs, pinned and hashed"
	$(INSTALL_PINNED) -r requirements-dev.lock
	$(INSTALL_PROJECT)
	touch $@ $(VENV)/.runtime

.PHONY: venv
venv: $(VENV)/.dev ## Make or refresh .venv for development

# --- running ---

.PHONY: serve
serve: $(VENV)/.runtime ## Serve on http://127.0.0.1:8000 (BLOCKWALK_PORT=... for another port)
	@exec $(BIN)/blockwalk serve

# --- checking ---

.PHONY: test
test: $(VENV)/.dev ## Run the tests (PYTEST_ARGS=...)
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

.PHONY: test-deployment
test-deployment: $(VENV)/.dev ## Run the fault suite with real nginx, Redis and gunicorn (SOAK_SECONDS=600 for the full load)
	@$(BIN)/python -m pytest -m deployment tests/deployment $(PYTEST_ARGS)

.PHONY: lint
lint: $(VENV)/.dev ## Check format, style, types and the direction of imports
	@$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: format
format: $(VENV)/.dev ## Format the code and mend what can be mended
	@$(BIN)/ruff check --fix-only --quiet $(CODE)
	$(BIN)/ruff format $(CODE)

.PHONY: openapi
openapi: $(VENV)/.dev ## Write openapi/openapi.json anew
	@mkdir -p openapi
	$(BIN)/blockwalk openapi > openapi/openapi.json.new
	mv openapi/openapi.json.new openapi/openapi.json

.PHONY: readme
readme: $(VENV)/.dev ## Write the README's table of settings anew
	@$(BIN)/blockwalk settings --markdown > README.md.new
	sed -i -e '/^<!-- settings -->$$/,/^<!-- end of settings -->$$/{/^<!--/!d}' -e '/^<!-- settings -->$$/r README.md.new' README.md
	rm README.md.new

.PHONY: lock
lock: $(VENV)/.dev ## Write the lock files anew (LOCK_ARGS=--upgrade for newer releases)
	@$(LOCK) --extra redis --output-file requirements.lock pyproject.toml
	$(LOCK) --extra redis --extra otel -c requirements.lock --output-file requirements-otel.lock pyproject.toml
	$(LOCK) --group build --output-file requirements-build.lock
	$(LOCK) --all-extras --group dev -c requirements-otel.lock -c requirements-build.lock --output-file requirements-dev.lock pyproject.toml

.PHONY: bench
bench: $(VENV)/.dev ## Measure speed as ratios against floors (BENCH_ARGS=...)
	@$(BENCH) $(BIN)/python -m benchmarks $(BENCH_ARGS)

.PHONY: bench-peers
bench-peers: build/peers/.stamp ## The same against PyTorch and TransformerLens, installed into build/peers
	@$(BENCH) build/peers/bin/python -m benchmarks --peers --json build/benchmarks-peers.json $(BENCH_ARGS)

build/peers/.stamp: benchmarks/peers.txt | $(BIN)/python
	@echo "installing the peers; PyTorch is large"
	$(BIN)/python -m venv build/peers
	build/peers/bin/python -m pip --disable-pip-version-check -qq install -r benchmarks/peers.txt
	touch $@

.PHONY: audit
audit: $(VENV)/.dev ## Look up known vulnerabilities of what is pinned; fails when it cannot
	@$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements.lock

# An environment that holds what the service runs with and nothing else, not even pip.
build/runtime/.stamp: requirements.lock | $(VENV)/.dev
	@rm -rf build/runtime
	$(BIN)/python -m venv --without-pip build/runtime
	$(PIP) --python build/runtime/bin/python install --require-hashes -r requirements.lock
	touch $@

.PHONY: sbom
sbom: build/runtime/.stamp ## Write build/sbom.cdx.json (CycloneDX) and build/licences.md of what the service runs with
	@$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o build/sbom.cdx.json build/runtime
	$(BIN)/pip-licenses --python build/runtime/bin/python --format=markdown --order=license --output-file build/licences.md

# --- packaging ---

.PHONY: image
image: ## Build the container image (IMAGE_BUILD= for another builder)
	@$(IMAGE_BUILD)

.PHONY: clean
clean: ## Remove the environment and everything generated
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
