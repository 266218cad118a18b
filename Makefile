# Every target sets up what it needs by itself: a virtual environment with exactly the
# packages of the lock, and, as root on Debian, the system packages that are missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
TEST_OPTIONS ?=
# One more than processors: a third of what tests take, they wait.
TESTERS := $(shell echo $$(($$(nproc) + 1)))
# What tests need beside Python, from Debian.
SYSTEM_PACKAGES := chromium dovecot-imapd dovecot-submissiond libfaketime newsboat opensmtpd pgbouncer \
	rabbitmq-server redis-server spamassassin
# What mails are held against, from npm; it needs Node 20.
MAILCHECK := tests/mailcheck
# The search server, from npm too.
SEARCHSERVER := tests/searchserver
# Other feed readers, for the benchmarks.
PEER_PACKAGES := newsboat rss2email

.PHONY: run demo test lint quality bench faults mutants pictures icons system peers lock clean

run: $(VENV)/.installed
	@mkdir -p -m 700 data
	$(BIN)/morningdeck run

demo: $(VENV)/.installed
	$(BIN)/morningdeck demo $(DEMO_OPTIONS)

test: lint system $(MAILCHECK)/node_modules/.installed $(SEARCHSERVER)/node_modules/.installed
	$(BIN)/pytest -n $(TESTERS) --dist loadgroup --cov --cov-report=term $(TEST_OPTIONS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

quality: $(VENV)/.installed-dev
	$(BIN)/python -m tests.quality $(QUALITY)

bench: $(VENV)/.installed-bench peers
	$(BIN)/python -m tests.benchmarks $(BENCH_OPTIONS)

faults: $(VENV)/.installed-dev $(SEARCHSERVER)/node_modules/.installed
	$(BIN)/pytest tests/faults --long --timeout 14400 -n 2 --dist loadgroup $(TEST_OPTIONS)

mutants: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutants $(MUTANTS)

# The mails and pages of README and docs, as a browser shows them.
pictures: $(VENV)/.installed-dev system
	@$(call debian,fonts-droid-fallback) # for Japanese
	$(BIN)/python -m tests.pictures docs/pictures

# What an installed deck shows itself by, drawn from the icon of its pages.
icons: $(VENV)/.installed-dev system
	$(BIN)/python -m tests.pictures.icons

# ---- setting up

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Morning Deck needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		[ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; \
	} || { echo "Python's venv module is missing: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) ..."
	$(PIP) install --no-deps --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) ..."
	$(PIP) install --no-deps --require-hashes -r requirements-dev.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: requirements-bench.lock pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) ..."
	$(PIP) install --no-deps --require-hashes -r requirements-bench.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.installed-dev $(VENV)/.installed

# As root on Debian, those of the packages that are missing.
debian = [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
	|| dpkg -s $(1) >/dev/null 2>&1 \
	|| { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends $(1) >/dev/null; }

system:
	@$(call debian,$(SYSTEM_PACKAGES))

# Without npm the tests that need it are skipped, and fail where CI is set.
%/node_modules/.installed: %/package-lock.json
	@command -v npm >/dev/null || { $(call debian,nodejs npm); }
	@! command -v npm >/dev/null || npm ci --prefix $* --loglevel error
	@[ ! -d $(@D) ] || touch $@

# Whatever cannot be had is left out by the benchmarks, which say so.
peers: | $(BIN)/python
	@$(call debian,$(PEER_PACKAGES)) || true
	@[ -x $(VENV)/peers/miniflux ] || tests/benchmarks/miniflux.sh $(VENV)/peers || true

# ---- upkeep

LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --upgrade

lock:
	echo setuptools | $(LOCK) pyproject.toml - --output-file requirements.lock
	echo setuptools | $(LOCK) --extra celery --extra dev --constraint requirements.lock pyproject.toml - \
		--output-file requirements-dev.lock
	echo setuptools | $(LOCK) --extra celery --extra dev --extra bench --constraint requirements-dev.lock \
		pyproject.toml - --output-file requirements-bench.lock

clean:
	rm -rf $(VENV) $(MAILCHECK)/node_modules $(SEARCHSERVER)/node_modules build *.egg-info .pytest_cache .mypy_cache .ruff_cache .coverage* htmlcov
