# Komppa. `make run` is the evening itself, `make test` tries everything.
# GNU make 3.81 and a POSIX shell are enough.

SHELL = /bin/sh
VENV = .venv
PY = $(VENV)/bin/python

# PYTHON=python3.12 chooses; otherwise the first of these that will do.
PYTHONS = $(or $(PYTHON),python3.14 python3.13 python3.12 python3.11 python3)

.PHONY: help run restore test lint format bench messages venv-run venv-dev which-python

help:
	@echo 'make run        start Komppa at http://127.0.0.1:8000/ (HOST=0.0.0.0 for the hall, PORT=8080)'
	@echo 'make restore    put a backup where there is nothing yet (FROM=its file or folder)'
	@echo 'make test       run every test'
	@echo 'make lint       style, types, import directions, missing migrations'
	@echo 'make format     put the code into the house style'
	@echo 'make bench      measure the rules engine, one JSON object a line'
	@echo 'make messages   collect and compile the translations'

run: venv-run
	@exec $(PY) manage.py start

restore: venv-run
	@exec $(PY) manage.py restore "$(FROM)"

test: venv-dev
	@exec $(PY) -m pytest -n 2 --dist loadscope --no-loadscope-reorder

lint: venv-dev
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-logo
	$(PY) -m djlint templates --lint --quiet
	$(PY) manage.py makemigrations --check --dry-run

format: venv-dev
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: venv-run
	@exec $(PY) bench.py

messages: venv-dev
	$(PY) manage.py makemessages --locale en --locale sv --no-location --no-obsolete --ignore '$(VENV)' --ignore data --ignore tests
	$(PY) manage.py compilemessages --ignore '$(VENV)'

# PostgreSQL needs a package of its own.
venv-run:
	@$(call venv,$(if $(DATABASE_URL),requirements-scale.txt,requirements.txt))

venv-dev:
	@$(call venv,requirements-dev.txt)

which-python:
	@$(find_python); echo "$$python"

# A name on PATH is no Python yet: version managers leave shims that only complain,
# and some systems pack venv or ensurepip by themselves.
find_python = \
	python=; partial=; \
	for name in $(PYTHONS); do \
	  "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  if "$$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then python=$$name; break; fi; \
	  partial=$${partial:-$$name}; \
	done; \
	if [ -z "$$python" ] && [ -n "$$partial" ]; then \
	  echo "Komppa: $$partial cannot make virtual environments; install them, e.g. apt install python3-venv" >&2; exit 1; \
	elif [ -z "$$python" ]; then \
	  echo "Komppa: no Python 3.11 or newer among $(PYTHONS); install one, e.g. apt install python3-venv" >&2; exit 1; \
	fi

# $(call venv,FILE) makes sure that the environment holds what FILE lists. A stamp is
# written last, so what was cut short is begun again; it names the Python and the
# contents of the file. The longer lists only add to the shorter.
venv = \
	has() { \
	  [ -n "$$tag" ] && [ "$$tag $$(cksum < $$1)" = "$$(cat $(VENV)/$$1.stamp 2>/dev/null)" ]; \
	}; \
	tag=$$($(PY) -c 'import pip, sys; print(sys.implementation.cache_tag)' 2>/dev/null); \
	if [ -n "$(PYTHON)" ]; then \
	  $(PYTHON) -c "import sys; sys.exit(sys.implementation.cache_tag != '$$tag')" 2>/dev/null || tag=; \
	fi; \
	if has $(1); then exit 0; fi; \
	if ! has requirements.txt && ! has requirements-scale.txt && ! has requirements-dev.txt; then \
	  $(find_python); \
	  echo "Komppa: making $(VENV) with $$python"; \
	  rm -rf $(VENV) && "$$python" -m venv $(VENV) || exit 1; \
	  tag=$$($(PY) -c 'import sys; print(sys.implementation.cache_tag)') || exit 1; \
	fi; \
	echo "Komppa: installing what $(1) lists; the first time takes a minute"; \
	$(PY) -m pip install --quiet --quiet --disable-pip-version-check --no-input \
	  --require-hashes --only-binary :all: -r $(1) \
	  || { echo "Komppa: that did not succeed; is there a network?" >&2; exit 1; }; \
	echo "$$tag $$(cksum < $(1))" > $(VENV)/$(1).stamp
