# Two commands do everything: `make demo` and `make test`. They need Python 3.11+, make and a package index.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv
RUN := $(VENV)/bin
PIP := $(RUN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test lint bench clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

$(VENV)/base: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or later found; name one: make PYTHON=/path/to/python3"; exit 2; }
	@echo "setting up $(VENV) (once; a minute or two)"
	@$(PYTHON) -m venv $(VENV) || { echo "error: venv failed; on Debian: apt-get install python3-venv"; exit 2; }
	@$(PIP) --editable .
	@touch $@

$(VENV)/dev: $(VENV)/base
	@echo "adding the test tools"
	@$(PIP) --editable '.[dev]'
	@touch $@

demo: $(VENV)/base ## set up, then read the bundled example logs and code
	@PATH="$(abspath $(RUN)):$$PATH" sh examples/demo.sh

test: $(VENV)/dev ## set up, then run the whole suite
	@$(RUN)/python -m pytest -n auto

lint: $(VENV)/dev ## style and types
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy

bench: $(VENV)/dev ## measure speed and memory; prints CPU time and ratios
	@$(RUN)/python -m benchmarks

clean: ## remove everything that make has set up
	rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
