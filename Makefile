# `make run` starts the bot, `make test` runs the tests. Both set up first.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || echo python3)
VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.ready
PEERS := $(VENV)/.peers
AUDIT := $(VENV)/audit
# Twice as many tests at a time as there are processors: tests of whole matches mostly wait.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) * 2)))

.DEFAULT_GOAL := help
.PHONY: help setup run test quick check lock audit release golden pictures chromium postgresql simulate planted soak bench bench-strength bench-setup clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## install the pinned packages into .venv, unless nothing has changed

$(STAMP): requirements-dev.txt
	@echo "Setting up: Python packages go into $(VENV); this takes about a minute, once."
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.11 or newer, or name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test ! -L $(VENV) || { echo "$(VENV) is a link, and the packages there may be in use. Remove it, or set up where it leads."; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements-dev.txt
	@touch $@
	@echo "Set up."

run: setup ## start the bot: on Discord with a token in .env, else on the sandbox in your browser
	@$(RUN) -m bot --or-sandbox

test: setup ## run the tests
	@echo "Running the tests, $(JOBS) at a time."
	@$(RUN) -m pytest --numprocesses $(JOBS) --dist worksteal

QUICK := tests/games tests/contract tests/bot/match tests/bot/messages tests/bot/standings tests/test_architecture.py

quick: setup ## run the tests of rules, tables and texts, with few examples (a minute at most)
	@$(RUN) -m pytest --quiet --numprocesses $(JOBS) --dist worksteal --hypothesis-profile quick $(QUICK)

check: setup ## run all checks of CI: lint, format, types, tests
	@echo "Checking style, then types."
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy
	@$(MAKE) --no-print-directory test

golden: setup ## replay the golden games and stored records, and write their texts again
	@$(RUN) -m tests.contract.golden
	@$(RUN) -m tests.stored record

pictures: setup chromium ## take the README's pictures again, on the sandbox's page
	@$(RUN) -m tests.browser.pictures

chromium: ## install Debian's Chromium for the tests of the page (needs root)
	@scripts/install-chromium

postgresql: ## install Debian's PostgreSQL for the tests of the store (needs root)
	@scripts/install-postgresql

simulate: setup ## run card rooms in virtual time, one for each of SEEDS (1-100), until a law is broken
	@$(RUN) -m tests.rooms --seeds $(or $(SEEDS),1-100) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(GAME),--game $(GAME)) $(if $(STORM),--storm) $(if $(PROCESSES),--processes $(PROCESSES)) $(if $(DROP),--drop $(DROP)) $(if $(TRACE),--trace $(TRACE)) $(if $(VERBOSE),--verbose)

planted: setup ## plant faults (FAULTS= numbers, else all), and see whether simulated card rooms find them (takes hours)
	@$(RUN) -m tests.rooms.planted $(FAULTS) $(if $(SEEDS),--seeds $(SEEDS))

soak: setup ## let a card room live for MINUTES (10) under kills and faults, and check that nothing is lost
	@$(RUN) -m tests.soak --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED)) $(if $(FOLDER),--folder $(FOLDER))

bench: bench-setup ## measure engines beside other projects', clicks, memory, start and pictures (takes minutes)
	@$(RUN) -m bench engines
	@$(RUN) -m bench clicks
	@$(RUN) -m bench matches
	@$(RUN) -m bench load
	@$(RUN) -m bench memory
	@$(RUN) -m bench start
	@$(RUN) -m bench pictures

bench-strength: bench-setup ## measure the strength of the computer players (takes hours; can be stopped and continued)
	@$(RUN) -m bench strength

bench-setup: $(PEERS)

$(PEERS): $(STAMP) requirements-bench.txt
	@echo "Setting up: other projects' engines go into $(VENV), about 200 MB, once."
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements-bench.txt
	@touch $@

lock: setup ## pin the packages that pyproject.toml names (needs uv)
	uv pip compile --quiet pyproject.toml --extra postgresql --universal --python-version 3.11 --generate-hashes --no-header -o requirements.txt
	uv pip compile --quiet pyproject.toml --extra postgresql --group dev --universal --python-version 3.11 --generate-hashes --no-header -c requirements.txt -o requirements-dev.txt
	uv pip compile --quiet --group bench --universal --python-version 3.11 --generate-hashes --no-header -c requirements-dev.txt -o requirements-bench.txt
	uv pip compile --quiet --group audit --universal --python-version 3.11 --generate-hashes --no-header -c requirements-dev.txt -o requirements-audit.txt

audit: $(AUDIT)/.ready ## compare the pinned packages with known vulnerabilities (needs the network)
	@$(RUN) scripts/audit.py $(AUDIT)/bin/pip-audit requirements.txt requirements-dev.txt requirements-audit.txt

# An environment of its own: nothing of the bot needs these packages, and an audit must not depend on what it audits.
$(AUDIT)/.ready: $(STAMP) requirements-audit.txt
	@$(RUN) -m venv --clear $(AUDIT)
	@$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements-audit.txt
	@touch $@

release: setup ## release VERSION: check, build, try the package in a clean environment, commit and tag
	@$(RUN) scripts/release.py $(VERSION) $(if $(CHECKED),--checked) $(if $(DRY),--dry-run)

clean: ## remove everything that setup and tests made, but not the matches in data/
	rm -rf $(VENV) artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis
