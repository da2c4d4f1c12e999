# `make run` starts Parley, `make test` proves it. Both need Python >= 3.11 and nothing else.
# The Python to start from: make run PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin
BOOTSTRAP := $(PYTHON) scripts/bootstrap.py

RUN_FLAGS = $(if $(PORT),--port $(PORT)) $(if $(filter command,$(origin HOST)),--host $(HOST)) $(if $(PUBLIC_URL),--public-url $(PUBLIC_URL))
FAST_TESTS = tests/unit tests/properties tests/conformance
WIDE_TESTS = tests/integration tests/regressions
HARD_TESTS = tests/faults

.PHONY: run test check lint types bench words screenshots lock dev

run:
	@$(BOOTSTRAP) -m chat_app run $(RUN_FLAGS)

# The tests start some hundreds of processes: where this is set, each would compile every module again.
test check: export PYTHONDONTWRITEBYTECODE =

# Files of tests with browsers and servers run beside each other, the tests of a file one after another: they mostly
# wait. What kills servers and counts what is lost has the machine to itself.
BROWSER = PARLEY_CHROMIUM="$$($(BIN)/python scripts/chromium.py)" $(BIN)/pytest
test: dev
ifdef ARGS
	@$(BROWSER) $(ARGS)
else
	@$(if $(FAST_TESTS),$(BIN)/pytest $(FAST_TESTS) -q -n auto)
	@$(BROWSER) tests/browser -q -n 3 --dist loadfile
	@$(BROWSER) $(WIDE_TESTS) -q -n 3 --dist loadfile
	@$(BROWSER) $(HARD_TESTS) -q
endif

# Counting lines takes half as long again as the tests: CI sets COVERAGE and so asks for it.
COUNTING = --cov --cov-report=json:.coverage.json
check: lint types
	@$(BIN)/pytest $(FAST_TESTS) -q -n auto $(if $(COVERAGE),$(COUNTING)) $(ARGS)
	@$(if $(COVERAGE),$(BIN)/python scripts/coverage_gate.py .coverage.json)

lint: dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo

types: dev
	@$(BIN)/mypy

bench: dev
	@$(BIN)/python benchmarks/fold.py
	@PARLEY_CHROMIUM="$$($(BIN)/python scripts/chromium.py)" $(BIN)/python benchmarks/push.py $(ARGS)
	@$(BIN)/python benchmarks/panels.py
	@$(BIN)/python benchmarks/oversight.py
	@$(BIN)/python benchmarks/start.py
	@$(BIN)/python benchmarks/bundle.py
	@PARLEY_CHROMIUM="$$($(BIN)/python scripts/chromium.py)" $(BIN)/python benchmarks/ux.py

# Catalogs of the page's words: what is new is added, what is translated is compiled.
words: dev
	@$(BIN)/python -m scripts.words $(ARGS)

# Pictures of the main pages, for docs/images.
screenshots: dev
	@PARLEY_CHROMIUM="$$($(BIN)/python scripts/chromium.py)" $(BIN)/python scripts/screenshots.py $(ARGS)

# The locks name versions and hashes, never a place: whatever index pip is set up for serves them.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links pyproject.toml $(UPGRADE)
lock: dev
	@$(LOCK) --group build -o requirements.lock
	@$(LOCK) --group build --group test --group lint -c requirements.lock -o requirements-dev.lock

dev:
	@$(BOOTSTRAP) --dev
