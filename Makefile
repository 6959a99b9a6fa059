# Everything runs from .venv, which `make setup` builds from requirements.lock. Needs python >= 3.11, make and git.

.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= 2
WORKERS ?= 3
unexport PYTHONDONTWRITEBYTECODE # compiled once is compiled for every worker
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
CLIENTS := $(CACHE)/leeboard-clients
CLIENT := $(CLIENTS)/cc
CLIENT_VERSION ?= 2.1.325
CODEX_VERSION ?= 0.166.0
OPENCODE_VERSION ?= 1.18.33
GEMINI_VERSION ?= 0.61.0
COPILOT_VERSION ?= 1.0.102
OTHERS := $(CLIENTS)/codex/.has-$(CODEX_VERSION) $(CLIENTS)/opencode/.has-$(OPENCODE_VERSION) \
    $(CLIENTS)/gemini/.has-$(GEMINI_VERSION) $(CLIENTS)/copilot/.has-$(COPILOT_VERSION)
CODE := leeboard tests tools $(wildcard benchmarks)

# Whatever environment the caller sits in, only .venv counts.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE VIRTUAL_ENV PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV

.PHONY: help setup run test check browser explore fuzz packages kills storm lint fmt docs data bench screenshots house field fit precision field-code precision-code recall e2e soak cluster rule lock clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r target words; do \
	    printf '  make %-14s %s\n' "$$target" "$$words"; done

setup: $(READY) ## build .venv from the lock file, with Leeboard installed from this folder

$(READY): pyproject.toml requirements.lock tools/setup_venv.py
	@for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        exec $$python tools/setup_venv.py .venv; \
	    fi; \
	done; \
	echo "leeboard: no python >= 3.11 found on PATH (tried python3, python3.11 to python3.14)" >&2; exit 1
	@touch $@

run: setup ## play a recorded session and show what Leeboard says
	$(BIN)/leeboard demo

test: check ## all static checks and all tests: the same as check

# Tests wait for processes a quarter of their time, so there is a worker more than two processors need.
# Types keep one processor busy: another compiles the tests meanwhile, which each worker would do for itself otherwise.
check: setup browser ## all static checks and all tests
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 & $(MAKE) --no-print-directory lint; linted=$$?; wait; exit $$linted
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

browser: setup ## find a Chromium for the browser tests, or install one
	@$(BIN)/python -m tools.browser

screenshots: setup browser ## every page at two widths and in both colour schemes, into .screenshots/
	$(BIN)/python -m tools.screenshots

explore: setup ## all property tests with examples nobody has seen yet
	LEEBOARD_EXAMPLES=explore $(BIN)/pytest -n $(JOBS) -m hypothesis

packages: setup ## wheel and sdist built twice and compared; the wheel's first minute and its weight
	$(BIN)/python -m tests.package_figures

fuzz: setup ## 100,000 broken payloads of each client: nothing raised, nobody locked out
	$(BIN)/python -m tools.fuzz tests/fixtures --count $(or $(COUNT),100000)

kills: setup ## processes killed at random moments, a thousand times instead of some hundred
	LEEBOARD_DRIFT_KILLS=300 LEEBOARD_PLAN_KILLS=100 LEEBOARD_PLAN_POINTS=all LEEBOARD_RUN_KILLS=300 \
	LEEBOARD_WORK_KILLS=180 LEEBOARD_TEAM_WRITERS=200 LEEBOARD_TEAM_KILLS=40 $(BIN)/pytest -n $(JOBS) \
	    tests/test_drift_crashes.py tests/test_plan_crashes.py tests/test_scripted_run_killed.py \
	    tests/test_exactly_once.py tests/test_team_exactly_once.py

storm: setup ## 2,000 hook calls from 50 processes while the resident is killed every second, and while it hangs
	$(BIN)/python -m tests.hook_storm 2000 50

lint: setup ## ruff, formatting, types and import contracts
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: setup ## format the code and apply the safe fixes
	$(BIN)/ruff check --fix-only $(CODE)
	$(BIN)/ruff format $(CODE)

docs: setup ## write the pages of the rules and the usage of the commands anew
	$(BIN)/python tools/make_docs.py

data: setup ## check and compile the tables in leeboard/data
	$(BIN)/python tools/compile_data.py

# The words after `make bench` are parts of it, and no targets.
ifeq (bench,$(firstword $(MAKECMDGOALS)))
PARTS := $(filter-out bench,$(MAKECMDGOALS))
$(foreach part,$(filter-out check,$(PARTS)),$(eval $(part):;@:))
endif

bench: setup ## measure what a hook costs; with a name only that part: make bench proxy
	$(BIN)/python -m benchmarks $(PARTS)

soak: setup ## five hundred streams at once through the proxy, with all that can go wrong in the mix
	$(BIN)/python -m tests.surfaces.proxy.soak

cluster: setup ## a thousand sessions by this machine, by two Dask workers, and with one killed: the same bytes
	$(BIN)/python -m tests.dask_figures $(or $(COUNT),1000) $(DIR)

house: setup ## the state of the code in figures: sizes, imports, files on the way
	$(BIN)/python -m tools.house

field: setup ## how the goal judge does on real sessions: make field DIR=<folder of sessions> [WAYS=heredoc,sed] [SAMPLE=40]
	$(BIN)/python -m tools.field '$(DIR)' -j $(JOBS) --ways '$(WAYS)' $(addprefix --sample ,$(SAMPLE)) \
	    --keep '$(CACHE)/leeboard-bench'

precision: setup ## docs/precision.md anew: make precision DIR=<folder of sessions> LABELS=<label file>
	$(BIN)/leeboard backtest '$(DIR)' --no-settings --labels '$(LABELS)' --markdown > .precision.part
	sed -e '/<!-- precision -->/,/<!-- \/precision -->/{//!d;}' -e '/<!-- precision -->/r .precision.part' \
	    docs/precision.md > .precision.page
	mv .precision.page docs/precision.md
	rm .precision.part

SET ?= projects

field-code: setup ## fetch the well-kept projects that docs/labels pins, into the cache folder [SET=fresh, unseen, later, last, sealed, closing, drawn]
	$(BIN)/python -m tools.field_code fetch --set $(SET)

precision-code: setup ## how right the content rules are on them, from the labels in docs/labels/code.jsonl [SET=... HALF=looked, counted]
	$(BIN)/python -m tools.field_code precision -j $(JOBS) --set $(SET) $(addprefix --half ,$(HALF))

recall: setup ## how much the content rules hear of what other tools have labelled
	$(BIN)/python -m tools.recall -j $(JOBS)

ROWS ?= $(CACHE)/leeboard-bench/rows.jsonl

fit: setup ## fit the goal judge anew: make fit DIR=<folder of sessions>
	mkdir -p '$(dir $(ROWS))'
	cp leeboard/data/judge/goal.toml '$(ROWS).first.toml'
	$(BIN)/python -m tools.judge_rows '$(DIR)' tests/sessions > '$(ROWS)'
	$(BIN)/python -m tools.fit_goal '$(ROWS)' '$(ROWS).first.toml'
	$(BIN)/python -m tools.judge_rows '$(DIR)' tests/sessions --by '$(ROWS).first.toml' > '$(ROWS)'
	$(BIN)/python -m tools.fit_goal '$(ROWS)' leeboard/data/judge/goal.toml
	$(BIN)/python tools/compile_data.py

e2e: setup $(CLIENT)/.has-$(CLIENT_VERSION) $(OTHERS) ## drive the real clients against a scripted model
	LEEBOARD_E2E_CLAUDE=$(CLIENT)/node_modules/.bin/claude \
	LEEBOARD_E2E_CODEX=$(CLIENTS)/codex/node_modules/.bin/codex \
	LEEBOARD_E2E_OPENCODE=$(CLIENTS)/opencode/node_modules/.bin/opencode \
	LEEBOARD_E2E_GEMINI=$(CLIENTS)/gemini/node_modules/.bin/gemini \
	LEEBOARD_E2E_COPILOT=$(CLIENTS)/copilot/node_modules/.bin/copilot \
	$(BIN)/pytest -n $(JOBS) -m e2e tests/e2e

# The script links the platform's own program into .bin; npm may be set up to run no such scripts.
$(CLIENT)/.has-$(CLIENT_VERSION):
	mkdir -p $(CLIENT)
	npm install --prefix $(CLIENT) --no-audit --no-fund @anthropic-ai/claude-code@$(CLIENT_VERSION)
	node $(CLIENT)/node_modules/@anthropic-ai/claude-code/install.cjs
	$(CLIENT)/node_modules/.bin/claude --version
	touch $@

$(CLIENTS)/codex/.has-$(CODEX_VERSION):
	mkdir -p $(@D)
	npm install --prefix $(@D) --no-audit --no-fund @openai/codex@$(CODEX_VERSION)
	$(@D)/node_modules/.bin/codex --version
	touch $@

$(CLIENTS)/opencode/.has-$(OPENCODE_VERSION):
	mkdir -p $(@D)
	npm install --prefix $(@D) --no-audit --no-fund opencode-ai@$(OPENCODE_VERSION)
	$(@D)/node_modules/.bin/opencode --version
	touch $@

$(CLIENTS)/gemini/.has-$(GEMINI_VERSION):
	mkdir -p $(@D)
	npm install --prefix $(@D) --no-audit --no-fund @google/gemini-cli@$(GEMINI_VERSION)
	$(@D)/node_modules/.bin/gemini --version
	touch $@

$(CLIENTS)/copilot/.has-$(COPILOT_VERSION):
	mkdir -p $(@D)
	npm install --prefix $(@D) --no-audit --no-fund @github/copilot@$(COPILOT_VERSION)
	$(@D)/node_modules/.bin/copilot --version
	touch $@

rule: setup ## write a new rule and its test: make rule name=<pattern_it_flags> [subclass=<A4>]
	@$(BIN)/python tools/new_rule.py '$(name)' '$(subclass)'

lock: setup ## pin the newest versions that pyproject.toml allows
	$(BIN)/python tools/lock.py

clean: ## remove .venv, caches and build products
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	find leeboard tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
