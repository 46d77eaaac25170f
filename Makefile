# `make` alone says what there is. Everything needs only Python 3.11+, git and make.
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
RUN := $(VENV)/bin
PYTEST_ARGS ?=
SCRIPTS := $(patsubst %/,%,$(sort $(dir $(wildcard tools/*.py benchmarks/*.py examples/*.py))))

export PYTHON VENV

.PHONY: help
help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/.dev: pyproject.toml uv.lock tools/setup.sh
	@sh tools/setup.sh dev

$(VENV)/.runtime: pyproject.toml uv.lock tools/setup.sh
	@sh tools/setup.sh runtime

.PHONY: setup
setup: $(VENV)/.dev ## make .venv with all that development needs

.PHONY: demo
demo: $(VENV)/.runtime ## see it at work on the example sessions
	@$(RUN)/python examples/demo.py

.PHONY: test
test: unit-test wheel-test ## run all tests, on the sources and on the built wheel

.PHONY: unit-test
unit-test: setup ## run all tests on the sources and measure what they cover
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(RUN)/python -m pytest --inline-snapshot=disable --cov --cov-config=pyproject.toml \
		--cov-report=term $(PYTEST_ARGS)

# The long forms of tests (PERDURE_TEST_ALL) have run on the sources: here they would only say it again.
.PHONY: wheel-test
wheel-test: setup ## run all tests on the built wheel, without what only development needs
	@sh tools/wheel-test.sh $(PYTEST_ARGS)

.PHONY: lowest-test
lowest-test: setup ## run all tests on the built wheel with the lowest versions it claims
	@VERSIONS=lowest sh tools/wheel-test.sh $(PYTEST_ARGS)

.PHONY: check
check: setup ## lint, types, layers, dead code, dependencies, sizes
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy src tests $(SCRIPTS)
	$(RUN)/lint-imports --no-logo
	$(RUN)/vulture src tests $(SCRIPTS)
	$(RUN)/deptry src
	$(RUN)/python -m tools.limits src

.PHONY: format
format: setup ## let the formatter and the linter put right what they can
	@$(RUN)/ruff check --fix-only .
	@$(RUN)/ruff format .

.PHONY: bench
bench: setup ## measure, each figure with its baseline beside it
	@$(RUN)/python -m benchmarks $(BENCH_ARGS)

.PHONY: lock
lock: setup ## resolve the dependencies anew, from the public index alone
	@env -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
		$(RUN)/uv lock --upgrade

.PHONY: clean
clean: ## remove all that was made here, .venv too
	@rm -rf $(VENV) build dist .hypothesis .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	@find src tests $(SCRIPTS) -name __pycache__ -type d -prune -exec rm -rf {} +
